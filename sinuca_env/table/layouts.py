"""Layouts: the rack of article 16, spots, random positions for tests, tasks and measurements.

A layout is a ``(22, 2)`` float64 array of positions in metres by slot; a ball that is not on the table is NaN.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.state.balls import ALL_COLOURS, CUE, FIRST_RED, N_SLOTS, reds_mask
from sinuca_env.state.errors import SinucaError
from sinuca_env.table.spec import TableSpec, table_spec

__all__ = [
    "APEX_GAP", "RACK_GAP", "RACK_SIZES", "balls_in_layout", "empty_layout", "rack", "rack_into", "rack_layout",
    "random_layout", "smallest_gap",
]  # fmt: skip

RACK_SIZES = (6, 10, 15)
"""Reds that make a triangle (article 1)."""

APEX_GAP = 2e-5  # m, between pink and the apex: twice the touching tolerance, so they do not touch (article 16-II)
RACK_GAP = 1e-5  # m, between racked reds: united to the eye (article 16-I), apart to rounding


@kernel
def rack_into(layout, reds, table, gap):
    """Write a frame's starting position (article 16) and return the set of balls on the table.

    Colours on their spots, reds in a tight triangle behind the pink: apex towards the pink, as close as it can be
    without touching, base towards the black. The cue ball is in hand: its row is NaN, as are the rows of unused reds.

    Args:
        layout: (22, 2), overwritten.
        reds: 6, 10 or 15; slots 1..reds are used, row by row from the apex.
        table: TABLE record.
        gap: between neighbouring reds, m.
    """
    for slot in range(N_SLOTS):
        layout[slot, 0] = np.nan
        layout[slot, 1] = np.nan
    for value in range(2, 8):
        layout[value + 14, 0] = table.spots[value, 0]
        layout[value + 14, 1] = table.spots[value, 1]
    pitch = 2.0 * table.ball_radius + gap
    apex = table.spots[6, 0] + 2.0 * table.ball_radius + APEX_GAP
    slot = FIRST_RED
    row = 0
    while slot <= reds:
        for k in range(row + 1):
            layout[slot, 0] = apex + row * pitch * math.sqrt(0.75)
            layout[slot, 1] = (k - row / 2) * pitch
            slot += 1
        row += 1
    return (((1 << reds) - 1) << FIRST_RED) | ALL_COLOURS


@kernel
def rack(layout, reds, table):
    """:func:`rack_into` with the usual gap."""
    return rack_into(layout, reds, table, RACK_GAP)


def empty_layout() -> np.ndarray:
    """A layout without balls: (22, 2) of NaN."""
    return np.full((N_SLOTS, 2), np.nan)


def balls_in_layout(layout: np.ndarray) -> int:
    """The set of balls that have a position."""
    return sum(1 << slot for slot in range(N_SLOTS) if np.isfinite(layout[slot]).all())


def rack_layout(reds: int = 15, table: str | TableSpec = "snooker_12ft", gap: float = RACK_GAP) -> np.ndarray:
    """The starting position of a frame as a new (22, 2) array (cue ball in hand: NaN).

    Raises:
        SinucaError: reds that make no triangle, an unknown table, a gap that is negative or over 10 mm.
    """
    if reds not in RACK_SIZES or isinstance(reds, bool):
        raise SinucaError(f"reds: {reds!r} (article 1): one of {', '.join(map(str, RACK_SIZES))}")
    if not 0.0 <= gap <= 0.01:
        raise SinucaError(f"rack_gap: {gap!r}: a number from 0 to 0.01 m")
    spec = table_spec(table)
    layout = empty_layout()
    rack_into(layout, reds, records(spec.record)[0], gap)
    return layout


def random_layout(
    seed: int | np.random.Generator,
    reds: int = 15,
    colours: str | tuple[int, ...] = (2, 3, 4, 5, 6, 7),
    *,
    table: str | TableSpec = "snooker_12ft",
    cue: bool = True,
    on_spots: bool = False,
    clearance: float = 1e-4,
) -> np.ndarray:
    """Balls anywhere on the cloth, none nearer than ``clearance`` to another or to a cushion.

    Args:
        seed: of the layout, or a generator that goes on.
        reds: how many reds, 0..15 (slots 1..reds).
        colours: values of the colours on the table, ``(2, 7)`` or ``"27"``.
        table: name or spec.
        cue: whether the cue ball is placed too.
        on_spots: colours on their spots instead of anywhere.
        clearance: smallest gap, m.

    Returns:
        (22, 2) positions, NaN where there is no ball.

    Raises:
        SinucaError: numbers of balls that cannot be.
    """
    if not 0 <= reds <= 15:
        raise SinucaError(f"reds: {reds!r}: a whole number from 0 to 15")
    values = sorted({int(value) for value in colours})
    if any(not 2 <= value <= 7 for value in values):
        raise SinucaError(f"colours: {colours!r}: values from 2 to 7")
    rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
    spec = table_spec(table)
    layout = empty_layout()
    slots = [value + 14 for value in values]
    if on_spots:
        layout[slots] = spec.record["spots"][0][values]
        slots = []
    slots += [slot for slot in range(1, N_SLOTS) if (reds_mask(reds) >> slot) & 1]
    if cue:
        slots.append(CUE)
    reach = np.array([spec.length, spec.width]) / 2 - spec.ball_radius - clearance
    apart = 2 * spec.ball_radius + clearance
    for slot in slots:
        while True:
            place = rng.uniform(-reach, reach)
            # A NaN row compares false: only balls that are there are in the way.
            if not (np.hypot(*(layout - place).T) < apart).any():
                break
        layout[slot] = place
    return layout


def smallest_gap(layout: np.ndarray, table: str | TableSpec = "snooker_12ft") -> float:
    """Gap of the two nearest balls (m); negative where balls overlap, infinite with fewer than two."""
    balls = layout[np.isfinite(layout).all(axis=1)]
    if len(balls) < 2:
        return math.inf
    distances = np.hypot(*(balls[:, None] - balls[None]).transpose(2, 0, 1))
    distances[np.diag_indices(len(balls))] = math.inf
    return float(distances.min()) - 2 * table_spec(table).ball_radius
