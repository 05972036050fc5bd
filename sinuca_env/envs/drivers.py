"""Loops over lanes around the kernels of one table: decode, observe, account."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.envs.observation import observe_flat, observe_pot, observe_set
from sinuca_env.envs.reward import AIM, POTENTIAL, add_terms, aim_fit, potential_of
from sinuca_env.game.action import decode_box, decode_relative, decode_target
from sinuca_env.game.reset import POT_TASK

__all__ = ["DECODERS", "OBSERVERS", "account_lanes", "begin_lanes", "close_lanes", "note_free_lanes"]


@kernel
def decode_box_lanes(actions, single, frames, layouts, legals, table, params, decisions, lanes):
    """``decisions[k]`` from ``actions[lanes[k]]``, face ``box``."""
    for k in range(len(lanes)):
        i = lanes[k]
        decode_box(actions[i], single, frames[i], layouts[i], legals[i], table[0], decisions[k])


@kernel
def decode_relative_lanes(actions, single, frames, layouts, legals, table, params, decisions, lanes):
    """The same for face ``relative``."""
    for k in range(len(lanes)):
        i = lanes[k]
        decode_relative(actions[i], single, frames[i], layouts[i], legals[i], table[0], decisions[k])


@kernel
def decode_target_lanes(actions, single, frames, layouts, legals, table, params, decisions, lanes):
    """The same for face ``target``."""
    for k in range(len(lanes)):
        i = lanes[k]
        decode_target(actions[i], single, frames[i], layouts[i], legals[i], table[0], params[0], decisions[k])


@kernel
def observe_flat_lanes(frames, layouts, legals, cfg, table, max_strokes, pot, sides, out, lanes):
    """``out[i]`` for the lanes, observation ``flat``, from the view of ``sides[i]``."""
    for i in lanes:
        observe_flat(frames[i], layouts[i], legals[i], cfg[0], table[0], max_strokes, pot[0], sides[i], out[i])


@kernel
def observe_set_lanes(frames, layouts, legals, cfg, table, max_strokes, pot, sides, out, lanes):
    """The same for observation ``set``."""
    for i in lanes:
        observe_set(frames[i], layouts[i], legals[i], cfg[0], table[0], max_strokes, pot[0], sides[i], out[i])


@kernel
def observe_pot_lanes(frames, layouts, legals, cfg, table, max_strokes, pot, sides, out, lanes):
    """The same for observation ``set`` of the one-ball task."""
    for i in lanes:
        observe_pot(frames[i], layouts[i], legals[i], cfg[0], table[0], max_strokes, pot[0], sides[i], out[i])


DECODERS = {"box": decode_box_lanes, "relative": decode_relative_lanes, "target": decode_target_lanes}
OBSERVERS = {"flat": observe_flat_lanes, "set": observe_set_lanes, "pot": observe_pot_lanes}


@kernel
def begin_lanes(frames, terms, sides, potentials, own_seats, lanes):
    """Before the agent's decision: empty terms, whose decision it is, where the potential stands."""
    for i in lanes:
        for k in range(terms.shape[1]):
            terms[i, k] = 0.0
        if own_seats:
            sides[i] = frames[i].striker
        potentials[i] = potential_of(frames[i], sides[i])


@kernel
def note_free_lanes(frames, had_free, lanes):
    """Remember, before a step, who was offered a free ball."""
    for i in lanes:
        had_free[i] = frames[i].free_ball


@kernel
def account_lanes(
    frames, rulings, shots, task, table, befores, decisions, pot, weights, had_free, sides, strokes, max_strokes,
    terms, cut, lanes,
):  # fmt: skip
    """After a step: its terms for the agent's side, one stroke more, and whether that was the last one allowed."""
    for i in lanes:
        add_terms(terms[i], rulings[i], shots[i], sides[i], had_free[i])
        if weights[AIM] != 0.0 and task[0].kind == POT_TASK and shots[i].made:
            on_table = np.int64(shots[i].potted) | np.int64(frames[i].on_table) | 1
            terms[i, AIM] += aim_fit(befores[i], on_table, decisions[i].strike.angle, table[0], pot[0])
        strokes[i] += 1
        cut[i] = strokes[i] >= max_strokes and frames[i].frame_over == 0


@kernel
def close_lanes(frames, terms, weights, gamma, potentials, sides, rewards, lanes):
    """The potential's term and the weighted sum, once the agent is to decide again or the episode is over."""
    for i in lanes:
        after = 0.0 if frames[i].frame_over else potential_of(frames[i], sides[i])
        terms[i, POTENTIAL] = gamma * after - potentials[i]
        total = 0.0
        for k in range(terms.shape[1]):
            total += weights[k] * terms[i, k]
        rewards[i] = total
