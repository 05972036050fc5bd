"""The whole discrete input domain of the referee: invariants, and counts that may only change on purpose."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sinuca_env.rules as rules
from sinuca_env._jit import JIT, records
from sinuca_env.rules.articles import FOUL_ITEMS
from sinuca_env.state.records import FRAME, LEGAL, RULING

sys.path.insert(0, str(Path(__file__).parent))
import census

STRIDE = 20011  # a prime, so that every axis of the domain is sampled


@pytest.mark.skipif(not JIT, reason="tens of millions of rows")
@pytest.mark.parametrize("reading", census.READINGS)
def test_counts_over_the_whole_domain_are_the_frozen_ones(reading):
    frozen = json.loads(census.FROZEN.read_text())[reading]
    counts = census.census(**census.READINGS[reading])
    changed = {key: (frozen[key], counts[key]) for key in frozen if counts[key] != frozen[key]}
    assert not changed, f"{changed}\nmeant? python tests/rules/census.py --write"


def test_every_foul_item_but_the_snooker_one_is_reached():
    # 40-XVI needs positions: its cases stand in the case files.
    frozen = json.loads(census.FROZEN.read_text())["default"]
    assert {code for code in FOUL_ITEMS if not frozen["fouls"][code]} == {"40-XVI"}


@pytest.mark.parametrize("reading", census.READINGS)
def test_a_sample_holds_the_invariants(reading):
    counts = census.census(stride=STRIDE, **census.READINGS[reading])
    assert counts["rows"] > 500


def test_plain_python_counts_the_same():
    code = f"import sys, json; sys.path.insert(0, {str(Path(__file__).parent)!r}); import census; " \
           f"print(json.dumps([census.census(stride={STRIDE}, **r) for r in census.READINGS.values()]))"  # fmt: skip
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1" if JIT else "0"}
    out = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert json.loads(out) == [census.census(stride=STRIDE, **r) for r in census.READINGS.values()]


@pytest.mark.parametrize(
    ("field", "value", "invariant"),
    [
        ("ruling.penalty", 3, 0), ("ruling.points", 1, 1), ("frame.scores", (0, 0), 1), ("frame.on_table", 7, 3),
        ("ruling.respotted", 2, 4), ("frame.in_hand", 1, 5), ("ruling.offender", -1, 6),
        ("ruling.articles", 1 << 29, 7),
        ("frame.on", 3, 8), ("legal.options", 0, 9), ("frame.after_foul", 0, 10), ("frame.tied", 1, 11),
        ("frame.striker", 0, 12),
    ],
)  # fmt: skip
def test_each_invariant_can_break(field, value, invariant):
    """The census would notice: one field of a sound ruling is spoilt, its invariant speaks."""
    before = census.situations()[7 * 10 :][:1].copy()  # yellow on
    before["scores"] = 10
    shots = census.happenings()[:1].copy()
    tables = {"frame": before.copy(), "ruling": np.zeros(1, RULING), "legal": np.zeros(1, LEGAL)}
    rules.judge_batch(
        tables["frame"], np.full((1, 22, 2), np.nan), shots, census.decisions()[:1], rules.rules_config(),
        census.table_spec("snooker_12ft").record, tables["ruling"], tables["legal"],
    )  # fmt: skip

    def broken():
        args = [before, tables["frame"], shots, tables["ruling"], tables["legal"]]
        return census.broken_invariants(*(records(a)[0] for a in args))

    assert tables["frame"].dtype == FRAME
    assert broken() == 0
    record, name = field.split(".")
    tables[record][name] = value
    assert broken() >> invariant & 1
