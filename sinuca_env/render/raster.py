"""A scene as pixels, in plain NumPy: ``rgb_array`` frames anywhere, without a screen or a drawing library.

Shapes are signed distances (negative inside, metres) turned into coverage over one pixel, which is what makes edges
smooth. The empty table is drawn once per table and size and kept.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

from sinuca_env.render.scene import CUSHION_DEPTH, Scene, ball_colour, table_outline
from sinuca_env.state.errors import SinucaError
from sinuca_env.table.spec import TableSpec

__all__ = ["draw_rgb"]

MIN_WIDTH, MAX_WIDTH = 64, 8192
_WOOD, _WOOD_EDGE, _POCKET = (0x5A, 0x2C, 0x17), (0x2B, 0x14, 0x0A), (0x0B, 0x0B, 0x0C)
_CLOTH, _CLOTH_LIGHT = np.array([0x0E, 0x6B, 0x43]), np.array([0x1A, 0x8A, 0x58])
_CUSHION, _NOSE, _LINE = (0x0A, 0x52, 0x33), (0x2A, 0x9D, 0x68), (0xE9, 0xEF, 0xE6)


class _Canvas:
    """An image in metres: ``paint`` blends a colour where a distance is negative."""

    def __init__(self, half: tuple[float, float], width: int) -> None:
        self.pixel = 2 * half[0] / width
        height = max(1, round(2 * half[1] / self.pixel))
        self.half = half
        self.image = np.zeros((height, width, 3))
        self.xs = (np.arange(width) + 0.5) * self.pixel - half[0]
        self.ys = (height / 2 - np.arange(height) - 0.5) * self.pixel

    def window(self, low: np.ndarray, high: np.ndarray) -> tuple[slice, slice]:
        """Rows and columns whose centres can be touched by a shape in this box."""
        margin = 2 * self.pixel
        columns = np.searchsorted(self.xs, [low[0] - margin, high[0] + margin])
        rows = np.searchsorted(-self.ys, [-high[1] - margin, -low[1] + margin])
        return slice(*rows), slice(*columns)

    def grid(self, box: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray]:
        return self.xs[None, box[1]], self.ys[box[0], None]

    def paint(self, box: tuple[slice, slice], distance: np.ndarray, colour: object, alpha: float = 1.0) -> None:
        cover = (np.clip(0.5 - distance / self.pixel, 0.0, 1.0) * alpha)[..., None]
        part = self.image[box]
        part += (np.asarray(colour, dtype=float) - part) * cover

    def disc(self, x: float, y: float, radius: float, colour: object, alpha: float = 1.0) -> None:
        box = self.window(np.array([x, y]) - radius, np.array([x, y]) + radius)
        gx, gy = self.grid(box)
        self.paint(box, np.hypot(gx - x, gy - y) - radius, colour, alpha)

    def ring(self, x: float, y: float, radius: float, width: float, colour: object, alpha: float = 1.0) -> None:
        reach = radius + width
        box = self.window(np.array([x, y]) - reach, np.array([x, y]) + reach)
        gx, gy = self.grid(box)
        self.paint(box, np.abs(np.hypot(gx - x, gy - y) - radius) - max(width, self.pixel) / 2, colour, alpha)

    def stroke(self, line: np.ndarray, width: float, colour: object, alpha: float = 1.0) -> None:
        """A polyline; painted in one go so that joints are not darker."""
        half = max(width, self.pixel) / 2
        box = self.window(line.min(axis=0) - half, line.max(axis=0) + half)
        self.paint(box, self._to_polyline(box, line) - half, colour, alpha)

    def _to_polyline(self, box: tuple[slice, slice], line: np.ndarray) -> np.ndarray:
        gx, gy = self.grid(box)
        nearest = np.full((gy.shape[0], gx.shape[1]), np.inf)
        for (ax, ay), (bx, by) in itertools.pairwise(line):
            dx, dy = bx - ax, by - ay
            squared = dx * dx + dy * dy
            along = np.clip(((gx - ax) * dx + (gy - ay) * dy) / squared, 0.0, 1.0) if squared else 0.0
            np.minimum(nearest, np.hypot(gx - ax - along * dx, gy - ay - along * dy), out=nearest)
        return nearest

    def polygon(self, points: np.ndarray, colour: object) -> None:
        box = self.window(points.min(axis=0), points.max(axis=0))
        gx, gy = self.grid(box)
        closed = np.vstack([points, points[:1]])
        inside = np.zeros((gy.shape[0], gx.shape[1]), bool)
        for (ax, ay), (bx, by) in itertools.pairwise(closed):
            if ay != by:  # even-odd rule
                inside ^= ((ay > gy) != (by > gy)) & (gx < (bx - ax) * (gy - ay) / (by - ay) + ax)
        distance = self._to_polyline(box, closed)
        self.paint(box, np.where(inside, -distance, distance), colour)


def _rectangle(canvas: _Canvas, half: tuple[float, float], corner: float) -> np.ndarray:
    gx, gy = canvas.xs[None, :], canvas.ys[:, None]
    qx, qy = np.abs(gx) - half[0] + corner, np.abs(gy) - half[1] + corner
    return np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - corner


@functools.lru_cache(maxsize=8)
def _empty_table(spec: TableSpec, width: int) -> np.ndarray:
    shape = table_outline(spec)
    canvas = _Canvas(shape.half, width)
    canvas.image[:] = 255.0
    everything = (slice(None), slice(None))
    canvas.paint(everything, _rectangle(canvas, shape.half, 0.05), _WOOD_EDGE)
    canvas.paint(everything, _rectangle(canvas, (shape.half[0] - 0.006, shape.half[1] - 0.006), 0.045), _WOOD)
    far = np.hypot(canvas.xs[None, :] / shape.cloth[0], canvas.ys[:, None] / shape.cloth[1]) / np.sqrt(2)
    cloth = _CLOTH_LIGHT + (_CLOTH - _CLOTH_LIGHT) * np.clip(far, 0, 1)[..., None]
    inner = (shape.cloth[0] + CUSHION_DEPTH, shape.cloth[1] + CUSHION_DEPTH)
    canvas.paint(everything, _rectangle(canvas, inner, 0.0), cloth)
    for x, y, radius in shape.pockets:
        canvas.disc(x, y, radius + 0.008, _WOOD_EDGE)
        canvas.disc(x, y, radius, _POCKET)
    for cushion in shape.cushions:
        canvas.polygon(cushion, _CUSHION)
        canvas.stroke(cushion, 0.005, _NOSE)
    turn = np.linspace(np.pi / 2, 1.5 * np.pi, 49)
    d_line = np.column_stack([shape.baulk + shape.d_radius * np.cos(turn), shape.d_radius * np.sin(turn)])
    canvas.stroke(np.array([[shape.baulk, shape.cloth[1]], [shape.baulk, -shape.cloth[1]]]), 0.004, _LINE, 0.65)
    canvas.stroke(d_line, 0.004, _LINE, 0.65)
    for x, y in shape.spots:
        canvas.disc(x, y, 0.006, _LINE, 0.75)
    canvas.image.flags.writeable = False
    return canvas.image


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def _ball(canvas: _Canvas, x: float, y: float, radius: float, colour: np.ndarray) -> None:
    canvas.disc(x + 0.006, y - 0.009, radius * 1.02, (0, 0, 0), 0.28)
    box = canvas.window(np.array([x, y]) - radius, np.array([x, y]) + radius)
    gx, gy = canvas.grid(box)
    from_light = np.hypot(gx - x + 0.25 * radius, gy - y - 0.3 * radius) / radius
    light = np.clip(0.38 * (1.0 - from_light / 0.6), 0.0, None)[..., None]
    dark = np.clip(0.42 * (from_light - 0.45), 0.0, 0.5)[..., None]
    shade = (colour + (255.0 - colour) * light) * (1.0 - dark)
    canvas.paint(box, np.hypot(gx - x, gy - y) - radius, shade)
    canvas.disc(x - 0.3 * radius, y + 0.36 * radius, 0.17 * radius, (255, 255, 255), 0.85)


def draw_rgb(scene: Scene, width: int = 960) -> np.ndarray:
    """The scene as a fresh ``(height, width, 3)`` uint8 image; the height follows from the table.

    Raises:
        SinucaError: a width outside 64..8192.
    """
    if not MIN_WIDTH <= width <= MAX_WIDTH:
        raise SinucaError(f"width: {width} is not within {MIN_WIDTH}..{MAX_WIDTH} pixels")
    shape = table_outline(scene.spec)
    canvas = _Canvas(shape.half, int(width))
    canvas.image[:] = _empty_table(scene.spec, int(width))
    radius = scene.spec.ball_radius
    for x, y, zone in scene.zones:
        canvas.disc(x, y, zone, (255, 255, 255), 0.12)
        canvas.ring(x, y, zone, 0.005, (255, 255, 255), 0.6)
    for slot, path in scene.paths.items():
        colour = _rgb(ball_colour(slot))
        canvas.stroke(np.asarray(path, dtype=float), 0.008, colour + 0.25 * (255 - colour), 0.8)
    if scene.aim is not None:
        canvas.stroke(np.asarray(scene.aim, dtype=float), 0.004, (255, 255, 255), 0.6)
    for slot, x, y in scene.ghosts:
        canvas.disc(x, y, radius, _rgb(ball_colour(slot)), 0.16)
        canvas.ring(x, y, radius - 0.002, 0.004, (255, 255, 255), 0.8)
    for slot, (x, y) in scene.balls.items():
        if slot in scene.lit:
            canvas.ring(x, y, 1.45 * radius, 0.007, (0xFF, 0xF6, 0xB0), 0.9)
        _ball(canvas, x, y, radius, _rgb(ball_colour(slot)))
    return np.round(canvas.image).astype(np.uint8)
