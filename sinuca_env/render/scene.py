"""What is to be seen, before anything draws it: the table's shapes and the balls, paths and marks upon it.

Every view (SVG, raster, HTML replay) draws a :class:`Scene`; none works out the table's geometry again. Lengths in
metres, coordinates of the house: x along the length, y to the left seen from baulk.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sinuca_env.state.balls import FIRST_COLOUR, N_SLOTS
from sinuca_env.state.errors import SinucaError
from sinuca_env.table.spec import TableSpec, table_spec

__all__ = ["BALL_COLOURS", "CUSHION_DEPTH", "RAIL_WIDTH", "Outline", "Scene", "ball_colour", "table_outline"]

CUSHION_DEPTH = 0.05
"""m, from the face of a cushion to its wooden rail: 2 inches, a full-size table's (drawn only, it plays no part)."""

RAIL_WIDTH = 0.115
"""m, of the wooden rail: wide enough to hold the corner pockets' fall circles."""

BALL_COLOURS: dict[str, str] = {
    "cue": "#f7f3e3",
    "red": "#c3141c",
    "yellow": "#f4c81f",
    "green": "#0b6b3d",
    "brown": "#6f3f1c",
    "blue": "#1c4fa8",
    "pink": "#ef8fa6",
    "black": "#191a1d",
}
_COLOUR_NAMES = ("yellow", "green", "brown", "blue", "pink", "black")


def ball_colour(slot: int) -> str:
    """The colour of a slot's ball, ``#rrggbb``."""
    if slot >= FIRST_COLOUR:
        return BALL_COLOURS[_COLOUR_NAMES[slot - FIRST_COLOUR]]
    return BALL_COLOURS["red" if slot else "cue"]


class Outline(NamedTuple):
    """A table's shapes as polygons and circles.

    Attributes:
        half: half the outer length and width, rails included, m.
        cloth: half the length and width between the cushion faces, m.
        cushions: six ``(n, 2)`` polylines jaw, face, jaw: what balls can touch. Both ends lie on the rail, so each
            is the outline of its cushion too.
        pockets: ``(6, 3)`` fall circles, centre and radius.
        spots: ``(6, 2)`` of the colours.
        baulk: the baulk line's x; ``d_radius`` of the D.
    """

    half: tuple[float, float]
    cloth: tuple[float, float]
    cushions: list[np.ndarray]
    pockets: np.ndarray
    spots: np.ndarray
    baulk: float
    d_radius: float


def _jaw(face_end: np.ndarray, along: np.ndarray, outward: np.ndarray, radius: float, n: int = 12) -> np.ndarray:
    """Points on a jaw from the cushion's face to its back, bending away from the field.

    Args:
        face_end: where the straight face ends; the arc is tangent to it there.
        along: unit vector along the face towards the pocket.
        outward: unit vector from the field into the cushion.
        radius: of the jaw.
        n: number of points after ``face_end``.
    """
    last = math.acos(1.0 - CUSHION_DEPTH / radius)
    turn = np.linspace(0.0, last, n + 1)[1:, None]
    return face_end + radius * (np.sin(turn) * along + (1.0 - np.cos(turn)) * outward)


@functools.cache
def table_outline(spec: TableSpec) -> Outline:
    """The shapes of a table, from the same record that the balls collide with."""
    rec = spec.record[0]
    cushions = []
    for x1, y1, x2, y2, nx, ny in rec["lines"]:
        start, end, outward = np.array([x1, y1]), np.array([x2, y2]), -np.array([nx, ny])
        along = (end - start) / np.linalg.norm(end - start)
        radii = [rec["arcs"][_nearest_arc(rec["arcs"], point, outward)][2] for point in (start, end)]
        jaws = _jaw(start, -along, outward, radii[0])[::-1], _jaw(end, along, outward, radii[1])
        cushions.append(np.concatenate([jaws[0], start[None], end[None], jaws[1]]))
    edge = CUSHION_DEPTH + RAIL_WIDTH
    cloth = (spec.length / 2, spec.width / 2)
    return Outline(
        half=(cloth[0] + edge, cloth[1] + edge),
        cloth=cloth,
        cushions=cushions,
        pockets=np.array(rec["pockets"]),
        spots=np.array(rec["spots"][2:]),
        baulk=float(rec["baulk_x"]),
        d_radius=float(rec["d_radius"]),
    )


