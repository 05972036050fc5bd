"""The switches: what they accept, and back."""

import json

import numpy as np
import pytest

from sinuca_env.rules import RULES, RULES_DEFAULTS, rules_config, rules_dict
from sinuca_env.rules.parameters import config_from
from sinuca_env.state.errors import SinucaError

SET = {
    "reds": 6, "call_mode": "explicit", "free_ball_after_missed_target": False, "replace_after_miss": True,
    "respot_towards": "baulk", "aggravated_foul": "reachable_miss", "total_snooker_foul": "missed_target",
    "early_end": "off", "touching_tolerance": 1e-6, "simultaneity_tolerance": 1e-7, "stalemate_tolerance": 0.002,
    "players_per_side": [3, 2], "frames_to_win": 5,
}  # fmt: skip


def test_names_there_and_back():
    assert rules_dict(rules_config(**SET)) == SET
    assert json.loads(json.dumps(rules_dict(rules_config(**SET)))) == SET
    defaults = rules_dict(rules_config())
    assert defaults == {**RULES_DEFAULTS, "players_per_side": [1, 1]}
    assert set(SET) == set(RULES_DEFAULTS) == set(RULES.names)
    assert rules_dict(rules_config(players_per_side=2))["players_per_side"] == [2, 2]


def test_every_field_differs_in_the_record():
    for name, value in SET.items():
        assert not np.array_equal(rules_config(**{name: value})[name], rules_config()[name]), name


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"reds": 7}, r"rules\.reds: 7 \(article 1\): one of 6, 10, 15"),
        ({"reds": True}, r"rules\.reds: True"),
        ({"reds": "15"}, r"rules\.reds: '15'"),
        ({"redss": 6}, r"unknown field 'redss' \(did you mean 'reds'\?\)"),
        ({"call_mode": "loud"}, r"rules\.call_mode: 'loud': one of explicit, evident"),
        ({"call_mode": ["evident"]}, r"rules\.call_mode"),
        ({"early_end": False}, r"rules\.early_end: False: one of off, article_47"),
        ({"replace_after_miss": 1}, r"rules\.replace_after_miss: 1: one of false, true"),
        ({"touching_tolerance": "small"}, r"rules\.touching_tolerance: 'small': a number from 0 to 1.5e-05 m"),
        ({"touching_tolerance": 2e-5}, r"rules\.touching_tolerance"),
        ({"stalemate_tolerance": -1.0}, r"rules\.stalemate_tolerance"),
        ({"stalemate_tolerance": float("nan")}, r"rules\.stalemate_tolerance"),
        ({"simultaneity_tolerance": [1e-9]}, r"rules\.simultaneity_tolerance"),
        ({"players_per_side": 0}, r"rules\.players_per_side: 0 \(article 1\)"),
        ({"players_per_side": (1, 2, 3)}, r"rules\.players_per_side"),
        ({"players_per_side": "two"}, r"rules\.players_per_side"),
        ({"frames_to_win": 0}, r"rules\.frames_to_win: 0: a whole number from 1 to 1000"),
        ({"frames_to_win": True}, r"rules\.frames_to_win"),
        ({"frames_to_win": 2.5}, r"rules\.frames_to_win"),
    ],
)
def test_a_refusal_names_field_and_accepted_values(names, message):
    with pytest.raises(SinucaError, match=message):
        rules_config(**names)


def test_a_config_from_names_a_record_or_nothing():
    record = rules_config(reds=10)
    assert config_from(record) is record
    assert config_from({"reds": 10}) == record
    assert config_from(None) == rules_config()
