"""Steps of the referee between the articles: opening a ruling, the geometry it asks for, the frame's next situation."""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules.articles import article, cite
from sinuca_env.rules.definitions import CUE_BIT, balls_on, next_player_of
from sinuca_env.rules.ending import concede
from sinuca_env.rules.facts import OBJECT_BALLS, is_foul_stroke
from sinuca_env.rules.opening import is_transfer, transfer
from sinuca_env.rules.parameters import TOP
from sinuca_env.rules.respot import respot
from sinuca_env.rules.restore import restore_position
from sinuca_env.rules.snooker import snooker_state
from sinuca_env.state.balls import N_SLOTS, count_balls, has_ball
from sinuca_env.state.records import NO_CALL, NO_SIDE, ON_RED, Option, Snooker

NONE = int(Snooker.NONE)
DECLINE = int(Option.DECLINE)
CONCEDE = int(Option.CONCEDE)
ON_SPOT = 1e-9  # m


@kernel(internal=True)
def begin_ruling(frame, ruling):
    """An empty ruling on this frame."""
    ruling.articles = 0
    ruling.fouls = 0
    ruling.striker = frame.striker
    ruling.offender = NO_SIDE
    ruling.target = frame.on
    ruling.free_ball_played = 0
    ruling.points = 0
    ruling.penalty = 0
    ruling.scored = 0
    ruling.respotted = 0
    ruling.returned_from = 0
    ruling.first_obstacle = 0
    ruling.snooker_laid = 0
    ruling.target_missed = 0
    ruling.aggravated = 0
    ruling.frame_over = frame.frame_over
    ruling.winner = frame.winner
    ruling.tied = frame.tied
    ruling.void = 0
    ruling.match_over = frame.match_over
    ruling.match_winner = frame.match_winner
    ruling.break_ended = -1
    ruling.call = NO_CALL
    ruling.called_free = 0
    ruling.targets = 0
    ruling.may_fall = 0
    ruling.involved = 0
    ruling.named_value = 0
    tell_situation(frame, ruling)


@kernel(internal=True)
def tell_situation(frame, ruling):
    """Copy the frame's situation into the ruling's answers about the next stroke."""
    ruling.next_striker = frame.striker
    ruling.next_on = frame.on
    ruling.free_ball_offered = frame.free_ball
    ruling.may_decline = frame.after_foul
    ruling.snooker_after = frame.snooker
    ruling.warned = frame.warned


@kernel(internal=True)
def is_situation_kept(shot, ruling):
    """No stroke was made and the striker did nothing wrong: he goes on from the same situation."""
    return shot.made == 0 and ruling.offender != ruling.striker


@kernel(internal=True)
def is_layout_known(frame, layout):
    """Whether positions are given at all (a frame can be ruled without): those of the cue ball, or of any other."""
    on_table = np.int64(frame.on_table)
    if on_table & CUE_BIT:
        return math.isfinite(layout[0, 0])
    for slot in range(1, N_SLOTS):
        if has_ball(on_table, slot):
            return math.isfinite(layout[slot, 0])
    return True


@article("25", "26", "27", "28")
def return_balls(frame, layout, cfg, table, ruling):
    """Put the returning balls back on the table and say which articles placed them."""
    returning = np.int64(ruling.respotted)
    if returning == 0:
        return
    on_table = np.int64(frame.on_table)
    frame.on_table = respot(layout, on_table, returning, frame.in_hand, cfg.respot_towards == TOP, table)
    if count_balls(returning) > 1:
        cite(ruling, 28)
    for slot in range(16, N_SLOTS):
        if has_ball(returning, slot):
            cite(ruling, placing_article_of(layout, slot, cfg, table))


@article("25", "26", "27")
def placing_article_of(layout, slot, cfg, table):
    """Which article put the ball where it lies: 25 a spot, 26 the line towards the top, 27 the other way."""
    for value in range(2, 8):
        dx = layout[slot, 0] - table.spots[value, 0]
        dy = layout[slot, 1] - table.spots[value, 1]
        if abs(dx) <= ON_SPOT and abs(dy) <= ON_SPOT:
            return 25
    towards_top = layout[slot, 0] > table.spots[slot - 14, 0]
    return 26 if towards_top == (cfg.respot_towards == TOP) else 27


