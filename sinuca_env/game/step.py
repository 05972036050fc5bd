"""One step of one table, around the physics: before it the stroke that is really played, after it the referee.

``prepare`` -> (physics) -> ``finish``; the drivers loop over lanes. All records are single ones of the batch.
"""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.game.noise import noisy_strike
from sinuca_env.game.placement import aimed_ball, clear_elevation, place_in_d
from sinuca_env.game.reset import POT_TASK, go_on, start_episode
from sinuca_env.rules import judge, legal_into
from sinuca_env.rules.restore import remember_position
from sinuca_env.state.balls import CUE, FIRST_COLOUR, FIRST_RED, N_SLOTS
from sinuca_env.state.records import NO_BALL, NO_SIDE, Option

__all__ = ["finish_lanes", "prepare_lanes", "sort_reds", "start_lanes"]

PLAY, DECLINE, CONCEDE = int(Option.PLAY), int(Option.DECLINE), int(Option.CONCEDE)
CONCEDE_BIT = 1 << CONCEDE


@kernel(internal=True)
def is_stroke(decision, legal):
    """Whether the decision is a stroke; declining or conceding without the right to it is taken as playing."""
    option = np.int64(decision.option)
    return (option != DECLINE and option != CONCEDE) or (np.int64(legal.options) >> option) & 1 == 0


@kernel(internal=True)
def prepare(frame, layout, decision, legal, noise, table, params, strike, shot, before, played):
    """Make the decision the stroke that is really played. Returns whether there is a stroke at all.

    Placement (legal and free), evident call by the aim, elevation that cushion and balls demand, then noise.

    Args:
        strike: out, for the physics.
        shot: out, the fields that the physics does not know.
        before: (22, 2) out, where the balls lie before the stroke.
        played: one-element (1,) int64 out, balls of the table for the physics.
    """
    shot.aimed_at = NO_BALL
    if not is_stroke(decision, legal):
        return False
    if decision.option == DECLINE or decision.option == CONCEDE:
        decision.option = PLAY
    on_table = np.int64(frame.on_table) | 1
    if frame.in_hand:
        x, y = place_in_d(decision.placement[0], decision.placement[1], layout, on_table, table)
        layout[CUE, 0], layout[CUE, 1] = x, y
        decision.placement[0], decision.placement[1] = x, y
    for slot in range(N_SLOTS):
        before[slot, 0], before[slot, 1] = layout[slot, 0], layout[slot, 1]
    meant = decision.strike
    strike.angle, strike.speed, strike.side, strike.top = meant.angle, meant.speed, meant.side, meant.top
    strike.elevation, strike.direct = meant.elevation, 0
    least = clear_elevation(layout, on_table, meant.angle, meant.top, params.nose_height, table)
    strike.elevation = max(meant.elevation, least)
    decision.strike.elevation = strike.elevation
    shot.aimed_at = aimed_ball(layout, on_table, meant.angle, table.ball_radius)
    noisy_strike(strike, noise, frame, params)
    played[0] = on_table
    return True


@kernel
def prepare_lanes(
    frames, layouts, decisions, legals, noise, table, params, strikes, shots, befores, on_tables, aims, lanes, playing
):
    """Prepare the tables of ``lanes``; writes those with a stroke into ``playing`` and returns their number."""
    n = 0
    one = np.zeros(1, np.int64)
    for i in lanes:
        if prepare(
            frames[i], layouts[i], decisions[i], legals[i], noise[0], table[0], params[0], strikes[i], shots[i],
            befores[i], one,
        ):  # fmt: skip
            on_tables[i] = one[0]
            playing[n] = i
            n += 1
        else:
            shots[i].made = 0
        aims[i] = shots[i].aimed_at
    return n


@kernel(internal=True)
def moved_balls(before, layout, on_table, tolerance):
    """Object balls still in play that lie farther than ``tolerance`` (m) from where they lay (46)."""
    moved = 0
    for slot in range(FIRST_RED, N_SLOTS):
        if (on_table >> slot) & 1:
            dx, dy = layout[slot, 0] - before[slot, 0], layout[slot, 1] - before[slot, 1]
            if not dx * dx + dy * dy <= tolerance * tolerance:
                moved |= 1 << slot
    return moved


@kernel(internal=True)
def _swap_bits(balls, a, b):
    different = ((balls >> a) ^ (balls >> b)) & 1
    return balls ^ ((different << a) | (different << b))


