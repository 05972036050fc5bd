"""Replays as films: every stroke at the film's own rate, to ``.gif`` or ``.mp4`` (extra ``render``).

Gymnasium's ``RecordVideo`` keeps one picture a step, which for this game is one picture a stroke; this module draws
the whole stroke.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sinuca_env.render.raster import draw_rgb
from sinuca_env.render.replay import check_replay
from sinuca_env.render.scene import Scene
from sinuca_env.state.errors import SinucaError
from sinuca_env.table.spec import table_spec

__all__ = ["FORMATS", "check_format", "film", "places_at", "write_video"]

FORMATS = (".gif", ".mp4")
LEAD, TAIL = 0.5, 0.5  # s of stillness before and after a stroke


def places_at(shot: dict[str, Any], t: float) -> dict[int, tuple[float, float]]:
    """Where the balls of a replay's shot are at ``t`` seconds after the strike (as the HTML page shows them)."""
    found = {int(slot): (float(x), float(y)) for slot, x, y in shot["balls"]}
    for slot, times, xs, ys in shot["tracks"]:
        if slot in shot["potted"] and t >= times[-1]:
            found.pop(slot, None)
        else:
            found[slot] = (float(np.interp(t, times, xs)), float(np.interp(t, times, ys)))
    if shot["after"] and t > shot["duration"]:
        return {int(slot): (float(x), float(y)) for slot, x, y in shot["after"]}
    return found


def film(replay: dict[str, Any], *, fps: int = 60, width: int = 960, paths: bool = True) -> Iterator[np.ndarray]:
    """The pictures of a replay, ``(height, width, 3)`` uint8, ``fps`` of them a second; both sides are even.

    Raises:
        SinucaError: not a replay, or a rate or width that makes no sense.
    """
    replay = check_replay(replay)
    if not 1 <= fps <= 240:
        raise SinucaError(f"fps: {fps} is not within 1..240")
    spec = table_spec(replay["table"])
    for shot in replay["shots"]:
        for k in range(int((LEAD + shot["duration"] + TAIL) * fps)):
            t = k / fps - LEAD
            scene = Scene(spec, places_at(shot, t))
            if paths and t > 0:
                scene.paths = {track[0]: _until(track, t) for track in shot["tracks"] if track[1][0] < t}
            elif shot["aim"] is not None and t <= 0 and 0 in scene.balls:
                start = np.array(scene.balls[0])
                scene.aim = np.array([start, start + 0.8 * np.array([np.cos(shot["aim"]), np.sin(shot["aim"])])])
            picture = draw_rgb(scene, width)
            yield picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]  # what video codecs want


def _until(track: list[Any], t: float) -> np.ndarray:
    times, places = np.array(track[1]), np.column_stack(track[2:])
    now = [np.interp(t, times, places[:, axis]) for axis in (0, 1)]
    return np.vstack([places[times < t], now])


def check_format(path: str | Path) -> Path:
    """The path itself if its ending is that of a film.

    Raises:
        SinucaError: it is not.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise SinucaError(f"{path}: unknown format '{path.suffix}': one of {', '.join(FORMATS)}")
    return path


def write_video(replay: dict[str, Any], path: str | Path, *, fps: int = 60, width: int = 960) -> int:
    """Write a film; returns the number of its pictures.

    Raises:
        SinucaError: a format that is not in :data:`FORMATS`, or the extra ``render`` is missing.
    """
    path = check_format(path)
    try:
        import imageio.v2 as imageio
    except ImportError:
        raise SinucaError("films need the extra 'render' (pip install 'sinuca_env[render]')") from None
    gif = path.suffix.lower() == ".gif"
    rate = min(fps, 50) if gif else fps  # players slow down gif pictures shorter than a fiftieth of a second
    how: dict[str, Any] = {"duration": 1000 / rate, "loop": 0} if gif else {"fps": rate, "macro_block_size": 2}
    count = 0
    writer: Any
    with imageio.get_writer(path, **how) as writer:
        for picture in film(replay, fps=rate, width=width):
            writer.append_data(picture)
            count += 1
    return count