@article("8", "9", "22")
def find_snooker(frame, layout, shot, table, known, ruling):
    """The snooker that the next striker faces; a cue ball that touches a ball on is not snookered."""
    if is_situation_kept(shot, ruling):
        return
    on = np.int64(ruling.next_on)
    on_table = np.int64(frame.on_table)
    ruling.snooker_after = NONE
    if not known or on == 0:
        return
    if np.int64(frame.touching) & balls_on(on_table, on):
        cite(ruling, 22)
        return
    level, obstacle = snooker_state(layout, on_table, on, frame.in_hand, table)
    ruling.snooker_after = level
    ruling.first_obstacle = obstacle & OBJECT_BALLS
    if on == ON_RED:
        cite(ruling, 9)
    if level != NONE:
        cite(ruling, 8)


@article("8-II-a", "8-II-b")
def note_snooker_laid(ruling):
    """A lawful stroke left the opponent snookered."""
    if not is_foul_stroke(ruling) and ruling.snooker_after != NONE and ruling.next_striker != ruling.striker:
        ruling.snooker_laid = 1


@kernel(internal=True)
def is_stroke_or_report(decision, shot):
    """The decision is a stroke, or people reported something; else it declines or concedes."""
    return (decision.option != DECLINE and decision.option != CONCEDE) or shot.reported != 0


@article("29-IV")
def is_decline(frame, decision):
    """The side that suffered the foul makes the offender play again."""
    return decision.option == DECLINE and frame.after_foul != 0


@article("29-IV")
def decline(frame, layout, cfg, ruling):
    """The offending player himself plays from the position left, with no free ball and nothing to decline.

    His own snooker is not confirmed for 41-IV, but it is the state before his stroke for 38. Under
    ``replace_after_miss`` a miss is played again from the position before it, with all that went with that position.
    """
    offender = 1 - np.int64(frame.striker)
    players = np.int64(cfg.players_per_side[offender])
    cite(ruling, 29)
    frame.striker = offender
    frame.players[offender] = (np.int64(frame.players[offender]) + players - 1) % players
    frame.after_foul = 0
    frame.free_ball = 0
    frame.snooker_confirmed = 0
    frame.warned = 0
    if frame.restorable:
        restore_position(frame, layout)
        cite(ruling, 15)
        cite(ruling, 25)
    tell_situation(frame, ruling)


@kernel(internal=True)
def decide_without_stroke(frame, layout, decision, cfg, ruling):
    """Decline, transfer the break-off or concede; a refusal that nobody has a right to changes nothing."""
    if decision.option == CONCEDE:
        concede(frame, ruling, np.int64(frame.striker))
    elif is_transfer(frame, decision):
        transfer(frame)
        cite(ruling, 18 if frame.complementary else 17)
        tell_situation(frame, ruling)
    elif is_decline(frame, decision):
        decline(frame, layout, cfg, ruling)


@article("1-I")
def close_visit(frame, cfg, ruling):
    """Points of the visit; when it ends, the next player of the side is named for its next one."""
    side = np.int64(ruling.striker)
    frame.break_points += np.int64(ruling.points)
    if frame.break_points > frame.highest_break[side]:
        frame.highest_break[side] = frame.break_points
    if ruling.next_striker == side and ruling.frame_over == 0:
        return
    ruling.break_ended = frame.break_points
    frame.break_points = 0
    frame.players[side] = next_player_of(frame, cfg, side)
    if cfg.players_per_side[side] > 1:
        cite(ruling, 1)


@kernel(internal=True)
def apply_to_frame(frame, shot, ruling):
    """Make the ruling's answers the frame's situation."""
    frame.strokes += 1 if shot.made else 0
    if shot.made or ruling.offender == ruling.striker:
        frame.transferable = 0
    if shot.made and frame.opening:
        frame.opening = 0
        cite(ruling, 18 if frame.complementary else 16)
    frame.striker = ruling.next_striker
    frame.on = ruling.next_on
    frame.free_ball = ruling.free_ball_offered
    frame.after_foul = ruling.may_decline
    frame.snooker = ruling.snooker_after
    if not is_situation_kept(shot, ruling):
        frame.snooker_confirmed = 1
