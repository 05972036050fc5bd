"""What the shot record says about this table, read once and for all: a report without a stroke has no contacts."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.definitions import CUE_BIT
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS
from sinuca_env.state.records import NO_SIDE

OBJECT_BALLS = ALL_REDS | ALL_COLOURS


@kernel(internal=True)
def balls_hit_first(frame, shot, ruling):
    """The balls hit first: a touching ball that is a target counts as hit before anything else (22-II-a)."""
    if shot.made == 0:
        return 0
    touched = np.int64(frame.touching) & np.int64(ruling.targets)
    return touched if touched else np.int64(shot.first_contact) & OBJECT_BALLS


@kernel(internal=True)
def balls_potted(frame, shot):
    """The balls that fell by the stroke, the cue ball included; one that fell from rest, unhit, is replaced."""
    if shot.made == 0:
        return 0
    return np.int64(shot.potted) & (np.int64(frame.on_table) | CUE_BIT) & ~np.int64(shot.fell_at_rest)


@kernel(internal=True)
def balls_off_table(frame, shot):
    """The balls that left the table over its edge."""
    if shot.made == 0:
        return 0
    return np.int64(shot.off_table) & (np.int64(frame.on_table) | CUE_BIT)


@kernel(internal=True)
def balls_gone(frame, shot):
    """All balls that are not on the table any more when they have come to rest."""
    return balls_potted(frame, shot) | balls_off_table(frame, shot)


@kernel(internal=True)
def is_against_opponent(frame, shot):
    """The report is against the side that is not at the table."""
    side = np.int64(shot.reported_side)
    return shot.reported != 0 and side != NO_SIDE and side != np.int64(frame.striker)


@kernel(internal=True)
def is_foul_stroke(ruling):
    """The striker committed a foul (a report against the other side leaves his stroke lawful)."""
    return ruling.offender == ruling.striker


@kernel(inline=True)
def is_reported(shot, report):
    """People reported it."""
    return np.int64(shot.reported) & report != 0
