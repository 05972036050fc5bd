"""Tasks: how an episode starts, when it ends, what is measured.

``pot`` and ``frame`` (and ``match``) are the game's own; the drills start from a position written by a small function
of a random generator and are played solo until the visit ends.

| task | start | end |
|---|---|---|
| ``pot`` | cue ball and one red anywhere on the cloth | one stroke |
| ``line-up`` | colours on their spots, reds in a line between blue and black, cue ball beside it | visit |
| ``colours`` | colours on their spots, cue ball anywhere between baulk line and blue, yellow on | visit |
| ``clearance`` | colours on their spots, reds spread over the pack's half, cue ball behind the blue | visit |
| ``break`` | as ``clearance`` | visit |
| ``frame`` | break-off | frame |
| ``match`` | break-off | match |

Metrics: ``pot_rate`` scoring strokes, ``hit_rate`` strokes that hit their target first, ``foul_rate`` fouls (all per
stroke); ``clear_rate``, ``win_rate``, ``finished_rate``, ``century_rate`` per episode; ``mean_break`` the mean of the
episodes' (highest) breaks, ``best_break`` the highest of all; ``points_per_visit`` points of pots per visit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sinuca_env.state.balls import ALL_COLOURS, FIRST_RED
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import ON_RED
from sinuca_env.table.spec import TableSpec

__all__ = ["TASKS", "Task", "get_task"]

Start = Callable[[np.random.Generator, TableSpec, int], "tuple[np.ndarray, int, int]"]
"""(generator, table, reds) -> (layout, balls in play, ball on)."""


@dataclass(frozen=True)
class Task:
    """A task of the benchmark.

    Attributes:
        name: on the command line.
        goal: one line.
        metrics: names, in the order of the report.
        game: the game's task that it is played as: ``pot``, ``frame`` or ``match``.
        start: position of a drill; None = as the game starts.
    """

    name: str
    goal: str
    metrics: tuple[str, ...]
    game: str = "frame"
    start: Start | None = None

    @property
    def drill(self) -> bool:
        """Played solo from a position until the visit ends."""
        return self.start is not None


def _with_colours(spec: TableSpec) -> np.ndarray:
    layout = np.full((22, 2), np.nan)
    layout[16:] = [spec.spots[name] for name in ("yellow", "green", "brown", "blue", "pink", "black")]
    return layout


def _scatter(
    rng: np.random.Generator, layout: np.ndarray, slots: range, low: np.ndarray, high: np.ndarray, r: float
) -> None:
    """Put balls uniformly into a rectangle, 5 mm or more apart from all others."""
    for slot in slots:
        while True:
            place = rng.uniform(low, high)
            gaps = np.hypot(*(layout - place).T)
            if not np.any(gaps < 2 * r + 0.005):
                layout[slot] = place
                break


def _start_colours(rng: np.random.Generator, spec: TableSpec, reds: int) -> tuple[np.ndarray, int, int]:
    layout = _with_colours(spec)
    y = spec.width / 2 - 3 * spec.ball_radius
    _scatter(rng, layout, range(1), np.array([spec.baulk_x, -y]), np.array([0.0, y]), spec.ball_radius)
    return layout, ALL_COLOURS | 1, 2


def _start_line_up(rng: np.random.Generator, spec: TableSpec, reds: int) -> tuple[np.ndarray, int, int]:
    layout = _with_colours(spec)
    # Between blue and pink, pink and black, and behind the black, as evenly as the spots leave room.
    low, high = 6 * spec.ball_radius, spec.spots["black"][0] + 6 * spec.ball_radius
    places = np.linspace(low, high, 4 * reds)
    blocked = [spec.spots[name][0] for name in ("pink", "black")]
    free = np.array([x for x in places if all(abs(x - b) > 2.5 * spec.ball_radius for b in blocked)])
    chosen = free[np.linspace(0, len(free) - 1, reds).astype(int)]
    layout[FIRST_RED : FIRST_RED + reds] = np.column_stack([chosen, np.zeros(reds)])
    box = np.array([[0.1 * spec.length, 0.08 * spec.width], [0.3 * spec.length, 0.3 * spec.width]])
    _scatter(rng, layout, range(1), box[0], box[1], spec.ball_radius)
    return layout, ((1 << reds) - 1) << FIRST_RED | ALL_COLOURS | 1, ON_RED


def _start_clearance(rng: np.random.Generator, spec: TableSpec, reds: int) -> tuple[np.ndarray, int, int]:
    layout = _with_colours(spec)
    y = spec.width / 2 - 2 * spec.ball_radius
    x = spec.length / 2 - 2 * spec.ball_radius
    red_slots = range(FIRST_RED, FIRST_RED + reds)
    _scatter(rng, layout, red_slots, np.array([0.1, -y]), np.array([x, y]), spec.ball_radius)
    _scatter(rng, layout, range(1), np.array([spec.baulk_x, -y]), np.array([0.0, y]), spec.ball_radius)
    return layout, ((1 << reds) - 1) << FIRST_RED | ALL_COLOURS | 1, ON_RED


_FRAME = ("win_rate", "points_per_visit", "best_break", "century_rate", "pot_rate", "foul_rate", "finished_rate")
_CLEAR = ("clear_rate", "mean_break", "century_rate", "best_break", "foul_rate")
TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task("pot", "pot the one object ball with one stroke", ("pot_rate", "hit_rate", "foul_rate"), "pot"),
        Task("line-up", "clear reds in a line with colours", _CLEAR, start=_start_line_up),
        Task("colours", "clear the six colours, 27 points", _CLEAR, start=_start_colours),
        Task("clearance", "clear the table from a broken rack", _CLEAR, start=_start_clearance),
        Task("break", "score as much as possible in one visit", _CLEAR[1:], start=_start_clearance),
        Task("frame", "win a frame", _FRAME),
        Task("match", "win a match", _FRAME, "match"),
    )
}


def get_task(name: str) -> Task:
    """The task of that name.

    Raises:
        SinucaError: unknown name.
    """
    if name not in TASKS:
        raise SinucaError(f"task: unknown task '{name}'{suggest(name, TASKS)}: one of {', '.join(TASKS)}")
    return TASKS[name]
