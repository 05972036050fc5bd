"""What the next striker may do: the ``LEGAL`` record, from the frame alone."""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article
from sinuca_env.rules.calls import callable_values_of
from sinuca_env.rules.definitions import balls_on, free_ball_values_of
from sinuca_env.state.records import ON_COLOUR, Option

PLAY = 1 << int(Option.PLAY)
FREE = 1 << int(Option.FREE_BALL)
DECLINE = 1 << int(Option.DECLINE)
CONCEDE = 1 << int(Option.CONCEDE)


@article("17", "29-IV")
def may_decline(frame):
    """Decline after the opponent's foul, or transfer the break-off that was won by lot."""
    return frame.after_foul != 0 or (frame.opening != 0 and frame.transferable != 0)


@article("29-III", "29-IV", "43-II")
def options_of(frame):
    """The set of options (bit ``Option``); empty once the frame is over."""
    if frame.frame_over:
        return 0
    options = PLAY | CONCEDE
    if frame.free_ball:
        options |= FREE
    if may_decline(frame):
        options |= DECLINE
    return options


@kernel
def legal_into(frame, layout, cfg, table, legal):
    """Fill the permission for the striker of ``frame``.

    ``calls`` are the values that may be called playing on, ``free_calls`` those of a free ball (empty where none is
    offered). A red or a single ball on needs no call (19). ``layout``, ``cfg`` and ``table`` are part of the joint; the
    permission follows from the frame, touching balls included (24).
    """
    legal.options = options_of(frame)
    legal.calls = 0
    legal.free_calls = 0
    legal.call_needed = 0
    legal.placement = 0
    legal.targets = 0
    legal.touching = 0
    if frame.frame_over:
        return
    on = np.int64(frame.on)
    on_table = np.int64(frame.on_table)
    legal.calls = callable_values_of(on_table, on)
    legal.free_calls = free_ball_values_of(on_table, on) if frame.free_ball else 0
    legal.call_needed = 1 if on == ON_COLOUR else 0
    legal.placement = frame.in_hand
    legal.targets = balls_on(on_table, on)
    legal.touching = frame.touching
