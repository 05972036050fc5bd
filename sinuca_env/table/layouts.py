"""Start positions. First version: colours on their spots, reds in a triangle behind the pink."""

import math

from sinuca_env._jit import kernel

RACK_GAP = 5e-5  # m


@kernel
def rack(layout, reds, table):
    """Write the starting position of a frame with this many reds (cue ball's row untouched)."""
    for value in range(2, 8):
        layout[value + 14, 0] = table.spots[value, 0]
        layout[value + 14, 1] = table.spots[value, 1]
    pitch = 2.0 * table.ball_radius + RACK_GAP
    slot = 1
    row = 0
    while slot <= reds:
        for k in range(row + 1):
            layout[slot, 0] = table.spots[1, 0] + RACK_GAP + row * pitch * math.sqrt(0.75)
            layout[slot, 1] = (k - row / 2) * pitch
            slot += 1
        row += 1
