"""The census: every discrete situation the referee can be asked about, with invariants and counts.

    frame situation x call x balls hit first x balls potted x what else happened

Counts per article, foul item, penalty and ending are frozen in ``census.json``; a change of behaviour shows as a diff.
``python tests/rules/census.py --write`` counts anew (a few seconds with JIT).
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.rules import empty_shot, rules_config
from sinuca_env.rules.articles import ARTICLES, FOUL_ITEMS, VARIABLE_FOULS
from sinuca_env.rules.definitions import ball_on_of
from sinuca_env.rules.referee import judge
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS, balls_from_names, colours_mask, count_balls, reds_mask
from sinuca_env.state.records import DECISION, FRAME, LEGAL, ON_COLOUR, ON_RED, RULING, Option, Report, Snooker
from sinuca_env.table.spec import table_spec

FROZEN = Path(__file__).with_name("census.json")
INVARIANTS = (
    "one penalty per stroke, 4 to 7, and only for a foul",
    "scores grow by exactly points and penalty",
    "a foul of the striker earns him no points, a lawful pot does",
    "balls in the frame are those before, less the gone, plus the returned",
    "reds never return, and what returns had gone",
    "the cue ball is in hand or on the table",
    "a foul has an offender, its items, and their articles",
    "an article of fouls is at work only with an item of it",
    "red is on while reds are, else the lowest colour; any colour only for a striker who scored",
    "play can go on, or the frame is over and nothing may be chosen",
    "an offer to decline is made after a foul only, a free ball only with it and with a colour to call",
    "a winner has won for a reason, a tie has equal points",
    "next stroke: the opponent after a foul or no points, else the same side",
)


def situations() -> np.ndarray:
    """The frames: what is on, with how many reds, free ball or not, each in several circumstances."""
    bases = [(reds, range(2, 8), on, free) for reds, on, free in
             [(2, ON_RED, 0), (1, ON_RED, 0), (2, ON_RED, 1), (1, ON_RED, 1),
              (2, ON_COLOUR, 0), (1, ON_COLOUR, 0), (0, ON_COLOUR, 0)]]  # fmt: skip
    bases += [(0, range(on, 8), on, free) for on in range(2, 8) for free in ((0, 1) if on < 7 else (0,))]
    circumstances: list[dict[str, object]] = [
        {},
        {"snooker": Snooker.TOTAL},
        {"snooker": Snooker.TOTAL, "snooker_confirmed": 0, "aggravated_count": (2, 2)},
        {"snooker": Snooker.AGGRAVATED, "aggravated_count": (2, 0)},
        {"snooker": Snooker.PARTIAL, "aggravated_count": (2, 0), "scores": (37, 30)},
        {"in_hand": 1, "scores": (30, 36), "opening": 1},
        {"scores": (70, 30), "warnings": (1, 0)},
        {"scores": (30, 38), "touching": "red yellow black"},
        {"stalemate_count": (2, 2), "scores": (51, 51)},
        {"after_foul": 1, "striker": 1, "scores": (57, 50), "stalemate_count": (0, 1)},
    ]
    rows = []
    for reds, colours, on, free in bases:
        for circumstance in circumstances:
            row = np.zeros(1, FRAME)
            row["reds"], row["on"], row["free_ball"], row["after_foul"] = 15, on, free, free
            row["winner"] = row["match_winner"] = -1
            row["snooker_confirmed"] = 1
            for name, value in circumstance.items():
                row[name] = balls_from_names(str(value).split()) if name == "touching" else value
            balls = reds_mask(reds) | colours_mask(colours)
            row["on_table"] = balls | (0 if row["in_hand"][0] else 1)
            row["touching"] &= balls
            rows.append(row)
    return np.concatenate(rows)


def decisions() -> np.ndarray:
    """Plain calls (none, each value, one that no ball has) and free ball calls."""
    pairs = [(Option.PLAY, call) for call in (*range(8), 9)] + [(Option.FREE_BALL, call) for call in range(8)]
    rows = np.zeros(len(pairs), DECISION)
    rows["option"], rows["call"] = zip(*pairs, strict=True)
    return rows


def first_contacts() -> np.ndarray:
    """Nothing, each kind of ball, and pairs at the same instant."""
    names = ["", "red", "red#2", "yellow", "green", "brown", "blue", "pink", "black"]
    names += ["red red#2", "red black", "yellow black", "blue pink", "red green", "pink black", "yellow green"]
    return np.array([balls_from_names(text.split()) for text in names], dtype=np.int64)


def potted_sets() -> np.ndarray:
    """Every set of at most two of cue ball, two reds and the colours, and some of three and more."""
    names = ["cue", "red", "red#2", "yellow", "green", "brown", "blue", "pink", "black"]
    sets = [set(pick) for size in range(3) for pick in itertools.combinations(names, size)]
    sets += [{"cue", "red", "black"}, {"red", "red#2", "yellow"}, {"yellow", "green", "black"}, set(names)]
    return np.array([balls_from_names(pick) for pick in sets], dtype=np.int64)


def happenings() -> np.ndarray:
    """What else may be in a shot record."""
    kinds: list[dict[str, object]] = [
        {},
        {"moved": balls_from_names(["red", "yellow", "pink", "black"])},
        {"off_table": balls_from_names(["cue"])},
        {"off_table": balls_from_names(["red", "blue"])},
        {"jumped": balls_from_names(["black"])},
        {"moved_touching": balls_from_names(["red", "yellow", "black"])},
        {"aimed_at": 20, "cushions_before_contact": 1},
        {"aimed_at": 1},
        {"reported": Report.DOUBLE_HIT | Report.OUTSIDE_D},
        {"reported": Report.BALL_TOUCHED, "reported_value": 6},
        {"reported": Report.INTENTIONAL_JUMP, "jumped": balls_from_names(["black"])},
        {"reported": Report.WRONG_CUE_BALL | Report.SLOW_PLAY},
        {"reported": Report.GRAVE},
        {"reported": Report.PUSH, "reported_side": 0},
        {"reported": Report.BALL_TOUCHED, "reported_side": 0, "made": 0},
        {"reported": Report.MISUSE | Report.BALL_MOVING | Report.NOT_TIP, "made": 0},
        {"reported": Report.NO_FOOT_ON_FLOOR | Report.OTHER | Report.INTENTIONAL_FOUL | Report.OTHER_DISCIPLINARY},
        {"reported": Report.CONCESSION, "made": 0},
        {"reported": Report.MATCH_CONCESSION, "reported_side": 1, "made": 0},
        {"reported": Report.DISQUALIFICATION, "made": 0},
        {"reported": Report.BOTH_DISQUALIFIED, "made": 0},
    ]
    shots = empty_shot(len(kinds))
    shots["made"] = 1
    for shot, kind in zip(shots, kinds, strict=True):
        for name, value in kind.items():
            shot[name] = value
    return shots


@kernel
def broken_invariants(before, frame, shot, ruling, legal):  # noqa: C901  (a checklist)
    """Bit i: ``INVARIANTS[i]`` does not hold."""
    fouls = np.int64(ruling.fouls)
    articles = np.int64(ruling.articles)
    points = np.int64(ruling.points)
    penalty = np.int64(ruling.penalty)
    s = np.int64(ruling.striker)
    table_before = np.int64(before.on_table) | 1
    table_after = np.int64(frame.on_table)
    gone = (np.int64(shot.potted) | np.int64(shot.off_table)) & table_before if shot.made else 0
    returned = np.int64(ruling.respotted)
    on = np.int64(frame.on)
    bad = 0
    if (fouls == 0) != (penalty == 0) or (fouls != 0 and (penalty < 4 or penalty > 7)):
        bad |= 1
    receiver = 1 - np.int64(ruling.offender)
    for side in range(2):
        grown = np.int64(frame.scores[side]) - np.int64(before.scores[side])
        due = (points if side == s else 0) + (penalty if fouls and side == receiver else 0)
        if grown != due or grown < 0:
            bad |= 2
    if fouls and ruling.offender == s and points:
        bad |= 4
    if ruling.offender != s and shot.made and np.int64(shot.potted) & np.int64(ruling.may_fall) and points == 0:
        bad |= 4
    expected = (table_before & ~gone) | returned
    if frame.in_hand:
        expected &= ~1
    if expected != table_after:
        bad |= 8
    if returned & ALL_REDS or returned & ~gone or returned & ~ALL_COLOURS:
        bad |= 16
    if (frame.in_hand != 0) == (table_after & 1 != 0):
        bad |= 32
    if (fouls != 0) != (ruling.offender >= 0) or (fouls != 0 and articles >> 29 & 1 == 0):
        bad |= 64
    variable = fouls & VARIABLE_FOULS != 0
    maximum = fouls >> 18 & 15 != 0
    discipline = fouls >> 22 & 31 != 0
    if variable != (articles >> 40 & 1 != 0) or maximum != (articles >> 41 & 1 != 0):
        bad |= 128
    if discipline != (articles >> 42 & 1 != 0) or (fouls >> 27 & 1 != 0) != (articles >> 37 & 1 != 0):
        bad |= 128
    if not frame.frame_over:
        kept = shot.made == 0 and ruling.offender != s
        if on == ON_COLOUR:
            if not kept and (points == 0 or frame.striker != s):
                bad |= 256
        elif on != ball_on_of(table_after):
            bad |= 256
        if legal.options & 1 == 0 or legal.targets == 0 or legal.calls == 0 or np.int64(legal.targets) & ~table_after:
            bad |= 512
        if (frame.after_foul != 0 or frame.free_ball != 0) and fouls == 0 and not kept:
            bad |= 1024
        if frame.free_ball and (legal.free_calls == 0 or legal.options >> 1 & 1 == 0 or frame.after_foul == 0):
            bad |= 1024
        if frame.winner >= 0 or frame.tied:
            bad |= 2048
        same = (fouls == 0 and points > 0) or kept or (fouls != 0 and ruling.offender != s)
        if (frame.striker == s) != same:
            bad |= 4096
    else:
        if legal.options or legal.targets or frame.free_ball or frame.after_foul:
            bad |= 512
        if frame.tied and (frame.scores[0] != frame.scores[1] or frame.winner >= 0):
            bad |= 2048
        reasons = articles >> 43 & 1 | articles >> 44 & 1 | articles >> 46 & 1 | articles >> 47 & 1 | articles >> 48 & 1
        if reasons == 0 or (frame.winner < 0 and not frame.tied and ruling.void == 0 and articles >> 49 & 1 == 0):
            bad |= 2048
    return bad


@kernel
def take_census(
    frames, calls, firsts, pots, shots, cfg, table, ruling, legal, stride, fouls_n, articles_n, penalties_n, ends_n
):
    """Judge the whole domain (or one row in ``stride``); the rows, and the first broken row as (index, broken)."""
    layout = np.full((22, 2), np.nan)
    frame_store = frames[:1].copy()
    frame = frame_store[0]
    shot_store = shots[:1].copy()
    shot = shot_store[0]
    index = 0
    rows = 0
    worst = -1
    broken = 0
    for a in range(len(frames)):
        before = frames[a]
        balls = np.int64(before.on_table) | 1
        for first in firsts:
            for potted in pots:
                if (first | potted) & ~balls:
                    continue
                for b in range(len(shots)):
                    if shots[b].made == 0 and first | potted:
                        continue
                    for c in range(len(calls)):
                        index += 1
                        if index % stride:
                            continue
                        rows += 1
                        frame_store[0] = before
                        shot_store[0] = shots[b]
                        shot.first_contact = first
                        shot.potted = potted & ~np.int64(shot.off_table)
                        layout[:] = np.nan
                        judge(frame, layout, shot, calls[c], cfg, table, ruling, legal)
                        bad = broken_invariants(before, frame, shot, ruling, legal)
                        if bad and worst < 0:
                            worst = index
                            broken = bad
                        fouls = np.int64(ruling.fouls)
                        articles = np.int64(ruling.articles)
                        for i in range(28):
                            fouls_n[i] += fouls >> i & 1
                        for i in range(50):
                            articles_n[i] += articles >> i & 1
                        penalties_n[ruling.penalty] += 1
                        ends_n[0] += ruling.frame_over
                        ends_n[1] += ruling.tied
                        ends_n[2] += ruling.void
                        ends_n[3] += ruling.match_over
                        ends_n[4] += ruling.free_ball_offered
                        ends_n[5] += ruling.warned
                        ends_n[6] += ruling.aggravated
                        ends_n[7] += count_balls(np.int64(ruling.respotted))
    return rows, worst, broken


ENDS = ("frame_over", "tied", "void", "match_over", "free_ball_offered", "warned", "aggravated", "respotted_balls")


def census(stride: int = 1, **rules: object) -> dict[str, object]:
    """Counts over the domain under these rules; raises AssertionError naming a broken invariant."""
    fouls_n, articles_n = np.zeros(28, np.int64), np.zeros(50, np.int64)
    penalties_n, ends_n = np.zeros(8, np.int64), np.zeros(8, np.int64)
    frames, shots = situations(), happenings()
    table = records(table_spec("snooker_12ft").record)[0]
    rows, worst, broken = take_census(
        records(frames), records(decisions()), first_contacts(), potted_sets(), records(shots),
        records(rules_config(**rules))[0], table, records(np.zeros(1, RULING))[0], records(np.zeros(1, LEGAL))[0],
        stride, fouls_n, articles_n, penalties_n, ends_n,
    )  # fmt: skip
    said = [text for i, text in enumerate(INVARIANTS) if broken >> i & 1]
    assert worst < 0, f"row {worst}: {'; '.join(said)}"
    return {
        "rows": int(rows),
        "fouls": {code: int(n) for code, n in zip(FOUL_ITEMS, fouls_n, strict=True)},
        "articles": {str(n): int(articles_n[n]) for n in ARTICLES if articles_n[n]},
        "penalties": {str(i): int(n) for i, n in enumerate(penalties_n) if n},
        **{name: int(n) for name, n in zip(ENDS, ends_n, strict=True)},
    }


READINGS: dict[str, dict[str, object]] = {
    "default": {},
    "other readings": {
        "call_mode": "explicit", "free_ball_after_missed_target": False, "aggravated_foul": "reachable_miss",
        "total_snooker_foul": "missed_target", "early_end": "off", "players_per_side": 2, "frames_to_win": 2,
    },
}  # fmt: skip

if __name__ == "__main__":
    counts = {name: census(**rules) for name, rules in READINGS.items()}
    text = json.dumps(counts, indent=1) + "\n"
    if "--write" in sys.argv:
        FROZEN.write_text(text)
    print(text)
