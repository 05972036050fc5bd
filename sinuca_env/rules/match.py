"""Articles 48 and 49: how a match ends."""

from __future__ import annotations

import numpy as np

from sinuca_env.rules.articles import article, cite
from sinuca_env.rules.ending import accused_of, end_frame
from sinuca_env.rules.facts import is_reported
from sinuca_env.rules.penalties import is_match_lost_by_discipline
from sinuca_env.state.records import NO_SIDE, Report

MATCH_CONCESSION = int(Report.MATCH_CONCESSION)
DISQUALIFICATION = int(Report.DISQUALIFICATION)
BOTH_DISQUALIFIED = int(Report.BOTH_DISQUALIFIED)


@article("48")
def end_match(frame, ruling, winner):
    """The match is over, and the frame in progress with it."""
    cite(ruling, 48)
    end_frame(frame, ruling, winner)
    frame.tied = 0
    ruling.tied = 0
    frame.match_over = 1
    frame.match_winner = winner
    ruling.match_over = 1
    ruling.match_winner = winner


@article("48-I")
def is_enough_frames(frame, cfg, side):
    """The side has won the frames that the match needs."""
    return np.int64(frame.frames_won[side]) >= np.int64(cfg.frames_to_win)


@article("48-I")
def count_frame(frame, cfg, ruling):
    """A frame with a winner counts; the frame that reaches the needed number ends the match."""
    if ruling.frame_over == 0 or ruling.winner == NO_SIDE:
        return
    winner = np.int64(ruling.winner)
    frame.frames_won[winner] += 1
    if ruling.match_over == 0 and is_enough_frames(frame, cfg, winner):
        end_match(frame, ruling, winner)


@article("48-II", "48-IV")
def is_match_given_up(shot):
    """A side concedes the match or is disqualified from it."""
    return is_reported(shot, MATCH_CONCESSION) or is_reported(shot, DISQUALIFICATION)


@article("49")
def is_lost_by_both(shot):
    """Both sides were disqualified at once."""
    return is_reported(shot, BOTH_DISQUALIFIED)


@article("33", "36-II", "37-I", "48", "49")
def find_match_end(frame, shot, ruling):
    """Ends of the match other than by frames won, the gravest first."""
    if is_lost_by_both(shot):
        cite(ruling, 49)
        end_match(frame, ruling, NO_SIDE)
    elif is_match_given_up(shot):
        end_match(frame, ruling, 1 - accused_of(frame, shot))
    elif is_match_lost_by_discipline(frame, ruling):
        cite(ruling, 33)
        end_match(frame, ruling, 1 - np.int64(ruling.offender))
