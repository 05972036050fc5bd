"""Articles 22, 23, 24: the touching ball. The positions tell it (22), nobody's eye; the permission carries it (24)."""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article, cite
from sinuca_env.rules.definitions import CUE_BIT
from sinuca_env.state.balls import FIRST_RED, N_SLOTS, has_ball


@article("22", "23")
def touching_balls_of(layout, on_table, cfg, table):
    """The balls within ``touching_tolerance`` of the resting cue ball."""
    touching = 0
    reach = 2.0 * table.ball_radius + cfg.touching_tolerance
    x = layout[0, 0]
    y = layout[0, 1]
    for slot in range(FIRST_RED, N_SLOTS):
        if has_ball(on_table, slot):
            dx = layout[slot, 0] - x
            dy = layout[slot, 1] - y
            if dx * dx + dy * dy <= reach * reach:
                touching |= 1 << slot
    return touching


@article("23", "24")
def note_touching_balls(frame, layout, shot, cfg, table, ruling):
    """Remember what the cue ball touches now; without positions the shot record's word is taken."""
    on_table = np.int64(frame.on_table)
    if on_table & CUE_BIT == 0:
        frame.touching = 0
    elif is_position_known(layout):
        frame.touching = touching_balls_of(layout, on_table, cfg, table)
    elif shot.made:
        frame.touching = np.int64(shot.touching_after) & on_table
    if frame.touching:
        cite(ruling, 23)
        cite(ruling, 24)


@article("22")
def note_touching_stroke(frame, shot, ruling):
    """The stroke was played from a touching ball."""
    if shot.made and frame.touching:
        cite(ruling, 22)


@kernel(internal=True)
def is_position_known(layout):
    """The cue ball lies somewhere (a frame may be ruled without positions)."""
    return math.isfinite(layout[0, 0])


@article("22-I", "22-II-b", "40-IV")
def moved_touching_of(frame, shot):
    """The touching balls that the stroke itself moved: also when another ball is the target."""
    if shot.made == 0:
        return 0
    return np.int64(shot.moved_touching) & np.int64(frame.on_table)


@article("22-II-a")
def is_touching_target(frame, ruling):
    """A ball that the cue ball touches is the target: it counts as hit."""
    return np.int64(frame.touching) & np.int64(ruling.targets) != 0
