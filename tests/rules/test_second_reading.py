"""The referee and a second, slow reading of articles 4, 13 to 15, 19, 22, 34, 35 and 39 to 42 agree on any stroke."""

import sys
from pathlib import Path

import numpy as np
import pytest

from sinuca_env.rules import REPORT_NAMES, empty_shot, fouls_of_bits, judge_batch, rules_config
from sinuca_env.state.balls import VALUE_NAMES, balls_from_names, colours_mask, reds_mask
from sinuca_env.state.records import DECISION, FRAME, LEGAL, ON_COLOUR, RULING, Snooker
from sinuca_env.table.spec import table_spec

sys.path.insert(0, str(Path(__file__).parent))
import second_reading

N = 2000


def strokes(seed):
    """Random strokes, most of them nearly lawful, as words."""
    rng = np.random.default_rng(seed)

    def some(balls, most, chance):
        count = int(rng.integers(1, most + 1)) if balls and rng.random() < chance else 0
        return [str(name) for name in rng.permutation(sorted(balls))[:count]]

    for _ in range(N):
        on = str(rng.choice(["red", "red", "any", "yellow", "green", "brown", "blue", "pink", "black"]))
        n_reds = int(rng.integers(1, 4)) if on == "red" else int(rng.integers(0, 3)) if on == "any" else 0
        reds = ["red", "red#2", "red#3"][:n_reds]
        lowest = second_reading.VALUE[on] if on not in ("red", "any") else 2
        colours = [name for name in VALUE_NAMES[2:] if second_reading.VALUE[name] >= lowest]
        balls = {*reds, *colours}
        free_offered = on not in ("any", "black") and rng.random() < 0.4
        claims_free = rng.random() < (0.7 if free_offered else 0.03)
        calls = [None, *VALUE_NAMES[1:]]
        call = str(rng.choice(colours)) if claims_free or on == "any" else None
        if rng.random() < 0.15:
            call = calls[int(rng.integers(len(calls)))]
        likely = {call} & balls or ({on} & balls) or set(reds)
        first = some(likely, 1, 0.9) if rng.random() < 0.75 else some(balls, 3, 0.9)
        potted = (
            some(likely | {on} & balls | set(reds), 3, 0.5) if rng.random() < 0.7 else some(balls | {"cue"}, 3, 0.6)
        )
        off = [name for name in some(balls | {"cue"}, 2, 0.05) if name not in potted]
        touching = some(balls, 2, 0.1)
        yield {
            "on": on, "reds": reds, "colours": colours, "free_offered": bool(free_offered),
            "claims_free": bool(claims_free), "call": call, "touching": touching,
            "snooker": str(rng.choice(["none", "none", "none", "partial", "total"])),
            "confirmed": bool(rng.random() < 0.8),
            "stroke": {
                "first": first, "potted": potted, "off": off, "jumped": some(balls, 2, 0.05),
                "moved_touching": [b for b in touching if rng.random() < 0.3],
                "reported": some(second_reading.REPORTED, 2, 0.08), "named": int(rng.choice([0, 0, 5])),
            },
        }  # fmt: skip


def records_of(rows):
    frames, shots, decisions = np.zeros(len(rows), FRAME), empty_shot(len(rows)), np.zeros(len(rows), DECISION)
    for frame, shot, decision, row in zip(frames, shots, decisions, rows, strict=True):
        on = row["on"]
        frame["on_table"] = reds_mask(len(row["reds"])) | colours_mask(map(VALUE_NAMES.index, row["colours"])) | 1
        frame["on"] = ON_COLOUR if on == "any" else VALUE_NAMES.index(on)
        frame["free_ball"] = frame["after_foul"] = row["free_offered"]
        frame["touching"] = balls_from_names(row["touching"])
        frame["snooker"] = Snooker[row["snooker"].upper()]
        frame["snooker_confirmed"] = row["confirmed"]
        frame["winner"] = frame["match_winner"] = -1
        stroke = row["stroke"]
        shot["made"] = 1
        for field, word in (("first_contact", "first"), ("potted", "potted"), ("off_table", "off")):
            shot[field] = balls_from_names(stroke[word])
        shot["jumped"], shot["moved_touching"] = (balls_from_names(stroke[w]) for w in ("jumped", "moved_touching"))
        shot["reported"] = sum(int(REPORT_NAMES[word]) for word in stroke["reported"])
        shot["reported_value"] = stroke["named"] = stroke["named"] if stroke["reported"] else 0
        decision["call"] = 0 if row["call"] is None else VALUE_NAMES.index(row["call"])
        decision["option"] = row["claims_free"]
    return frames, shots, decisions


@pytest.mark.parametrize("seed", range(3))
def test_both_readings_agree(seed):
    rows = list(strokes(seed))
    frames, shots, decisions = records_of(rows)
    rulings = np.zeros(N, RULING)
    layouts, table = np.full((N, 22, 2), np.nan), table_spec("snooker_12ft").record
    judge_batch(
        frames, layouts, shots, decisions, rules_config(call_mode="explicit"), table, rulings, np.zeros(N, LEGAL)
    )
    lawful = 0
    for row, ruling in zip(rows, rulings, strict=True):
        words = {name: value for name, value in row.items() if name != "stroke"}
        fouls, penalty, points = second_reading.read(**words, stroke=row["stroke"])
        said = set(fouls_of_bits(ruling["fouls"])), int(ruling["penalty"]), int(ruling["points"])
        assert said == (fouls, penalty, points), row
        lawful += not fouls
    assert 0.15 < lawful / N < 0.85  # the sample holds both kinds
