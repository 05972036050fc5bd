"""Articles 16, 17, 18: how a frame and a complementary frame start, and whose break-off it is.

The draw itself (who wins it) is the game's: it has the random numbers. It calls ``start_frame`` with the winner.
"""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article
from sinuca_env.rules.restore import remember_position
from sinuca_env.state.balls import BLACK, N_SLOTS
from sinuca_env.state.records import NO_SIDE, ON_RED, Option, Snooker
from sinuca_env.table.layouts import rack

__all__ = ["next_frame", "restart_frame", "start_complementary", "start_frame"]

DECLINE = int(Option.DECLINE)
NONE = int(Snooker.NONE)
BLACK_VALUE = 7


@kernel(internal=True)
def clear_situation(frame, layout):
    """What every start has in common: nothing on the table, counts and offers empty. The match's fields stay."""
    for slot in range(N_SLOTS):
        layout[slot, 0] = np.nan
        layout[slot, 1] = np.nan
    frame.opening = 1
    frame.transferable = 0
    frame.in_hand = 1
    frame.free_ball = 0
    frame.after_foul = 0
    frame.snooker = NONE
    frame.snooker_confirmed = 1
    frame.touching = 0
    frame.warned = 0
    frame.restorable = 0
    frame.frame_over = 0
    frame.winner = NO_SIDE
    frame.tied = 0
    frame.break_points = 0
    for side in range(2):
        frame.aggravated_count[side] = 0
        frame.stalemate_count[side] = 0


@article("16-I", "16-II", "16-III", "17", entry=True)
def start_frame(frame, layout, table, cfg, breaker):
    """Balls on their spots, reds racked, cue ball in hand, scores 0; ``breaker`` has the break-off.

    He may transfer it in the first frame of a match (``frame.frame_number == 0``): he is who won the draw. Fields of
    the match (frames won, warnings, players' turns) and of the random stream are left alone.
    """
    clear_situation(frame, layout)
    frame.reds = cfg.reds
    frame.on_table = rack(layout, np.int64(cfg.reds), table)
    frame.on = ON_RED
    frame.striker = breaker
    frame.breaker = breaker
    frame.transferable = 1 if frame.frame_number == 0 else 0
    frame.complementary = 0
    frame.strokes = 0
    for side in range(2):
        frame.scores[side] = 0
        frame.highest_break[side] = 0
    remember_position(frame, layout, cfg)


@article("46-III", "17", entry=True)
def restart_frame(frame, layout, table, cfg):
    """A void frame starts again with the same breaker; there is no new draw, so nothing to transfer."""
    start_frame(frame, layout, table, cfg, frame.breaker)
    frame.transferable = 0


@article("17", entry=True)
def next_frame(frame, layout, table, cfg):
    """The next frame of the match: the break-off alternates."""
    frame.frame_number += 1
    start_frame(frame, layout, table, cfg, 1 - np.int64(frame.breaker))


@article("18", "45", entry=True)
def start_complementary(frame, layout, table, first):
    """The re-spotted black: black on its spot, cue ball in hand, ``first`` won the draw and may make the other play.

    Scores stay (equal); the alternation of break-offs is not touched.
    """
    clear_situation(frame, layout)
    layout[BLACK, 0] = table.spots[BLACK_VALUE, 0]
    layout[BLACK, 1] = table.spots[BLACK_VALUE, 1]
    frame.on_table = 1 << BLACK
    frame.on = BLACK_VALUE
    frame.striker = first
    frame.transferable = 1
    frame.complementary = 1


@article("17", "18")
def is_transfer(frame, decision):
    """The winner of the draw makes the other side break."""
    return decision.option == DECLINE and frame.opening != 0 and frame.transferable != 0


@article("17", "18")
def transfer(frame):
    """The other side breaks and cannot refuse; a complementary frame leaves the alternation as it is."""
    frame.striker = 1 - np.int64(frame.striker)
    frame.transferable = 0
    if frame.complementary == 0:
        frame.breaker = frame.striker
