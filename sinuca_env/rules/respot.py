"""Articles 25 to 28: returning balls. First version: every ball on its own spot."""

from sinuca_env._jit import kernel


@kernel
def respot(layout, on_table, returning, cue_in_hand, towards_top, table):
    """Put the returning balls on the table; the new set of balls on it."""
    for slot in range(21, 15, -1):
        if (returning >> slot) & 1:
            layout[slot, 0] = table.spots[slot - 14, 0]
            layout[slot, 1] = table.spots[slot - 14, 1]
    return on_table | returning
