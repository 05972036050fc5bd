"""Articles 19, 20, 21: calling the target; cushions and pockets are free (nothing in the core looks at them)."""

from __future__ import annotations

import numpy as np

from sinuca_env.rules.articles import article, cite
from sinuca_env.rules.definitions import ball_of_value, balls_on, free_ball_values_of, values_of
from sinuca_env.rules.facts import is_foul_stroke
from sinuca_env.rules.parameters import BLACK_VALUE, EVIDENT
from sinuca_env.state.balls import value_of_slot
from sinuca_env.state.records import NO_CALL, ON_COLOUR, ON_RED, Option

FREE_BALL = int(Option.FREE_BALL)


@article("19")
def callable_values_of(on_table, on):
    """The values that may be called when playing on: red, the ball on, or every colour after a red."""
    if on == ON_COLOUR:
        return values_of(on_table)
    return 1 << on


@article("19")
def evident_value_of(shot, cfg):
    """The value of the ball met first along the aim line, where the rules let the aim speak; else NO_CALL."""
    slot = np.int64(shot.aimed_at)
    if cfg.call_mode != EVIDENT or slot <= 0:
        return NO_CALL
    return value_of_slot(slot)


@article("19", "30-II")
def hear_call(frame, shot, decision, cfg, ruling):
    """Write what was called into the ruling: the given call, else an evident one that may be made.

    With a free ball offered and no call given, a colour aimed at is the free ball.
    """
    on = np.int64(frame.on)
    on_table = np.int64(frame.on_table)
    call = np.int64(decision.call)
    claims_free = decision.option == FREE_BALL
    if call == NO_CALL:
        aimed = evident_value_of(shot, cfg)
        free = free_ball_values_of(on_table, on) if frame.free_ball or claims_free else 0
        if aimed != NO_CALL and free >> aimed & 1:
            call = aimed
            claims_free = True
        elif aimed != NO_CALL and on == ON_COLOUR and aimed != ON_RED and not claims_free:
            call = aimed
    ruling.call = call
    ruling.called_free = 1 if claims_free else 0
    if call != NO_CALL:
        cite(ruling, 19)


@article("40-XVII")
def is_call_missing(frame, shot, ruling):
    """Played without a call: a colour after a red, or a claimed free ball, was neither named nor evident."""
    return shot.made != 0 and ruling.call == NO_CALL and (frame.on == ON_COLOUR or ruling.called_free != 0)


@article("41-I", "4")
def is_callable(frame, ruling):
    """The called ball may be played now. Not so: a ball out of sequence, a free ball where none is offered, the ball
    on as free ball, and no call at all.
    """
    call = np.int64(ruling.call)
    on = np.int64(frame.on)
    on_table = np.int64(frame.on_table)
    if call <= NO_CALL or call > BLACK_VALUE:
        return False
    if ruling.called_free:
        return frame.free_ball != 0 and free_ball_values_of(on_table, on) >> call & 1 != 0
    return callable_values_of(on_table, on) >> call & 1 != 0


@article("41-I")
def is_wrong_call(frame, shot, ruling):
    """Played on a call that could not be made."""
    return shot.made != 0 and ruling.call != NO_CALL and not is_callable(frame, ruling)


@article("3", "4", "11-I", "19", "41-I")
def set_target(frame, ruling):
    """Which balls had to be hit first, and which may fall. After a wrong call the target is the ball on."""
    on = np.int64(frame.on)
    on_table = np.int64(frame.on_table)
    call = np.int64(ruling.call)
    right = is_callable(frame, ruling)
    ruling.target = on
    ruling.targets = balls_on(on_table, on)
    ruling.may_fall = ruling.targets
    if right and ruling.called_free:
        cite(ruling, 4)
        ruling.free_ball_played = call
        ruling.targets = ball_of_value(call)
        ruling.may_fall = balls_on(on_table, on) | ball_of_value(call)
    elif on == ON_COLOUR:
        if right:
            ruling.target = call
            ruling.targets = ball_of_value(call)
            ruling.may_fall = ruling.targets
    else:
        cite(ruling, 3)


@article("20")
def is_cushion_first(shot, ruling):
    """The cue ball met a cushion before the target: free, and it need not be called."""
    return shot.made != 0 and shot.cushions_before_contact > 0 and not is_foul_stroke(ruling)


@article("20", "21")
def note_free_ways(shot, ruling):
    """Any way to the target off cushions, and any pocket, is allowed: no rule looks at ``SHOT.pot_pocket``."""
    if is_cushion_first(shot, ruling):
        cite(ruling, 20)
    if ruling.scored:
        cite(ruling, 21)