@kernel(internal=True)
def sort_reds(frame, layout, legal):
    """Number the reds canonically: those in play first, by x and then y. Reds are alike; only their places count.

    With it nothing that follows (observation, logits per ball, physics) depends on how the reds were numbered.
    """
    on_table, touching = np.int64(frame.on_table), np.int64(frame.touching)
    targets, near = np.int64(legal.targets), np.int64(legal.touching)
    for last in range(FIRST_RED + 1, FIRST_COLOUR):
        slot = last
        while slot > FIRST_RED:
            here, there = (on_table >> slot) & 1, (on_table >> (slot - 1)) & 1
            x, px = layout[slot, 0], layout[slot - 1, 0]
            ahead = x < px or (x == px and layout[slot, 1] < layout[slot - 1, 1])
            if here == 0 or (there != 0 and not ahead):
                break
            for axis in range(2):
                layout[slot, axis], layout[slot - 1, axis] = layout[slot - 1, axis], layout[slot, axis]
            on_table = _swap_bits(on_table, slot, slot - 1)
            touching = _swap_bits(touching, slot, slot - 1)
            targets = _swap_bits(targets, slot, slot - 1)
            near = _swap_bits(near, slot, slot - 1)
            slot -= 1
    frame.on_table = on_table
    frame.touching = touching
    legal.targets = targets
    legal.touching = near


@kernel(internal=True)
def settle(frame, layout, legal, cfg, table, task, allow_concede):
    """The next decision's permission, and the reds in canonical order.

    In solo practice the same side goes on after a miss or a foul, from where the balls lie and without the offers of
    articles 29 and 30.
    """
    if task.solo and frame.frame_over == 0:
        frame.striker = 0
        frame.free_ball = 0
        frame.after_foul = 0
        frame.transferable = 0
    legal_into(frame, layout, cfg, table, legal)
    if not allow_concede:
        legal.options = np.int64(legal.options) & ~CONCEDE_BIT
    sort_reds(frame, layout, legal)


@kernel(internal=True)
def finish(frame, layout, shot, decision, cfg, table, task, ruling, legal, before, aimed_at, made, allow_concede):
    """The referee's ruling on the step, and the situation that follows: same frame, next frame, or the end."""
    shot.made = 1 if made else 0
    shot.aimed_at = aimed_at
    if not made:
        shot.reported = 0
    shot.reported_side = NO_SIDE
    shot.reported_value = 0
    shot.moved = 0
    if made:
        stayed = np.int64(frame.on_table) & ~(np.int64(shot.potted) | np.int64(shot.off_table))
        shot.moved = moved_balls(before, layout, stayed, cfg.stalemate_tolerance)
    judge(frame, layout, shot, decision, cfg, table, ruling, legal)
    frame.rng_counter += np.uint64(1)
    if task.kind == POT_TASK:
        frame.frame_over = 1
    else:
        go_on(frame, layout, table, cfg, task, ruling)
    settle(frame, layout, legal, cfg, table, task, allow_concede)


@kernel
def finish_lanes(
    frames, layouts, shots, decisions, cfg, table, task, rulings, legals, befores, aims, lanes, playing, allow_concede
):
    """Finish the tables of ``lanes``; ``playing`` (increasing) are those that played a stroke."""
    k = 0
    for i in lanes:
        made = k < len(playing) and playing[k] == i
        if made:
            k += 1
        finish(
            frames[i], layouts[i], shots[i], decisions[i], cfg[0], table[0], task[0], rulings[i], legals[i],
            befores[i], aims[i], made, allow_concede,
        )  # fmt: skip


@kernel
def start_lanes(frames, layouts, table, cfg, task, legals, pots, lanes, allow_concede):
    """Start new episodes on the tables of ``lanes``."""
    for i in lanes:
        start_episode(frames[i], layouts[i], table[0], cfg[0], task[0], pots[0])
        settle(frames[i], layouts[i], legals[i], cfg[0], table[0], task[0], allow_concede)


@kernel
def settle_lanes(frames, layouts, cfg, table, task, legals, lanes, allow_concede):
    """Permissions of tables whose situation was set from outside."""
    for i in lanes:
        settle(frames[i], layouts[i], legals[i], cfg[0], table[0], task[0], allow_concede)
        remember_position(frames[i], layouts[i], cfg[0])
