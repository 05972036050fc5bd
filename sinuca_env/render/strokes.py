"""A stroke watched: its trajectories, thinned out for drawing and replaying, and its events by name."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sinuca_env.physics import Trace, trace_shot
from sinuca_env.render.replay import simplify
from sinuca_env.state.balls import N_SLOTS, SLOT_NAMES
from sinuca_env.table.spec import POCKET_NAMES, TableSpec

__all__ = ["Stroke", "paths_of", "watch"]

_STEP = 1 / 120  # s, between the samples that are thinned out
_MOVED = 1e-4  # m


class Stroke(NamedTuple):
    """A stroke as replays hold it: ``tracks`` (see :mod:`.replay`), ``events`` ``duration`` (s), the set ``fell``."""

    tracks: list[list[Any]]
    events: list[dict[str, Any]]
    duration: float
    fell: int


def watch(layout: np.ndarray, on_table: int, strike: np.ndarray, spec: TableSpec, params: np.ndarray) -> Stroke:
    """Play a stroke and keep what can be seen of it.

    Args:
        layout: (22, 2) m, before the stroke.
        on_table: balls in play, the cue ball among them.
        strike: one STRIKE record, as it is played.
        spec: the table.
        params: (1,) PHYSICS.
    """
    trace = trace_shot(layout, on_table, np.array([strike]), spec, params)
    turns = [trace.segments[:, 1], [event.t for event in trace.events], [0.0, trace.duration]]
    times = np.unique(np.concatenate([np.arange(0.0, trace.duration, _STEP), *turns]))
    places = trace.positions_at(times)
    tracks = [track for slot in range(N_SLOTS) if (track := _track(slot, times, places[:, slot], trace))]
    fell = sum({1 << event.balls[0] for event in trace.events if event.type == "pocket"})
    events = [_named(event) for event in trace.events if event.type in _TOLD]
    return Stroke(tracks, events, trace.duration, fell)


_TOLD = ("strike", "ball_ball", "cushion", "jaw", "pocket")


def _named(event: Any) -> dict[str, Any]:
    return {
        "t": round(event.t, 4),
        "type": event.type,
        "balls": [SLOT_NAMES[slot] for slot in event.balls],
        "where": POCKET_NAMES[event.place].replace("_", " ") if event.type == "pocket" else "",
    }


def _track(slot: int, times: np.ndarray, places: np.ndarray, trace: Trace) -> list[Any]:
    """``[slot, times, xs, ys]``; empty for a ball that is not there or stays."""
    there = np.isfinite(places[:, 0])
    if not there.any():
        return []
    ts, xy = times[there], places[there]
    # The fall itself: the ball is gone at that very instant, so its last place comes from the event.
    fall = [(event.t, event.x, event.y) for event in trace.events if event.type == "pocket" and event.balls == (slot,)]
    if fall and fall[0][0] > ts[-1]:
        ts, xy = np.append(ts, fall[0][0]), np.vstack([xy, fall[0][1:]])
    if np.abs(xy - xy[0]).max() < _MOVED:
        return []
    kept = simplify(ts, xy)
    return [slot, np.round(ts[kept], 4).tolist(), np.round(xy[kept, 0], 5).tolist(), np.round(xy[kept, 1], 5).tolist()]


def paths_of(tracks: list[list[Any]]) -> dict[int, np.ndarray]:
    """The tracks as polylines by slot, as :meth:`sinuca_env.render.scene.Scene.with_paths` takes them."""
    return {slot: np.column_stack([xs, ys]) for slot, _times, xs, ys in tracks}