def _nearest_arc(arcs: np.ndarray, point: np.ndarray, outward: np.ndarray) -> int:
    """The jaw that continues a face: its centre stands straight behind the face's end."""
    centres = point + arcs[:, 2:3] * outward
    return int(np.argmin(np.linalg.norm(arcs[:, :2] - centres, axis=1)))


@dataclass
class Scene:
    """One picture of a table.

    Attributes:
        spec: the table.
        balls: centre by slot of the balls drawn solid, m.
        paths: ``(n, 2)`` polylines by slot, in the order of travel.
        ghosts: ``(slot, x, y)`` of balls drawn as rings, such as where they started.
        lit: slots with a ring of light, such as the balls that may be hit.
        zones: ``(x, y, radius)`` target circles.
        aim: a dashed polyline, such as the line of the cue.
        title: for people and screen readers.
    """

    spec: TableSpec
    balls: dict[int, tuple[float, float]] = field(default_factory=dict)
    paths: dict[int, np.ndarray] = field(default_factory=dict)
    ghosts: list[tuple[int, float, float]] = field(default_factory=list)
    lit: Sequence[int] = ()
    zones: Sequence[tuple[float, float, float]] = ()
    aim: np.ndarray | None = None
    title: str = ""

    @classmethod
    def from_layout(
        cls,
        layout: np.ndarray,
        table: str | TableSpec = "snooker_12ft",
        on_table: int | None = None,
        *,
        title: str = "",
    ) -> Scene:
        """The balls of a ``(22, 2)`` layout; balls at NaN, or not in ``on_table``, are left out.

        Raises:
            SinucaError: the layout has another shape, or the table is unknown.
        """
        positions = np.asarray(layout, dtype=float)
        if positions.shape != (N_SLOTS, 2):
            raise SinucaError(f"layout: shape {positions.shape}, expected ({N_SLOTS}, 2)")
        seen = [
            slot
            for slot in range(N_SLOTS)
            if np.isfinite(positions[slot]).all() and (on_table is None or (int(on_table) >> slot) & 1)
        ]
        balls = {slot: (float(positions[slot, 0]), float(positions[slot, 1])) for slot in seen}
        return cls(table_spec(table), balls, title=title)

    def with_paths(self, paths: Mapping[int, np.ndarray], *, least: float = 0.002) -> Scene:
        """The scene after a stroke: paths of the balls that moved further than ``least`` metres, rings where they
        started, and the balls where their paths end (a path that ends in a pocket leaves no ball).
        """
        moved = {slot: np.asarray(path, dtype=float) for slot, path in paths.items() if _length(path) > least}
        pockets = table_outline(self.spec).pockets
        balls = dict(self.balls)
        ghosts = list(self.ghosts)
        for slot, path in moved.items():
            ghosts.append((slot, float(path[0, 0]), float(path[0, 1])))
            balls.pop(slot, None)
            if not _in_a_pocket(path[-1], pockets):
                balls[slot] = (float(path[-1, 0]), float(path[-1, 1]))
        return Scene(self.spec, balls, moved, ghosts, self.lit, self.zones, self.aim, self.title)


def _length(path: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(np.asarray(path, dtype=float), axis=0), axis=1).sum())


def _in_a_pocket(point: np.ndarray, pockets: np.ndarray) -> bool:
    # A ball falls when its centre enters the circle, so the path's last point lies on it: allow a millimetre.
    return bool((np.hypot(pockets[:, 0] - point[0], pockets[:, 1] - point[1]) <= pockets[:, 2] + 1e-3).any())
