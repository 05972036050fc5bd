"""Articles 15 and 25, exception: a position restored to play a missed stroke again (``replace_after_miss``).

Two positions are kept in the frame: the one before the coming stroke, and the one before the last miss.
"""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article
from sinuca_env.state.balls import N_SLOTS


@kernel(internal=True)
def copy_layout(source, target):
    """Copy positions (a loop: assigning slices costs seconds of compilation)."""
    for slot in range(N_SLOTS):
        target[slot, 0] = source[slot, 0]
        target[slot, 1] = source[slot, 1]


@kernel(internal=True)
def copy_position(source, target):
    """Copy a ``POSITION`` field by field (kernels cannot assign nested records)."""
    copy_layout(source.layout, target.layout)
    target.on_table = source.on_table
    target.touching = source.touching
    target.on = source.on
    target.in_hand = source.in_hand
    target.free_ball = source.free_ball
    target.snooker = source.snooker
    target.snooker_confirmed = source.snooker_confirmed


@article("15", "25")
def note_restorable(frame, cfg, ruling):
    """After a foul that missed the target the position before it may be asked for again."""
    frame.restorable = 0
    if cfg.replace_after_miss and ruling.may_decline and ruling.target_missed:
        copy_position(frame.position, frame.missed_from)
        frame.restorable = 1


@article("15", "25")
def remember_position(frame, layout, cfg):
    """Keep the position before the coming stroke."""
    if cfg.replace_after_miss == 0:
        return
    kept = frame.position
    copy_layout(layout, kept.layout)
    kept.on_table = frame.on_table
    kept.touching = frame.touching
    kept.on = frame.on
    kept.in_hand = frame.in_hand
    kept.free_ball = frame.free_ball
    kept.snooker = frame.snooker
    kept.snooker_confirmed = frame.snooker_confirmed


@article("15", "25")
def restore_position(frame, layout):
    """The table, reds and target included, as before the miss; scores and counts stay.

    Declining offers the offender no free ball, also not the one he had: then the snooker that it made up for is not
    confirmed for 41-IV.
    """
    kept = frame.missed_from
    copy_layout(kept.layout, layout)
    if kept.in_hand:
        layout[0, 0] = np.nan
        layout[0, 1] = np.nan
    frame.on_table = kept.on_table
    frame.touching = kept.touching
    frame.on = kept.on
    frame.in_hand = kept.in_hand
    frame.free_ball = 0
    frame.snooker = kept.snooker
    frame.snooker_confirmed = 1 if kept.snooker_confirmed and kept.free_ball == 0 else 0
    frame.restorable = 0
