"""Articles 33 to 39: how much a foul costs, and what else it brings."""

from __future__ import annotations

import numpy as np

from sinuca_env.rules.articles import DISCIPLINARY_FOULS, F40_XIV, GRAVE_FOUL, VARIABLE_FOULS, article, cite
from sinuca_env.rules.definitions import CUE_BIT, standing_of
from sinuca_env.rules.facts import balls_hit_first, balls_off_table
from sinuca_env.rules.fouls import wrongly_potted_of
from sinuca_env.rules.parameters import FULL_FACE_MISS, MAXIMUM_PENALTY, MINIMUM_PENALTY, OFF
from sinuca_env.rules.touching import moved_touching_of
from sinuca_env.state.records import ON_COLOUR, Snooker

AGGRAVATED = int(Snooker.AGGRAVATED)
PARTIAL = int(Snooker.PARTIAL)
LOST_AT = 3  # aggravated fouls in a row, article 38-II
WARNINGS_LOST_AT = 2  # disciplinary fouls in a match, article 36-II


@article("35", "41", "42", "37")
def is_maximum_penalty(ruling):
    """An item of articles 41 or 42, or a grave foul, is among the codes."""
    return np.int64(ruling.fouls) & ~VARIABLE_FOULS != 0


@article("34-I-a")
def target_value_of(ruling):
    """Value of the target: of the ball on when a free ball is played, 0 when nobody knows it."""
    return 0 if ruling.target == ON_COLOUR else np.int64(ruling.target)


@article("34-I-b", "39")
def note_involved(frame, shot, ruling):
    """The balls involved in a foul.

    The ball hit first, a touching ball moved; a later contact counts where it is another foul (a ball wrongly potted,
    or off the table). A ball jumped over is not involved.
    """
    ruling.involved = (
        balls_hit_first(frame, shot, ruling)
        | moved_touching_of(frame, shot)
        | wrongly_potted_of(frame, shot, ruling)
        | (balls_off_table(frame, shot) & ~CUE_BIT)
    )
    ruling.named_value = shot.reported_value if shot.reported else 0


@article("34-I-b", "39")
def involved_value_of(ruling):
    """Value of the highest ball involved, the ball named in a report among them."""
    return max(standing_of(ruling, np.int64(ruling.involved)), np.int64(ruling.named_value))


@article("33", "34-I", "35-I")
def set_penalty(ruling):
    """One penalty per stroke, the highest of all its fouls."""
    if ruling.fouls == 0:
        return
    if is_maximum_penalty(ruling):
        cite(ruling, 35)
        ruling.penalty = MAXIMUM_PENALTY
        return
    target = target_value_of(ruling)
    involved = involved_value_of(ruling)
    cite(ruling, 34)
    if involved > max(target, MINIMUM_PENALTY):
        cite(ruling, 39)
    ruling.penalty = min(max(MINIMUM_PENALTY, max(target, involved)), MAXIMUM_PENALTY)


@article("29-I")
def credit(frame, ruling):
    """Points to the striker, the penalty to the offender's opponent."""
    frame.scores[ruling.striker] += np.int64(ruling.points)
    if ruling.fouls:
        frame.scores[1 - ruling.offender] += np.int64(ruling.penalty)


@article("38-I", "8-I-c")
def is_aggravated(frame, cfg, ruling):
    """The target was missed although a ball on could be hit: full in the face, or at all (``reachable_miss``)."""
    if cfg.aggravated_foul == OFF or ruling.offender != ruling.striker or ruling.fouls >> F40_XIV & 1 == 0:
        return False
    hardest = AGGRAVATED if cfg.aggravated_foul == FULL_FACE_MISS else PARTIAL
    return frame.snooker <= hardest


@article("38-I")
def count_aggravated(frame, shot, cfg, ruling):
    """Count such fouls in a row, each side on its own: any other stroke of the side starts again."""
    if shot.made == 0:
        return
    side = np.int64(ruling.striker)
    if is_aggravated(frame, cfg, ruling):
        ruling.aggravated = 1
        cite(ruling, 38)
        frame.aggravated_count[side] += 1
    else:
        frame.aggravated_count[side] = 0


@article("38-II", "43-III")
def is_third_aggravated(frame, ruling):
    """The third in a row loses the frame."""
    return ruling.aggravated != 0 and frame.aggravated_count[ruling.striker] >= LOST_AT


@article("36-I")
def is_disciplinary(ruling):
    """An item of article 42 is among the codes."""
    return np.int64(ruling.fouls) & DISCIPLINARY_FOULS != 0


@article("36-I")
def warn(frame, ruling):
    """A disciplinary foul is a warning that lasts the match."""
    if is_disciplinary(ruling):
        cite(ruling, 36)
        frame.warnings[ruling.offender] += 1


@article("36-II", "37-I", "48-III")
def is_match_lost_by_discipline(frame, ruling):
    """The second disciplinary foul of a match, or a grave one."""
    if ruling.fouls == 0:
        return False
    grave = np.int64(ruling.fouls) & GRAVE_FOUL != 0
    return grave or (is_disciplinary(ruling) and frame.warnings[ruling.offender] >= WARNINGS_LOST_AT)
