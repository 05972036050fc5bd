"""The generator of candidate strokes: what a player would think of in this situation, in a stable order.

Direct pots (with variants of speed and spin), safety contacts, kicks off one cushion, break-offs and the choices after
a foul, each with the call and the placement that it needs and an analytic chance and score. No stroke is simulated;
strokes of which geometry foresees a foul (the cue ball straight into a pocket) are left out or put last.

The order is by option, then kind, ball, pocket and variant, so that equal situations give equal lists.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.game.placement import is_free
from sinuca_env.game.potting import (
    CUE_CLEAR,
    OBJECT_CLEAR,
    POSSIBLE,
    POT,
    pot_chance,
    pot_into,
)
from sinuca_env.game.rng import STREAM_POLICY, uniform_pair
from sinuca_env.game.strokes import clear_strike, contact_stroke, kick_stroke, pot_stroke
from sinuca_env.state.balls import CUE, FIRST_COLOUR, N_SLOTS, value_of_slot
from sinuca_env.state.records import DECISION, ON_COLOUR, ON_RED, Option, Snooker
from sinuca_env.table.spec import N_LINES, N_POCKETS

__all__ = ["CANDIDATE", "KINDS", "MAX_CANDIDATES", "generate", "scratch"]

KINDS = ("direct", "combination", "cushion", "kick", "safety", "break_off", "decline", "any")
DIRECT, COMBINATION, CUSHION, KICK, SAFETY, BREAK_OFF, CHOICE, ANY = range(8)
MAX_CANDIDATES = 256
PLAY, FREE_BALL, DECLINE = int(Option.PLAY), int(Option.FREE_BALL), int(Option.DECLINE)
PARTIAL = int(Snooker.PARTIAL)
FREE_LINES = POSSIBLE | OBJECT_CLEAR | CUE_CLEAR

CANDIDATE = np.dtype(
    [
        ("kind", "i1"),  # index in KINDS
        ("ball", "i1"),  # slot that is to be hit first; NO_BALL for a choice without a stroke
        ("pocket", "i1"),  # -1 if none is meant
        ("chance", "f8"),  # analytic chance that the pot falls, 0 for other kinds
        ("score", "f8"),  # rough value in points for choosing without simulation
        ("decision", DECISION),
    ],
    align=True,
)

_TOPS = np.array([0.0, -0.3, 0.3, -0.45, 0.45, -0.15, 0.15])
_HARDER = np.array([0, 2, 4, 6, 8, 1, 3])
_MANY = 9  # up to so many variants three tops and three speeds, above five of each or more
_FOR_POTS = 200  # candidates that pots may take
_THICKNESS = np.array([0.0, 0.5, -0.5, 0.85, -0.85])
_D_RINGS, _D_RAYS = 4, 9
_MIN_CHANCE = 0.02
_MISS_COST = 2.5  # points that a missed pot gives away on average, a guess


def scratch() -> tuple[np.ndarray, np.ndarray]:
    """Working memory of :func:`generate` for one thread: a layout and one ``POT`` row."""
    return np.zeros((N_SLOTS, 2)), np.zeros(1, POT)


@kernel
def _d_place(k, table):
    """The k-th point of a grid over the D, its middle first; ``_D_RINGS * _D_RAYS`` of them."""
    ring, ray = k // _D_RAYS, k % _D_RAYS
    # Rays in the order middle, left, right, ...; rings from the arc inwards, the last on the baulk line's middle.
    spread = (ray + 1) // 2 * (1.0 if ray % 2 else -1.0) / ((_D_RAYS - 1) // 2)
    turn = math.pi + 0.5 * math.pi * spread
    r = table.d_radius * (1.0 - 1e-9) * (_D_RINGS - ring) / _D_RINGS
    return min(table.baulk_x + r * math.cos(turn), table.baulk_x), r * math.sin(turn)


@kernel
def _value(frame, ball, option):
    """Points of a legal pot of ``ball`` (article 4: a free ball has the ball on's value)."""
    if option == FREE_BALL:
        return 1 if frame.on == ON_RED or frame.on == ON_COLOUR else np.int64(frame.on)
    return value_of_slot(ball)


@kernel
def _pot_score(frame, ball, option, chance, in_off):
    """Expected points, roughly: what it brings now, what a red opens, what a miss costs."""
    gain = _value(frame, ball, option) + (3.5 if frame.on == ON_RED else 1.0)
    score = chance * gain - (1.0 - chance) * _MISS_COST
    return score - (8.0 * chance if in_off else 0.0)


@kernel
def _open(c, ball, option, layout):
    """Start a candidate: the ball it is about, the cue ball's place, a stroke to be filled in.

    Arguments of one type only (no constants): each new combination of types would be compiled again.
    """
    c.ball, c.pocket = ball, -1
    c.chance, c.score = 0.0, 0.0
    c.decision.option = option
    c.decision.call = value_of_slot(ball) if ball > 0 else 0
    c.decision.placement[0] = layout[CUE, 0]
    c.decision.placement[1] = layout[CUE, 1]


@kernel
def _place_for_pot(layout, on_table, table, ball, pocket, pot):
    """Move the cue ball in hand to the place of the D's grid from which the pot has the widest aim."""
    best, bx, by = 0.0, math.nan, math.nan
    for k in range(_D_RINGS * _D_RAYS):
        x, y = _d_place(k, table)
        if not is_free(x, y, layout, on_table, table.ball_radius):
            continue
        pot_into(layout, on_table, x, y, table, ball, pocket, pot)
        if pot.flags == FREE_LINES and pot.aim_half > best:
            best, bx, by = pot.aim_half, x, y
        if pot.flags & OBJECT_CLEAR == 0:
            break  # not from anywhere
    layout[CUE, 0], layout[CUE, 1] = bx, by
    return best > 0.0


@kernel
def _count_pots(frame, layout, targets, table, sigma, pot):
    """How many direct pots there are."""
    on_table, count = np.int64(frame.on_table), 0
    for ball in range(1, N_SLOTS):
        if (targets >> ball) & 1 == 0:
            continue
        for pocket in range(N_POCKETS):
            if frame.in_hand and not _place_for_pot(layout, on_table, table, ball, pocket, pot):
                continue
            pot_into(layout, on_table, layout[CUE, 0], layout[CUE, 1], table, ball, pocket, pot)
            count += pot.flags == FREE_LINES and pot_chance(pot.aim_half, sigma) >= _MIN_CHANCE
    return count


@kernel
def _direct(frame, layout, targets, option, table, p, sigma, variants, first_only, pot, out, n):
    """Pots of the target itself; with ``first_only`` other spins only where the cue ball would follow down a pocket.

    With so many pots that their variants would not fit, each gets fewer.
    """
    on_table = np.int64(frame.on_table)
    if not first_only:
        pots = _count_pots(frame, layout, targets, table, sigma, pot)
        variants = min(variants, max(_FOR_POTS // max(pots, 1), 1))
    tops = 3 if variants <= _MANY else 5 if variants <= 25 else 7
    for ball in range(1, N_SLOTS):
        if (targets >> ball) & 1 == 0:
            continue
        for pocket in range(N_POCKETS):
            if frame.in_hand and not _place_for_pot(layout, on_table, table, ball, pocket, pot):
                continue
            pot_into(layout, on_table, layout[CUE, 0], layout[CUE, 1], table, ball, pocket, pot)
            chance = pot_chance(pot.aim_half, sigma)
            if pot.flags != FREE_LINES or chance < _MIN_CHANCE:
                continue
            for k in range(variants):
                if n >= MAX_CANDIDATES:
                    return n
                c = out[n]
                _open(c, ball, option, layout)
                c.kind = DIRECT
                c.pocket = pocket
                top, harder = _TOPS[k % tops], _HARDER[min(k // tops, 6)]
                ok, in_off = pot_stroke(
                    layout, on_table, table, p, ball, pot.direction, pot.run, top, 0.0, harder, c.decision.strike
                )
                if not ok:
                    continue
                c.chance = chance
                c.score = _pot_score(frame, ball, option, chance, in_off) - 0.01 * k
                n += 1
                if not in_off and first_only:
                    break
    return n


@kernel
def _contacts(frame, layout, targets, option, table, p, out, n):
    """Safety: hit a target softly, full or on a side."""
    on_table = np.int64(frame.on_table)
    for ball in range(1, N_SLOTS):
        if (targets >> ball) & 1 == 0:
            continue
        for j in range(_THICKNESS.shape[0]):
            places = _D_RINGS * _D_RAYS if frame.in_hand else 1
            for k in range(places):
                if frame.in_hand:
                    layout[CUE, 0], layout[CUE, 1] = _d_place(k, table)
                    if not is_free(layout[CUE, 0], layout[CUE, 1], layout, on_table, table.ball_radius):
                        continue
                if n >= MAX_CANDIDATES:
                    return n
                c = out[n]
                _open(c, ball, option, layout)
                c.kind = SAFETY
                distance = math.hypot(layout[ball, 0] - layout[CUE, 0], layout[ball, 1] - layout[CUE, 1])
                # Reaches the ball with 0.6 to 1.2 m/s: rolling costs v^2 = 2 mu g d.
                speed = 0.7 * math.sqrt(0.5 + abs(_THICKNESS[j]) + 2.0 * p.mu_roll * p.gravity * distance * 2.0)
                ok, in_off, _ = contact_stroke(
                    layout, on_table, table, p, ball, _THICKNESS[j], speed, 0.0, c.decision.strike
                )
                if not ok:
                    continue
                c.score = -0.8 - 0.1 * distance - 0.05 * abs(_THICKNESS[j]) - (6.0 if in_off else 0.0)
                n += 1
                break
    return n


@kernel
def _kicks(frame, layout, targets, option, table, p, out, n):
    """One cushion, where no straight way leads to a target."""
    on_table = np.int64(frame.on_table)
    tried = 0
    for ball in range(1, N_SLOTS):
        if (targets >> ball) & 1 == 0:
            continue
        for line in range(N_LINES):
            for hard in range(2):
                if n >= MAX_CANDIDATES or tried >= 120:
                    return n
                tried += 1
                c = out[n]
                _open(c, ball, option, layout)
                c.kind = KICK
                if kick_stroke(layout, on_table, table, p, ball, line, 0.0, 1.6 + 1.2 * hard, c.decision.strike):
                    c.score = (
                        -2.0
                        - 0.1 * hard
                        - 0.2 * math.hypot(layout[ball, 0] - layout[CUE, 0], layout[ball, 1] - layout[CUE, 1])
                    )
                    n += 1
    return n


@kernel
def _play_away(frame, layout, targets, table, p, out, n):
    """A touching ball that may be the target counts as hit (22): roll away from it, to where nothing stands."""
    touching = np.int64(frame.touching) & targets
    on_table = np.int64(frame.on_table)
    for ball in range(1, N_SLOTS):
        if (touching >> ball) & 1 == 0:
            continue
        away = math.atan2(layout[CUE, 1] - layout[ball, 1], layout[CUE, 0] - layout[ball, 0])
        for k in range(5):
            if n >= MAX_CANDIDATES:
                return n
            c = out[n]
            _open(c, ball, np.int64(PLAY), layout)
            c.kind = SAFETY
            clear_strike(c.decision.strike)
            c.decision.strike.angle = away + (k + 1) // 2 * (0.35 if k % 2 else -0.35)
            c.decision.strike.speed = 0.9
            c.score = -0.9 - 0.02 * k - 0.5 * _blocked(layout, on_table, c.decision.strike.angle, table)
            n += 1
    return n


@kernel
def _blocked(layout, on_table, angle, table):
    """1 if another ball lies within 0.6 m on the way."""
    ux, uy = math.cos(angle), math.sin(angle)
    for slot in range(1, N_SLOTS):
        if (on_table >> slot) & 1:
            dx, dy = layout[slot, 0] - layout[CUE, 0], layout[slot, 1] - layout[CUE, 1]
            along = dx * ux + dy * uy
            if 0.0 < along < 0.6 and abs(dy * ux - dx * uy) < 2.0 * table.ball_radius:
                return 1.0
    return 0.0


@kernel
def _break_offs(frame, layout, table, p, out, n):
    """The break: from between brown and a corner of the D thinly on the far corner red of that side, and back."""
    on_table = np.int64(frame.on_table)
    for side in (1.0, -1.0):
        corner, reach = np.int64(-1), -1.0
        for ball in range(1, FIRST_COLOUR):
            if (on_table >> ball) & 1 and side * layout[ball, 1] + layout[ball, 0] > reach:
                corner, reach = np.int64(ball), side * layout[ball, 1] + layout[ball, 0]
        if corner < 0:
            continue
        for k in range(6):
            if n >= MAX_CANDIDATES:
                return n
            # No two breaks are alike: place, thickness and speed are drawn anew in each frame.
            u, v = uniform_pair(frame.rng_key, frame.rng_counter, STREAM_POLICY, 100 + k)
            layout[CUE, 0], layout[CUE, 1] = table.baulk_x, side * table.d_radius * (0.45 + 0.4 * u)
            c = out[n]
            _open(c, corner, np.int64(PLAY), layout)
            c.kind = BREAK_OFF
            thickness = side * (0.9 - 0.12 * (k // 2) - 0.05 * v)
            speed = 2.6 + 0.5 * (k % 2) + 0.2 * u
            ok, in_off, _ = contact_stroke(layout, on_table, table, p, corner, thickness, speed, 0.0, c.decision.strike)
            if ok:
                c.score = -0.5 - 0.1 * k - 0.01 * v - (5.0 if in_off else 0.0)
                n += 1
    return n


@kernel
def _anything(frame, layout, targets, option, table, p, out, n):
    """When geometry finds no way at all: hard in the direction of the nearest target."""
    near, ball = math.inf, np.int64(-1)
    if frame.in_hand:
        layout[CUE, 0], layout[CUE, 1] = table.baulk_x - 0.5 * table.d_radius, 0.0
        for k in range(_D_RINGS * _D_RAYS):
            x, y = _d_place(k, table)
            if is_free(x, y, layout, np.int64(frame.on_table), table.ball_radius):
                layout[CUE, 0], layout[CUE, 1] = x, y
                break
    for slot in range(1, N_SLOTS):
        if (targets >> slot) & 1:
            d = math.hypot(layout[slot, 0] - layout[CUE, 0], layout[slot, 1] - layout[CUE, 1])
            if d < near:
                near, ball = d, np.int64(slot)
    c = out[n]
    _open(c, ball, option, layout)
    c.kind = ANY
    clear_strike(c.decision.strike)
    if ball > 0:
        c.decision.strike.angle = math.atan2(layout[ball, 1] - layout[CUE, 1], layout[ball, 0] - layout[CUE, 0])
    c.decision.strike.speed = 3.0
    c.score = -6.0
    return n + 1


@kernel
def points_on_table(on_table, on):
    """An upper estimate of what is left to score: each red 8, the colours once (article 6)."""
    reds, total = 0, 0
    for slot in range(1, N_SLOTS):
        if (on_table >> slot) & 1:
            if slot < FIRST_COLOUR:
                reds += 1
            else:
                total += value_of_slot(slot)
    return total + 8 * reds + (7 if on == ON_COLOUR else 0)


@kernel
def _decline(frame, layout, out, n):
    """Make the offender play again: good when the situation is a snooker, until the lead cannot be lost any more."""
    c = out[n]
    _open(c, np.int64(-1), np.int64(DECLINE), layout)
    c.kind = CHOICE
    clear_strike(c.decision.strike)
    side = np.int64(frame.striker)
    lead = frame.scores[side] - frame.scores[1 - side]
    safe = lead > points_on_table(np.int64(frame.on_table), frame.on)
    c.score = -1.5 if frame.snooker >= PARTIAL and not frame.opening and not safe else -20.0
    return n + 1


@kernel
def generate(frame, layout, legal, table, p, sigma, variants, first_only, place, pot, out):
    """Write the candidates of one situation.

    Args:
        frame: ``FRAME`` record, not over.
        layout: (22, 2) m.
        legal: ``LEGAL`` record.
        table: ``TABLE`` record.
        p: ``PHYSICS`` record.
        sigma: standard deviation of the direction that chances are computed for, rad.
        variants: strokes per pot, at most: 9 are three tops (stun, draw, follow) of three speeds, 25 five of five, 49
            seven of seven.
        first_only: stop at the first variant of a pot that does not send the cue ball straight into a pocket.
        place: (22, 2) working memory.
        pot: ``POT`` record, working memory.
        out: (MAX_CANDIDATES,) ``CANDIDATE`` records.

    Returns:
        How many there are, at least 1.
    """
    place[:] = layout
    n = 0
    if (legal.options >> DECLINE) & 1:
        n = _decline(frame, place, out, n)
    breaking = frame.opening != 0 and frame.on == ON_RED
    if breaking:
        n = _break_offs(frame, place, table, p, out, n)
    for option in (PLAY, FREE_BALL):
        if (np.int64(legal.options) >> option) & 1 == 0:
            continue
        targets = np.int64(legal.targets) if option == PLAY else (np.int64(legal.free_calls) >> 2) << FIRST_COLOUR
        targets &= np.int64(frame.on_table)
        if not breaking:
            n = _direct(frame, place, targets, option, table, p, sigma, variants, first_only, pot, out, n)
        before = n
        if option == PLAY and frame.in_hand == 0:
            n = _play_away(frame, place, targets, table, p, out, n)
        if not breaking or n == 0:
            n = _contacts(frame, place, targets, option, table, p, out, n)
        if n == before and frame.in_hand == 0 and option == PLAY:
            n = _kicks(frame, place, targets, option, table, p, out, n)
        if n == before and n < MAX_CANDIDATES and option == PLAY:
            n = _anything(frame, place, targets, option, table, p, out, n)
    return n
