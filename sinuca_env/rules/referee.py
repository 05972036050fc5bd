"""The referee: a table of contents. Its order is the order of precedence; what decides stands in the theme files.

    judge -> a stroke, or a report without one | declining, transferring the break-off | conceding

A stroke: what was called (19) -> its fouls (40, 41, 42) -> points (13, 14) -> balls that return (12, 25-28) -> who is
next and on what (11, 29) -> the snooker he faces (8) -> the snooker that is a foul itself (32, 40-XVI) -> the penalty
(34, 35) -> counts (36, 38, 46) -> ends (43-49) -> the offer after a foul (29, 30) -> the frame's new situation.
"""

from __future__ import annotations

import numpy as np

from sinuca_env._jit import kernel
from sinuca_env.rules import articles as law
from sinuca_env.rules import fouls
from sinuca_env.rules.after_foul import is_snooker_behind_played_ball, next_striker_of, note_free_ball_potted, offer
from sinuca_env.rules.articles import item
from sinuca_env.rules.calls import hear_call, is_call_missing, is_wrong_call, note_free_ways, set_target
from sinuca_env.rules.ending import count_stalemate, find_end, lead_of, warn_of_stalemate
from sinuca_env.rules.legality import legal_into
from sinuca_env.rules.match import count_frame, find_match_end
from sinuca_env.rules.penalties import count_aggravated, credit, note_involved, set_penalty, warn
from sinuca_env.rules.play import next_on_of, note_safety, remove_balls, score
from sinuca_env.rules.report import report
from sinuca_env.rules.restore import note_restorable, remember_position
from sinuca_env.rules.situation import (
    apply_to_frame,
    begin_ruling,
    close_visit,
    decide_without_stroke,
    find_snooker,
    is_layout_known,
    is_stroke_or_report,
    note_snooker_laid,
    return_balls,
)
from sinuca_env.rules.touching import note_touching_balls, note_touching_stroke

__all__ = ["judge", "report"]


@kernel(internal=True)
def fouls_of_play(frame, shot, ruling):
    """The fouls that the table and the call show (40, 41)."""
    return (
        item(law.F40_I, fouls.is_cue_ball_potted(frame, shot))
        | item(law.F40_IV, fouls.is_touching_ball_moved(frame, shot))
        | item(law.F40_X, fouls.is_ball_off_table(frame, shot))
        | item(law.F40_XI, fouls.is_jump(frame, shot, ruling))
        | item(law.F40_XII, fouls.is_wrong_colour_potted(frame, shot, ruling))
        | item(law.F40_XIII, fouls.is_on_and_colour_confused(frame, shot, ruling))
        | item(law.F40_XIV, fouls.is_target_missed(frame, shot, ruling))
        | item(law.F40_XV, fouls.is_hit_at_once(frame, shot, ruling))
        | item(law.F40_XVII, is_call_missing(frame, shot, ruling))
        | item(law.F41_I, is_wrong_call(frame, shot, ruling))
    )


@kernel(internal=True)
def fouls_by_report(shot):
    """The fouls that people report (37, 40, 41, 42)."""
    return (
        item(law.F40_II, fouls.is_double_hit(shot))
        | item(law.F40_III, fouls.is_push(shot))
        | item(law.F40_V, fouls.is_ball_touched(shot))
        | item(law.F40_VI, fouls.is_ball_moving(shot))
        | item(law.F40_VII, fouls.is_not_with_tip(shot))
        | item(law.F40_VIII, fouls.is_no_foot_on_floor(shot))
        | item(law.F40_IX, fouls.is_outside_d(shot))
        | item(law.F40_XVIII, fouls.is_other_foul(shot))
        | item(law.F41_II, fouls.is_wrong_cue_ball(shot))
        | item(law.F42_I, fouls.is_intentional_foul(shot))
        | item(law.F42_II, fouls.is_intentional_jump(shot))
        | item(law.F42_III, fouls.is_misuse(shot))
        | item(law.F42_IV, fouls.is_slow_play(shot))
        | item(law.F42_V, fouls.is_other_disciplinary(shot))
        | item(law.F37, fouls.is_grave(shot))
    )


@kernel(internal=True)
def judge_stroke(frame, layout, shot, decision, cfg, table, ruling):
    """Rule on a stroke, or on a report without one."""
    before = np.int64(frame.on_table)
    lead_before = lead_of(frame)
    hear_call(frame, shot, decision, cfg, ruling)
    set_target(frame, ruling)
    note_touching_stroke(frame, shot, ruling)

    fouls.join_fouls(frame, shot, ruling, fouls_of_play(frame, shot, ruling), fouls_by_report(shot))
    note_involved(frame, shot, ruling)
    score(frame, shot, ruling)
    note_safety(shot, ruling)
    note_free_ways(shot, ruling)
    note_free_ball_potted(ruling)

    remove_balls(frame, shot, ruling)
    known = is_layout_known(frame, layout)
    return_balls(frame, layout, cfg, table, ruling)
    note_touching_balls(frame, layout, shot, cfg, table, ruling)

    ruling.next_striker = next_striker_of(shot, ruling)
    ruling.next_on = next_on_of(frame, shot, ruling)
    find_snooker(frame, layout, shot, table, known, ruling)

    fouls.add_foul(ruling, law.F40_XVI, is_snooker_behind_played_ball(frame, before, ruling))
    fouls.add_foul(ruling, law.F41_IV, fouls.is_foul_from_total_snooker(frame, shot, cfg, ruling))
    fouls.close_fouls(ruling)
    note_snooker_laid(ruling)
    set_penalty(ruling)
    credit(frame, ruling)

    warn(frame, ruling)
    count_aggravated(frame, shot, cfg, ruling)
    count_stalemate(frame, shot, ruling)
    find_end(frame, shot, cfg, before, lead_before, ruling)
    find_match_end(frame, shot, ruling)

    offer(frame, shot, cfg, ruling)
    warn_of_stalemate(frame, ruling)
    close_visit(frame, cfg, ruling)
    note_restorable(frame, cfg, ruling)
    apply_to_frame(frame, shot, ruling)


@kernel
def judge(frame, layout, shot, decision, cfg, table, ruling, legal):
    """Rule on one decision and what came of it; then say what the next striker may do.

    Updates ``frame`` and ``layout`` (balls that return) in place, fills ``ruling`` and ``legal``. A stroke outside the
    permission is ruled as the foul it is. After the end of a frame nothing changes any more: the game starts the next
    one (``start_frame``, ``restart_frame``, ``start_complementary``).
    """
    begin_ruling(frame, ruling)
    if frame.frame_over == 0:
        if is_stroke_or_report(decision, shot):
            judge_stroke(frame, layout, shot, decision, cfg, table, ruling)
        else:
            decide_without_stroke(frame, layout, decision, cfg, ruling)
        count_frame(frame, cfg, ruling)
        remember_position(frame, layout, cfg)
    legal_into(frame, layout, cfg, table, legal)
