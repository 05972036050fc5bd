"""The speed benchmark measures what it says and refuses what it cannot play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sinuca_env.bench.speed import default_layouts, read_layouts, run_speed
from sinuca_env.state.errors import SinucaError


def test_groups_of_a_file(tmp_path: Path) -> None:
    shots = default_layouts(seed=1)
    file = tmp_path / "layouts.json"
    han = [shot | {"physics": {"cushion": "han2005"}} for shot in shots["mid_3"][:2]]
    file.write_text(json.dumps({"groups": {"break": shots["break"][:2], "few": shots["mid_3"][:3] + han}}))
    result = run_speed(file, threads=1)
    assert result["threads"] == 1
    assert set(result["versions"]) == {"sinuca_env", "python", "numpy", "numba"}
    assert list(result["groups"]) == ["break", "few"]
    for row in result["groups"].values():
        assert set(row) == {"shots_per_s", "us_per_event", "events_per_shot", "p99_us"}
        assert all(value > 0 for value in row.values())
        assert row["us_per_event"] * row["events_per_shot"] == pytest.approx(1e6 / row["shots_per_s"])
    assert result["groups"]["break"]["events_per_shot"] > 3 * result["groups"]["few"]["events_per_shot"]


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(SinucaError, match=r"nowhere\.json"):
        read_layouts(tmp_path / "nowhere.json")
    for text in ("{", "[]", "{}", '{"groups": {}}', '{"groups": {"a": []}}', '{"groups": {"a": 1}}'):
        file = tmp_path / "bad.json"
        file.write_text(text)
        with pytest.raises(SinucaError, match=r"bad\.json"):
            run_speed(file)
