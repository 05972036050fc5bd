"""Articles 40, 41, 42: one function per item; whether each was committed, nothing else.

All items are looked at on every stroke: the codes stand together, the penalty is one (``penalties.py``).
"""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import (
    DISCIPLINARY_FOULS,
    F40_XIV,
    F40_XVI,
    F40_XVII,
    F41_III,
    GRAVE_FOUL,
    MAXIMUM_FOULS,
    VARIABLE_FOULS,
    article,
    cite,
    item,
)
from sinuca_env.rules.definitions import CUE_BIT, is_single
from sinuca_env.rules.facts import (
    OBJECT_BALLS,
    balls_hit_first,
    balls_off_table,
    balls_potted,
    is_against_opponent,
    is_foul_stroke,
    is_reported,
)
from sinuca_env.rules.parameters import MAXIMUM, VARIABLE
from sinuca_env.rules.play import is_lowest_colour
from sinuca_env.rules.touching import is_touching_target, moved_touching_of
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS
from sinuca_env.state.records import NO_CALL, NO_SIDE, ON_COLOUR, Report, Snooker

TOTAL = int(Snooker.TOTAL)
DOUBLE_HIT = int(Report.DOUBLE_HIT)
PUSH = int(Report.PUSH)
BALL_TOUCHED = int(Report.BALL_TOUCHED)
BALL_MOVING = int(Report.BALL_MOVING)
NOT_TIP = int(Report.NOT_TIP)
NO_FOOT_ON_FLOOR = int(Report.NO_FOOT_ON_FLOOR)
OTHER = int(Report.OTHER)
WRONG_CUE_BALL = int(Report.WRONG_CUE_BALL)
OUTSIDE_D = int(Report.OUTSIDE_D)
INTENTIONAL_FOUL = int(Report.INTENTIONAL_FOUL)
INTENTIONAL_JUMP = int(Report.INTENTIONAL_JUMP)
MISUSE = int(Report.MISUSE)
SLOW_PLAY = int(Report.SLOW_PLAY)
OTHER_DISCIPLINARY = int(Report.OTHER_DISCIPLINARY)
GRAVE = int(Report.GRAVE)


@article("40-I")
def is_cue_ball_potted(frame, shot):
    """The cue ball fell into a pocket."""
    return balls_potted(frame, shot) & CUE_BIT != 0


@article("40-II")
def is_double_hit(shot):
    """The cue met the cue ball more than once."""
    return is_reported(shot, DOUBLE_HIT)


@article("40-III")
def is_push(shot):
    """The cue pushed the cue ball instead of striking it."""
    return is_reported(shot, PUSH)


@article("40-IV")
def is_touching_ball_moved(frame, shot):
    """The stroke itself moved a ball that rested against the cue ball."""
    return moved_touching_of(frame, shot) != 0


@article("40-V")
def is_ball_touched(shot):
    """Somebody touched a ball with hand, clothes or cue."""
    return is_reported(shot, BALL_TOUCHED)


@article("40-VI")
def is_ball_moving(shot):
    """Played while a ball moved or had not been put back."""
    return is_reported(shot, BALL_MOVING)


@article("40-VII")
def is_not_with_tip(shot):
    """Played with another part of the cue than its tip."""
    return is_reported(shot, NOT_TIP)


@article("40-VIII")
def is_no_foot_on_floor(shot):
    """Played without a foot on the floor."""
    return is_reported(shot, NO_FOOT_ON_FLOOR)


@article("40-IX")
def is_outside_d(shot):
    """Played in hand from outside the D."""
    return is_reported(shot, OUTSIDE_D)


@article("40-X")
def is_ball_off_table(frame, shot):
    """A ball left the table."""
    return balls_off_table(frame, shot) != 0


@article("40-XI")
def is_jump(frame, shot, ruling):
    """The cue ball jumped over a ball before it hit the target; 42-II instead when it was meant."""
    jumped = shot.made != 0 and np.int64(shot.jumped) & OBJECT_BALLS != 0
    return jumped and not is_reported(shot, INTENTIONAL_JUMP) and not is_touching_target(frame, ruling)


@kernel(internal=True)
def wrongly_potted_of(frame, shot, ruling):
    """The object balls that fell although this stroke may not pot them.

    Where nobody knows which colour was meant, one colour may fall, several may not.
    """
    potted = balls_potted(frame, shot) & OBJECT_BALLS
    colours = potted & ALL_COLOURS
    if ruling.target == ON_COLOUR and colours and not is_single(colours):
        return potted
    return potted & ~np.int64(ruling.may_fall)


@article("40-XII")
def is_wrong_colour_potted(frame, shot, ruling):
    """A colour fell that was neither target nor ball on; a red that falls wrongly is 40-XIII."""
    return wrongly_potted_of(frame, shot, ruling) & ALL_COLOURS != 0


@article("40-XIII")
def is_on_and_colour_confused(frame, shot, ruling):
    """A ball on fell while a colour was played, or a colour while the ball on (or a free ball) was.

    While a colour is played the reds are the balls on, or, when none is left, the lowest colour.
    """
    wrong = wrongly_potted_of(frame, shot, ruling)
    if frame.on != ON_COLOUR:
        return wrong != 0
    return wrong & ALL_REDS != 0 or (ruling.target != ON_COLOUR and is_lowest_colour(np.int64(frame.on_table), wrong))


