"""Articles 43 to 47: how a frame ends."""

from __future__ import annotations

import numpy as np

from sinuca_env.rules.articles import article, cite
from sinuca_env.rules.facts import is_reported
from sinuca_env.rules.parameters import OFF
from sinuca_env.rules.penalties import is_third_aggravated
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, BLACK, PINK
from sinuca_env.state.records import NO_SIDE, ON_COLOUR, ON_RED, Report

CONCESSION = int(Report.CONCESSION)

BLACK_BIT, PINK_BIT = 1 << BLACK, 1 << PINK
BLACK_LEAD = 7  # points, articles 43-I and 44
EARLY_END_LEADS = (0, 0, 35, 33, 30, 26, 21, 7)
"""Article 47 by ball on: a lead over this ends the frame (the law says 8 for the black, which is over 7)."""
VOID_AT = 3  # strokes of one side without change, article 46


@article("43")
def end_frame(frame, ruling, winner):
    """The frame is over; NO_SIDE and a tie, or NO_SIDE and nobody (46, 49)."""
    ruling.frame_over = 1
    ruling.winner = winner
    frame.frame_over = 1
    frame.winner = winner


@article("45", "44-I")
def tie_frame(frame, ruling):
    """Equal points at the end: a complementary frame decides."""
    end_frame(frame, ruling, NO_SIDE)
    ruling.tied = 1
    frame.tied = 1
    cite(ruling, 45)


@article("43-I")
def leader_of(frame):
    """The side ahead, NO_SIDE at equal points."""
    if frame.scores[0] == frame.scores[1]:
        return NO_SIDE
    return 0 if frame.scores[0] > frame.scores[1] else 1


@article("43-I")
def lead_of(frame):
    """Points between the sides."""
    return abs(np.int64(frame.scores[0]) - np.int64(frame.scores[1]))


@article("43-I")
def is_black_down(ruling):
    """The black stays down for good."""
    return np.int64(ruling.returned_from) & BLACK_BIT != 0


@article("43-I")
def is_pink_down_with_lead(frame, ruling):
    """The pink stays down for good and the lead is over what the black is worth."""
    return np.int64(ruling.returned_from) & PINK_BIT != 0 and lead_of(frame) > BLACK_LEAD


@article("44")
def is_black_only(on_table):
    """Only cue ball and black are left."""
    return on_table & (ALL_REDS | ALL_COLOURS) == BLACK_BIT


@article("44-II")
def is_lost_by_foul_on_black(before, lead_before, ruling):
    """A foul with only the black left and less than 7 points between the sides loses."""
    return ruling.fouls != 0 and is_black_only(before) and lead_before < BLACK_LEAD


@article("44-I")
def is_tied_on_black(frame, before, ruling):
    """With only the black left the points have become equal, by pot or by foul."""
    return is_black_only(before) and (ruling.fouls != 0 or is_black_down(ruling)) and leader_of(frame) == NO_SIDE


@article("47")
def is_out_of_reach(frame, cfg, ruling):
    """Only colours are left, the one after the last red is played, and the lead is over the highest break plus 8."""
    on = np.int64(ruling.next_on)
    if cfg.early_end == OFF or on in (ON_RED, ON_COLOUR):
        return False
    return lead_of(frame) > EARLY_END_LEADS[on]


@article("43-II")
def concede(frame, ruling, side):
    """A side gives the frame up; the scores stay."""
    cite(ruling, 43)
    end_frame(frame, ruling, 1 - side)


@article("43-II", "48-II")
def accused_of(frame, shot):
    """The side that a report is against: the one named, else the striker's."""
    side = np.int64(shot.reported_side)
    return np.int64(frame.striker) if side == NO_SIDE else side


@article("43", "44", "47")
def find_end(frame, shot, cfg, before, lead_before, ruling):
    """The first of these that holds ends the frame.

    Order: a void frame, a concession, the third aggravated foul (it goes before a tie), the black lost by a foul, the
    tie on the black, the black down, the pink down with a lead, the lead out of reach.
    """
    if ruling.void:
        end_frame(frame, ruling, NO_SIDE)
    elif is_reported(shot, CONCESSION):
        concede(frame, ruling, accused_of(frame, shot))
    elif is_third_aggravated(frame, ruling):
        cite(ruling, 43)
        end_frame(frame, ruling, 1 - np.int64(ruling.offender))
    elif is_lost_by_foul_on_black(before, lead_before, ruling):
        cite(ruling, 44)
        end_frame(frame, ruling, 1 - np.int64(ruling.offender))
    elif is_tied_on_black(frame, before, ruling):
        cite(ruling, 44)
        tie_frame(frame, ruling)
    elif is_black_down(ruling) or is_pink_down_with_lead(frame, ruling):
        cite(ruling, 43)
        end_frame(frame, ruling, leader_of(frame))
    elif is_out_of_reach(frame, cfg, ruling):
        cite(ruling, 47)
        end_frame(frame, ruling, leader_of(frame))


@article("46")
def is_unchanged(shot, ruling):
    """A stroke after which score and position are as before: nothing fell and no object ball moved."""
    quiet = ruling.points == 0 and ruling.penalty == 0 and ruling.respotted == 0 and ruling.returned_from == 0
    return shot.made != 0 and quiet and shot.moved == 0


@article("46", "46-II", "46-III")
def count_stalemate(frame, shot, ruling):
    """Count such strokes in a row, each side on its own; any change starts both counts again. The third voids."""
    if shot.made == 0:
        return
    side = np.int64(ruling.striker)
    if is_unchanged(shot, ruling):
        frame.stalemate_count[side] += 1
    else:
        frame.stalemate_count[0] = 0
        frame.stalemate_count[1] = 0
    if frame.stalemate_count[side] >= VOID_AT:
        cite(ruling, 46)
        ruling.void = 1


@article("46-I")
def warn_of_stalemate(frame, ruling):
    """Before a side's third such stroke the referee warns: that stroke must change the situation."""
    warned = 1 if ruling.frame_over == 0 and frame.stalemate_count[ruling.next_striker] == VOID_AT - 1 else 0
    frame.warned = warned
    ruling.warned = warned
    if warned:
        cite(ruling, 46)
