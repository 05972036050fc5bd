"""Whole shots played by another engine with the same named models: every ball must come to rest where it did there.

``pytest tests/physics/test_whole_shots.py --whole-shots FILE`` plays any file of the format: a list of shots (the shot
file's format) with ``expected_final`` and ``tol`` (m), and the counts of contacts and cushions.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sinuca_env.physics.shotfile import simulate

DATA = Path(__file__).parent / "data" / "whole_shots.json"
INPUT = ("id", "table", "balls", "strike", "cue_ball", "physics")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "shot" in metafunc.fixturenames:
        file = metafunc.config.getoption("--whole-shots", default=None) or DATA
        shots = json.loads(Path(file).read_text(encoding="utf-8"))
        metafunc.parametrize("shot", shots, ids=[shot["id"] for shot in shots])


def test_whole_shot(shot: dict) -> None:
    result = simulate({name: shot[name] for name in INPUT if name in shot})
    assert result["flags"] == []
    assert set(result["final"]) == set(shot["expected_final"])
    for name, place in shot["expected_final"].items():
        error = np.max(np.abs(np.subtract(result["final"][name], place)))
        assert error <= shot["tol"], f"{name}: {error * 1000:.3f} mm away"
    for kinds, name in ((("ball_ball",), "contacts"), (("cushion", "jaw"), "cushions")):
        if name in shot:
            assert sum(event["type"] in kinds for event in result["events"]) == shot[name], name
