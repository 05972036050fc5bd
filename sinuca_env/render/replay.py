"""Replays: a JSON file of strokes with their trajectories, and the HTML page that plays it from disk.

A replay is plain data::

    {"format": "sinuca-replay-1", "title": "...", "table": "snooker_12ft", "players": ["a", "b"], "shots": [shot, ...]}

and a shot (positions in metres, times in seconds; what is marked ? may be missing)::

    {"balls": [[slot, x, y], ...],                    before the stroke, the cue ball where it is struck from
     "tracks": [[slot, [t...], [x...], [y...]], ...], of the balls that move, straight between the points
     "potted": [slot, ...], "duration": s,
     "aim"?: rad, "events"?: [{"t", "type", "balls", "where"}],
     "after"?: [[slot, x, y], ...],                   the table after the referee touched a ball: all of its balls
     "striker"?: 0 | 1, "scores_before"?: [a, b], "scores_after"?: [a, b],
     "label"?: {"en", "pt"}, "codes"?: [article codes], "said"?: {"en": [sentences], "pt": [...]}}
"""

from __future__ import annotations

import json
import math
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from sinuca_env.render.scene import CUSHION_DEPTH, ball_colour, table_outline
from sinuca_env.state.balls import N_SLOTS
from sinuca_env.state.errors import SinucaError
from sinuca_env.table.spec import table_spec

__all__ = ["FORMAT", "check_replay", "load_replay", "replay_page", "simplify"]

FORMAT = "sinuca-replay-1"
_DEFAULTS: dict[str, Any] = {
    "aim": None, "events": [], "after": [], "striker": None, "scores_before": None, "scores_after": None,
    "label": None, "codes": [], "said": None,
}  # fmt: skip
_NEEDED = ("balls", "tracks", "potted", "duration")


def simplify(times: np.ndarray, points: np.ndarray, tolerance: float = 2e-4) -> np.ndarray:
    """Indices of the samples to keep so that straight motion between them stays within ``tolerance`` metres.

    Ramer, Douglas and Peucker's rule, with the distance at equal times instead of the distance to the line, so that
    speeds are kept too.

    Args:
        times: (n,) s, rising.
        points: (n, 2) m.
        tolerance: m.
    """
    keep = np.zeros(len(times), bool)
    keep[[0, -1]] = True
    todo = [(0, len(times) - 1)]
    while todo:
        a, b = todo.pop()
        if b - a < 2:
            continue
        span = times[b] - times[a]
        share = ((times[a + 1 : b] - times[a]) / span if span > 0 else np.zeros(b - a - 1))[:, None]
        gaps = np.linalg.norm(points[a] + share * (points[b] - points[a]) - points[a + 1 : b], axis=1)
        worst = int(np.argmax(gaps))
        if gaps[worst] > tolerance:
            middle = a + 1 + worst
            keep[middle] = True
            todo += [(a, middle), (middle, b)]
    return np.flatnonzero(keep)


def check_replay(data: Any) -> dict[str, Any]:
    """The replay with every optional key filled in.

    Raises:
        SinucaError: not a replay, or a shot that cannot be played; the line names shot and key.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SinucaError(f'not a replay: expected an object with "format": "{FORMAT}"')
    spec = table_spec(data.get("table", "snooker_12ft"))
    shots = data.get("shots")
    if not isinstance(shots, list) or not shots:
        raise SinucaError("shots: expected a list with at least one stroke")
    return {
        "format": FORMAT,
        "title": str(data.get("title", "sinuca")),
        "table": spec.name,
        "players": [str(name) for name in data.get("players", ["A", "B"])],
        "shots": [_checked_shot(shot, f"shots[{i}]") for i, shot in enumerate(shots)],
    }


def _checked_shot(shot: Any, where: str) -> dict[str, Any]:
    if not isinstance(shot, dict):
        raise SinucaError(f"{where}: expected an object")
    for key in _NEEDED:
        if key not in shot:
            raise SinucaError(f"{where}: '{key}' is missing")
    if not _is_number(shot["duration"]) or shot["duration"] < 0:
        raise SinucaError(f"{where}.duration: expected seconds, found {shot['duration']!r}")
    for key in ("balls", "after"):
        for ball in shot.get(key, []):
            if not (isinstance(ball, list) and len(ball) == 3 and _is_slot(ball[0]) and all(map(_is_number, ball[1:]))):
                raise SinucaError(f"{where}.{key}: expected [slot, x, y], found {ball!r}")
    for track in shot["tracks"]:
        if not (isinstance(track, list) and len(track) == 4 and _is_slot(track[0])):
            raise SinucaError(f"{where}.tracks: expected [slot, times, xs, ys]")
        if not len(track[1]) == len(track[2]) == len(track[3]) > 0 or not all(
            _is_number(v) for s in track[1:] for v in s
        ):
            raise SinucaError(f"{where}.tracks: times, xs and ys of ball {track[0]} must be as many numbers each")
    return _DEFAULTS | shot


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_slot(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < N_SLOTS


def load_replay(path: str | Path) -> dict[str, Any]:
    """Read and check a replay file.

    Raises:
        SinucaError: unreadable, not JSON, not a replay.
    """
    path = Path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SinucaError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise SinucaError(f"{path}: not JSON: {error}") from None
    try:
        return check_replay(data)
    except SinucaError as error:
        raise SinucaError(f"{path}: {error}") from None


def replay_page(replay: dict[str, Any]) -> str:
    """The HTML page that plays a replay: one file, no network.

    Raises:
        SinucaError: see :func:`check_replay`.
    """
    replay = check_replay(replay)
    spec = table_spec(replay["table"])
    shape = table_outline(spec)
    outline = {
        "half": shape.half,
        "cloth": shape.cloth,
        "depth": CUSHION_DEPTH,
        "radius": spec.ball_radius,
        "cushions": [np.round(polyline, 5).tolist() for polyline in shape.cushions],
        "pockets": shape.pockets.tolist(),
        "spots": shape.spots.tolist(),
        "baulk": shape.baulk,
        "d_radius": shape.d_radius,
    }
    data = replay | {"outline": outline, "colours": [ball_colour(slot) for slot in range(N_SLOTS)]}
    # "</" would end the script element early.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    page = Template(resources.files("sinuca_env.render").joinpath("templates/replay.html").read_text("utf-8"))
    return page.substitute(title=escape(replay["title"]), data=text)
