"""Articles 8 and 9: snooker. First version: the answer is always NONE."""

from sinuca_env._jit import kernel


@kernel
def snooker_state(layout, on_table, target, in_hand, table):
    """(level, first obstacles) of the cue ball's view of the target."""
    return 0, 0
