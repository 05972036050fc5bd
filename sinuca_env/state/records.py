"""Record dtypes: the data that rooms hand to each other.

One record is one table; a batch is a structured array of them. Kernels take single records by reference. All sets of
balls are ``uint32`` with bit ``slot`` (see :mod:`sinuca_env.state.balls`), all sets of values have bit ``value``.

* ``STRIKE``   what the cue does (or the cue ball's state just after the hit);
* ``DECISION`` one step of the game: option, call, placement, strike;
* ``SHOT``     what happened on the table: all that the referee learns from the physics;
* ``FRAME``    the frame's situation, everything the rules need to remember;
* ``RULING``   the verdict on a stroke;
* ``LEGAL``    the permission: what the next striker may do.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

import numpy as np

__all__ = [
    "DECISION", "FRAME", "LEGAL", "NO_BALL", "NO_CALL", "NO_SIDE", "ON_COLOUR", "ON_RED", "POSITION", "RULING",
    "SHOT", "STRIKE", "Option", "Report", "ShotFlag", "Snooker",
]  # fmt: skip

NO_BALL = -1  # a slot
NO_CALL = 0  # a value
NO_SIDE = -1

ON_RED = 1
ON_COLOUR = 8
"""``FRAME.on``: 1 = red, 2..7 = that colour, 8 = any colour (after a red)."""


class Option(IntEnum):
    """What a step of the game may be. ``DECLINE`` transfers the break-off at the opening stroke (article 17)."""

    PLAY = 0
    FREE_BALL = 1
    DECLINE = 2
    CONCEDE = 3


class Snooker(IntEnum):
    """Article 8, in order of difficulty."""

    NONE = 0
    AGGRAVATED = 1
    PARTIAL = 2
    TOTAL = 3


class ShotFlag(IntFlag):
    """``SHOT.flags``: why a shot's record is not an ordinary one."""

    EVENT_LIMIT = 1
    TIME_LIMIT = 2
    MISCUE = 4
    NOT_FINITE = 8


class Report(IntFlag):
    """``SHOT.reported``: what people report to the referee (articles 40, 41, 42)."""

    DOUBLE_HIT = 1 << 0  # 40-II
    PUSH = 1 << 1  # 40-III
    BALL_TOUCHED = 1 << 2  # 40-V
    BALL_MOVING = 1 << 3  # 40-VI
    NOT_TIP = 1 << 4  # 40-VII
    NO_FOOT_ON_FLOOR = 1 << 5  # 40-VIII
    OTHER = 1 << 6  # 40-XVIII
    WRONG_CUE_BALL = 1 << 7  # 41-II
    OUTSIDE_D = 1 << 8  # 40-IX
    INTENTIONAL_FOUL = 1 << 9  # 42-I
    INTENTIONAL_JUMP = 1 << 10  # 42-II
    MISUSE = 1 << 11  # 42-III
    SLOW_PLAY = 1 << 12  # 42-IV
    OTHER_DISCIPLINARY = 1 << 13  # 42-V
    GRAVE = 1 << 14  # 37
    CONCESSION = 1 << 15  # 43-II, the frame
    MATCH_CONCESSION = 1 << 16  # 48-II
    DISQUALIFICATION = 1 << 17  # 48-IV
    BOTH_DISQUALIFIED = 1 << 18  # 49


STRIKE = np.dtype(
    [
        ("angle", "f8"),  # rad, direction of aim, counter-clockwise from +x
        ("speed", "f8"),  # m/s, of the cue
        ("side", "f8"),  # tip offset in R, left positive
        ("top", "f8"),  # tip offset in R, up positive
        ("elevation", "f8"),  # rad, of the cue
        ("direct", "u1"),  # 1: the cue ball starts with v and w below instead of being struck
        ("v", "f8", (3,)),  # m/s
        ("w", "f8", (3,)),  # rad/s
    ],
    align=True,
)

DECISION = np.dtype(
    [
        ("option", "i1"),  # Option
        ("call", "i1"),  # value called, NO_CALL = none given
        ("placement", "f8", (2,)),  # m, cue ball in hand; ignored otherwise
        ("strike", STRIKE),
    ],
    align=True,
)

SHOT = np.dtype(
    [
        ("first_contact", "u4"),  # balls hit at the first instant, empty = nothing hit
        ("potted", "u4"),  # set; the order is in pot_order
        ("pot_order", "i1", (22,)),  # slots in the order of falling, NO_BALL after the last
        ("pot_pocket", "i1", (22,)),  # pocket index of each entry of pot_order
        ("n_potted", "i1"),
        ("off_table", "u4"),  # left the table (needs flight)
        ("jumped", "u4"),  # balls that the cue ball jumped over before its target (needs flight)
        ("touching_before", "u4"),  # balls that the cue ball touched before the stroke
        ("touching_after", "u4"),  # and at rest
        ("moved_touching", "u4"),  # touching balls that the stroke itself moved
        ("moved", "u4"),  # object balls displaced by more than the stalemate tolerance, set by the game
        ("fell_at_rest", "u4"),  # balls that fell after they had come to rest, unhit: they are replaced (set by people)
        ("aimed_at", "i1"),  # slot met first along the aim line (evident call), NO_BALL = none
        ("made", "u1"),  # 0: a report without a stroke
        ("reported", "u4"),  # Report
        ("reported_side", "i1"),  # against whom; NO_SIDE = the striker
        ("reported_value", "i1"),  # value of the ball named in the report, 0 = none
        ("cushions", "i4"),  # cushion and jaw contacts of all balls
        ("cushions_before_contact", "i4"),  # of the cue ball before its first ball
        ("cushion_balls", "u4"),  # balls that met a cushion or jaw
        ("contacts", "i4"),  # ball-ball contacts
        ("events", "i4"),
        ("duration", "f8"),  # s, to rest
        ("flags", "u4"),  # ShotFlag
    ],
    align=True,
)

