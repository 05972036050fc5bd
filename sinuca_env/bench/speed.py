"""Speed of the physics: shots per second on groups of layouts, with checks and threads as in use.

A layout file is ``{"groups": {name: [shot, ...]}}`` in the shot files' format. Every group is played in batches, over
and over; the fastest round counts, so that other work on the machine disturbs little.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import sinuca_env
from sinuca_env.physics import simulate_batch
from sinuca_env.physics.batch import default_threads
from sinuca_env.physics.shotfile import ParsedShot, parse_shot
from sinuca_env.state.balls import SLOT_NAMES
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import SHOT
from sinuca_env.table.layouts import rack_layout, random_layout

__all__ = ["default_layouts", "read_layouts", "run_speed"]

_BATCH = 1024  # tables at least in a round
_ROUNDS = 5
_COPIES = 32  # of one shot, to time it


def _as_shot(layout: np.ndarray, angle: float, speed: float, side: float, top: float) -> dict[str, Any]:
    balls: dict[str, Any] = {
        name: layout[slot].tolist() for slot, name in enumerate(SLOT_NAMES) if np.isfinite(layout[slot, 0])
    }
    return {
        "balls": balls,
        "strike": {"angle_deg": float(np.degrees(angle)), "speed": speed, "side": side, "top": top},
    }


def default_layouts(seed: int = 0) -> dict[str, list[dict[str, Any]]]:
    """Groups for measuring without a file: breaks, and balls anywhere with the cue ball aimed at one of them."""
    rng = np.random.default_rng(seed)
    groups: dict[str, list[dict[str, Any]]] = {"break": []}
    for _ in range(30):
        layout = rack_layout(15)
        layout[0] = -1.2, rng.uniform(-0.2, 0.2)
        angle = np.arctan2(-layout[0, 1], layout[1, 0] - layout[0, 0]) + rng.normal(0.0, 0.01)
        groups["break"].append(_as_shot(layout, float(angle), float(rng.uniform(3.0, 6.0)), 0.0, 0.2))
    for name, reds, colours in (("mid_22", 15, "234567"), ("mid_8", 1, "234567"), ("mid_3", 1, "7")):
        groups[name] = []
        for _ in range(100):
            layout = random_layout(rng, reds, colours)
            others = np.flatnonzero(np.isfinite(layout[1:, 0])) + 1
            aim = layout[rng.choice(others)] - layout[0]
            angle = np.arctan2(aim[1], aim[0]) + rng.normal(0.0, 0.02)
            speed, side, top = rng.uniform(0.5, 3.5), rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)
            groups[name].append(_as_shot(layout, float(angle), float(speed), float(side), float(top)))
    return groups


def read_layouts(path: str | Path) -> dict[str, list[dict[str, Any]]]:
    """The groups of a layout file.

    Raises:
        SinucaError: no such file, not JSON, or not of the format.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise SinucaError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise SinucaError(f"{path}: not JSON: {error}") from None
    groups = content.get("groups") if isinstance(content, Mapping) else None
    if not isinstance(groups, Mapping) or not groups:
        raise SinucaError(f'{path}: not a layout file: {{"groups": {{name: [shot, ...]}}}}')
    for name, shots in groups.items():
        if not isinstance(shots, list) or not shots:
            raise SinucaError(f"{path}: groups.{name}: a list of one or more shots")
    return dict(groups)


class _Bucket:
    """Shots that share a table and physics, copied until they make a batch."""

    def __init__(self, shots: list[ParsedShot], size: int) -> None:
        copies = max(1, -(-size // len(shots)))
        self.spec, self.params = shots[0].spec, shots[0].params
        self.layouts = np.tile(np.array([shot.layout for shot in shots]), (copies, 1, 1))
        self.on_table = np.tile(np.array([shot.on_table for shot in shots], np.uint32), copies)
        self.strikes = np.tile(np.concatenate([shot.strike for shot in shots]), copies)
        self.shots = np.zeros(len(self.layouts), SHOT)

    def play(self, threads: int) -> float:
        """Seconds."""
        layouts = self.layouts.copy()
        begin = perf_counter()
        simulate_batch(layouts, self.on_table, self.strikes, self.shots, self.spec, self.params, threads=threads)
        return perf_counter() - begin


def _buckets(shots: list[ParsedShot], size: int) -> list[_Bucket]:
    kinds: dict[tuple[Any, ...], list[ParsedShot]] = {}
    for shot in shots:
        kinds.setdefault((shot.spec, shot.params.tobytes()), []).append(shot)
    return [_Bucket(kind, max(1, size * len(kind) // len(shots))) for kind in kinds.values()]


def _measure(shots: list[ParsedShot], threads: int) -> dict[str, float]:
    buckets = _buckets(shots, _BATCH)
    for bucket in buckets:
        bucket.play(threads)  # compiled and in the caches now
    seconds = min(sum(bucket.play(threads) for bucket in buckets) for _ in range(_ROUNDS))
    played = sum(len(bucket.shots) for bucket in buckets)
    events = sum(int(bucket.shots["events"].sum()) for bucket in buckets)
    each = [_Bucket([shot], _COPIES) for shot in shots]
    single = [min(bucket.play(1) for _ in range(3)) / len(bucket.shots) for bucket in each]
    return {
        "shots_per_s": played / seconds,
        "us_per_event": 1e6 * seconds / max(events, 1),
        "events_per_shot": events / played,
        "p99_us": 1e6 * float(np.percentile(single, 99)),
    }


def run_speed(layouts: str | Path | None = None, threads: int | None = None) -> dict[str, Any]:
    """Measure the physics on every group of a layout file.

    Args:
        layouts: the file; :func:`default_layouts` if None.
        threads: as :func:`~sinuca_env.physics.simulate_batch` takes them.

    Returns:
        ``{"groups": {name: {"shots_per_s", "us_per_event", "events_per_shot", "p99_us"}}, "threads", "versions"}``;
        ``p99_us`` is of single shots on one thread, the rest of batches on all.

    Raises:
        SinucaError: bad file or bad shot.
    """
    groups = default_layouts() if layouts is None else read_layouts(layouts)
    workers = default_threads() if threads is None else threads
    parsed = {name: [parse_shot(shot) for shot in shots] for name, shots in groups.items()}
    return {
        "groups": {name: _measure(shots, workers) for name, shots in parsed.items()},
        "threads": workers,
        "versions": {
            "sinuca_env": sinuca_env.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": version("numba"),
        },
    }