@article("40-XIV")
def is_target_missed(frame, shot, ruling):
    """No target was among the balls hit first: another ball was, or none."""
    return shot.made != 0 and balls_hit_first(frame, shot, ruling) & np.int64(ruling.targets) == 0


@article("40-XV")
def is_hit_at_once(frame, shot, ruling):
    """Two balls were hit first at the same instant, other than reds only, or free ball and ball on."""
    first = balls_hit_first(frame, shot, ruling)
    if first == 0 or is_single(first) or first & ~ALL_REDS == 0 or is_touching_target(frame, ruling):
        return False
    return ruling.free_ball_played == 0 or first & ~np.int64(ruling.may_fall) != 0


@article("40-XVIII")
def is_other_foul(shot):
    """A foul of the sport's other regulations."""
    return is_reported(shot, OTHER)


@article("41-II")
def is_wrong_cue_ball(shot):
    """A ball other than the white was struck."""
    return is_reported(shot, WRONG_CUE_BALL)


@article("41-III")
def is_foul_before_call(frame, shot, ruling, fouls):
    """After a red, with no colour called or evident, another foul was committed."""
    return frame.on == ON_COLOUR and fouls >> F40_XVII & 1 != 0 and fouls & ~(1 << F40_XVII) != 0


@article("41-IV")
def is_foul_from_total_snooker(frame, shot, cfg, ruling):
    """A foul on the stroke from a confirmed total snooker, unless a free ball gave a lawful way out."""
    if (
        not is_foul_stroke(ruling)
        or shot.made == 0
        or frame.snooker != TOTAL
        or frame.snooker_confirmed == 0
        or frame.free_ball
    ):
        return False
    if cfg.total_snooker_foul == VARIABLE:
        return False
    return cfg.total_snooker_foul == MAXIMUM or ruling.fouls >> F40_XIV & 1 != 0


@article("42-I")
def is_intentional_foul(shot):
    """A foul on purpose."""
    return is_reported(shot, INTENTIONAL_FOUL)


@article("42-II")
def is_intentional_jump(shot):
    """A jump on purpose."""
    return is_reported(shot, INTENTIONAL_JUMP)


@article("42-III")
def is_misuse(shot):
    """A ball used for something else than play."""
    return is_reported(shot, MISUSE)


@article("42-IV")
def is_slow_play(shot):
    """More time taken than usual."""
    return is_reported(shot, SLOW_PLAY)


@article("42-V")
def is_other_disciplinary(shot):
    """Another act that the regulations list as disciplinary."""
    return is_reported(shot, OTHER_DISCIPLINARY)


@article("37")
def is_grave(shot):
    """A grave disciplinary foul."""
    return is_reported(shot, GRAVE)


@article("41-III")
def is_report_before_call(frame, shot, ruling):
    """Reported between a potted red and the call of a colour, no stroke made."""
    return shot.made == 0 and frame.on == ON_COLOUR and ruling.call == NO_CALL


@article("29", "41-III")
def join_fouls(frame, shot, ruling, of_play, by_report):
    """Whose fouls, and all their codes together.

    A report against the other side counts on its own; together with a foul stroke it is dropped (one penalty per
    stroke). A technical foul reported before the call is 41-III alone.
    """
    striker = np.int64(ruling.striker)
    if is_against_opponent(frame, shot):
        ruling.fouls = of_play if of_play else by_report
        ruling.offender = striker if of_play else 1 - striker
    elif is_report_before_call(frame, shot, ruling):
        technical = by_report & (VARIABLE_FOULS | MAXIMUM_FOULS)
        ruling.fouls = (by_report & ~technical) | item(F41_III, technical != 0)
        ruling.offender = striker
    else:
        ruling.fouls = of_play | by_report
        ruling.offender = striker
    if ruling.offender == striker:
        fouls = np.int64(ruling.fouls)
        ruling.fouls = fouls | item(F41_III, is_foul_before_call(frame, shot, ruling, fouls))
    if ruling.fouls == 0:
        ruling.offender = NO_SIDE


@kernel(internal=True)
def add_foul(ruling, bit, committed):
    """Add one item committed by the striker."""
    if committed:
        ruling.fouls = np.int64(ruling.fouls) | 1 << bit
        ruling.offender = ruling.striker


@article("40", "41", "42")
def close_fouls(ruling):
    """The articles of the listed items."""
    fouls = np.int64(ruling.fouls)
    ruling.target_missed = 1 if fouls >> F40_XIV & 1 else 0
    if fouls & VARIABLE_FOULS:
        cite(ruling, 40)
    if fouls & MAXIMUM_FOULS:
        cite(ruling, 41)
    if fouls & DISCIPLINARY_FOULS:
        cite(ruling, 42)
    if fouls & GRAVE_FOUL:
        cite(ruling, 37)
    if fouls >> F40_XVI & 1 and ruling.free_ball_played:
        cite(ruling, 32)