POSITION = np.dtype(
    [
        ("layout", "f8", (22, 2)),
        ("on_table", "u4"),
        ("touching", "u4"),
        ("on", "i1"),
        ("in_hand", "u1"),
        ("free_ball", "u1"),
        ("snooker", "u1"),
        ("snooker_confirmed", "u1"),
    ],
    align=True,
)
"""What a restored position consists of; written only under ``replace_after_miss``."""

FRAME = np.dtype(
    [
        ("reds", "i1"),  # with how many reds the frame is played: 6, 10, 15 (article 1)
        ("on_table", "u4"),  # balls in play; the cue ball's bit is set unless it is in hand
        ("on", "i1"),  # ON_RED, 2..7, ON_COLOUR
        ("scores", "i4", (2,)),
        ("striker", "i1"),
        ("breaker", "i1"),  # who breaks, or broke, this frame
        ("opening", "u1"),  # the break-off is still to be played; it may be transferred (17) while transferable
        ("transferable", "u1"),
        ("in_hand", "u1"),
        ("free_ball", "u1"),  # a free ball is offered to the striker
        ("after_foul", "u1"),  # the striker may still decline (29-IV)
        ("snooker", "u1"),  # Snooker of the striker before the stroke
        ("snooker_confirmed", "u1"),  # 0 after a decline: the state counts for 38, not for 41-IV
        ("touching", "u4"),  # balls that the cue ball touches (22)
        ("aggravated_count", "u1", (2,)),  # 38
        ("stalemate_count", "u1", (2,)),  # 46
        ("warned", "u1"),  # 46-I: the coming stroke must change the situation
        ("warnings", "u1", (2,)),  # disciplinary, last the match (36)
        ("complementary", "u1"),  # re-spotted black (45)
        ("frame_over", "u1"),
        ("winner", "i1"),  # NO_SIDE while none
        ("tied", "u1"),
        ("break_points", "i4"),  # of the visit in progress
        ("highest_break", "i4", (2,)),
        ("strokes", "i4"),  # made in this frame
        ("frames_won", "i2", (2,)),
        ("frame_number", "i2"),
        ("match_over", "u1"),
        ("match_winner", "i1"),
        ("players", "i1", (2,)),  # which player of each side is at the table (article 1)
        ("rng_key", "u8"),
        ("rng_counter", "u8"),
        ("restorable", "u1"),  # declining brings back the position before the miss (replace_after_miss)
        ("position", POSITION),  # before the coming stroke
        ("missed_from", POSITION),  # before the missed one
    ],
    align=True,
)

RULING = np.dtype(
    [
        ("articles", "u8"),  # bit n: article n applied
        ("fouls", "u8"),  # bit of rules.articles.FOUL_ITEMS: 40-I..XVIII, 41-I..IV, 42-I..V, 37
        ("striker", "i1"),  # who made the stroke
        ("offender", "i1"),  # NO_SIDE = no foul
        (
            "target",
            "i1",
        ),  # value to be hit first; 1 red, ON_COLOUR = any colour (no call); ball on if a free ball is played
        ("free_ball_played", "i1"),  # value of the colour played as free ball, 0 = none
        ("points", "i1"),  # to the striker for balls potted
        ("penalty", "i1"),  # to the offender's opponent
        ("scored", "u4"),  # balls potted that score
        ("respotted", "u4"),  # balls that return to the table
        ("returned_from", "u4"),  # balls that left the table for good in this stroke
        ("next_striker", "i1"),
        ("free_ball_offered", "u1"),
        ("may_decline", "u1"),
        ("snooker_after", "u1"),  # Snooker that the next striker faces
        ("first_obstacle", "u4"),
        ("snooker_laid", "u1"),  # a legal stroke left the opponent snookered
        ("target_missed", "u1"),  # the target was not hit first
        ("aggravated", "u1"),  # counted for 38
        ("frame_over", "u1"),
        ("winner", "i1"),
        ("tied", "u1"),
        ("void", "u1"),  # 46-III
        ("warned", "u1"),  # 46-I: warning given for the next stroke
        ("match_over", "u1"),
        ("match_winner", "i1"),
        ("break_ended", "i4"),  # points of the visit that this stroke ended, -1 = goes on
        ("next_on", "i1"),  # what the next striker is on
        ("call", "i1"),  # value called, or evident by the aim; NO_CALL = none
        ("called_free", "u1"),  # the call claims a free ball
        ("targets", "u4"),  # balls of which one had to be hit first
        ("may_fall", "u4"),  # balls that could fall without a foul
        ("involved", "u4"),  # balls involved in a foul (39)
        ("named_value", "i1"),  # value of the ball named in the report, 0 = none
    ],
    align=True,
)

LEGAL = np.dtype(
    [
        ("options", "u1"),  # bit Option
        ("calls", "u2"),  # set of values that may be called when playing on
        ("free_calls", "u2"),  # set of values that may be called as free ball
        ("call_needed", "u1"),  # a call is needed unless evident (19)
        ("placement", "u1"),  # the cue ball is in hand
        ("targets", "u4"),  # balls that may be hit first when playing on (all calls together)
        ("touching", "u4"),  # touching balls: play away, or leave unmoved (22)
    ],
    align=True,
)
