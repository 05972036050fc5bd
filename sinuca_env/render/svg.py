"""A scene as SVG: one self-contained picture, no scripts, no fonts, no links.

Drawn in millimetres with y downwards, so a file opened in an editor has readable numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from html import escape

import numpy as np

from sinuca_env.render.scene import CUSHION_DEPTH, Outline, Scene, ball_colour, table_outline

__all__ = ["draw_svg"]

_MM = 1000.0
_ids = itertools.count(1)

CLOTH, CLOTH_LIGHT, CUSHION, NOSE = "#0e6b43", "#1a8a58", "#0a5233", "#2a9d68"
WOOD, WOOD_LIGHT, WOOD_EDGE, POCKET, LINE = "#4a2413", "#70391d", "#2b140a", "#0b0b0c", "#e9efe6"


def _n(value: float) -> str:
    """A number in tenths of a millimetre, without useless zeros."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def _xy(point: Iterable[float]) -> str:
    x, y = point
    return f"{_n(x * _MM)},{_n(-y * _MM)}"


def _points(polyline: np.ndarray) -> str:
    return " ".join(_xy(point) for point in polyline)


def _circle(x: float, y: float, radius: float, attributes: str) -> str:
    return f'<circle cx="{_n(x * _MM)}" cy="{_n(-y * _MM)}" r="{_n(radius * _MM)}" {attributes}/>'


def _rect(half: tuple[float, float], corner: float, attributes: str) -> str:
    w, h = half[0] * _MM, half[1] * _MM
    return (
        f'<rect x="{_n(-w)}" y="{_n(-h)}" width="{_n(2 * w)}" height="{_n(2 * h)}" rx="{_n(corner * _MM)}" '
        f"{attributes}/>"
    )


def _definitions(key: str, slots: Iterable[int]) -> str:
    shades = []
    for colour in sorted({ball_colour(slot) for slot in slots}):
        name = f"{key}-{colour[1:]}"
        shades.append(
            f'<radialGradient id="{name}" cx="0.38" cy="0.34" r="0.72">'
            f'<stop offset="0" stop-color="{_mix(colour, "#ffffff", 0.38)}"/>'
            f'<stop offset="0.45" stop-color="{colour}"/>'
            f'<stop offset="1" stop-color="{_mix(colour, "#000000", 0.42)}"/></radialGradient>'
        )
    return (
        "<defs>"
        f'<radialGradient id="{key}-cloth" cx="0.5" cy="0.5" r="0.62"><stop offset="0" stop-color="{CLOTH_LIGHT}"/>'
        f'<stop offset="1" stop-color="{CLOTH}"/></radialGradient>'
        f'<linearGradient id="{key}-wood" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{WOOD_LIGHT}"/>'
        f'<stop offset="0.5" stop-color="{WOOD}"/><stop offset="1" stop-color="{WOOD_LIGHT}"/></linearGradient>'
        f"{''.join(shades)}</defs>"
    )


def _mix(colour: str, other: str, share: float) -> str:
    a, b = (tuple(int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in (colour, other))
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in zip(a, b, strict=True))


def _table(shape: Outline, key: str) -> list[str]:
    inner = (shape.cloth[0] + CUSHION_DEPTH, shape.cloth[1] + CUSHION_DEPTH)
    parts = [
        _rect(shape.half, 0.05, f'fill="url(#{key}-wood)" stroke="{WOOD_EDGE}" stroke-width="6"'),
        _rect(inner, 0.0, f'fill="url(#{key}-cloth)"'),
    ]
    for x, y, radius in shape.pockets:
        parts.append(_circle(x, y, radius + 0.008, f'fill="{WOOD_EDGE}"'))
        parts.append(_circle(x, y, radius, f'fill="{POCKET}"'))
    for cushion in shape.cushions:
        parts.append(f'<polygon points="{_points(cushion)}" fill="{CUSHION}"/>')
        parts.append(f'<polyline points="{_points(cushion)}" fill="none" stroke="{NOSE}" stroke-width="5"/>')
    return parts + _markings(shape)


def _markings(shape: Outline) -> list[str]:
    x, r, w = shape.baulk, shape.d_radius, shape.cloth[1]
    radius = _n(r * _MM)
    parts = [
        f'<path d="M{_xy((x, w))} L{_xy((x, -w))} M{_xy((x, r))} A{radius},{radius} 0 0 0 {_xy((x, -r))}" '
        f'fill="none" stroke="{LINE}" stroke-opacity="0.65" stroke-width="4"/>'
    ]
    parts += [_circle(sx, sy, 0.006, f'fill="{LINE}" fill-opacity="0.75"') for sx, sy in shape.spots]
    return parts


def _paths(scene: Scene) -> list[str]:
    parts = []
    for slot, path in scene.paths.items():
        colour = ball_colour(slot)
        # A dark ball's path needs a light one's contrast on green cloth.
        shown = _mix(colour, "#ffffff", 0.25) if slot else "#ffffff"
        parts.append(
            f'<polyline points="{_points(path)}" fill="none" stroke="{shown}" stroke-width="9" '
            f'stroke-opacity="0.8" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    if scene.aim is not None:
        parts.append(
            f'<polyline points="{_points(scene.aim)}" fill="none" stroke="#ffffff" stroke-width="5" '
            f'stroke-opacity="0.7" stroke-dasharray="22 16"/>'
        )
    return parts


def _balls(scene: Scene, key: str) -> list[str]:
    r = scene.spec.ball_radius
    parts = [
        _circle(
            x,
            y,
            r - 0.002,
            f'fill="{ball_colour(slot)}" fill-opacity="0.16" stroke="#ffffff" '
            'stroke-opacity="0.85" stroke-width="4" stroke-dasharray="11 7"',
        )
        for slot, x, y in scene.ghosts
    ]
    for slot, (x, y) in scene.balls.items():
        colour = ball_colour(slot)
        parts.append(_circle(x + 0.006, y - 0.009, r * 1.02, 'fill="#000000" fill-opacity="0.28"'))
        if slot in scene.lit:
            parts.append(_circle(x, y, r * 1.45, 'fill="none" stroke="#fff6b0" stroke-width="7" stroke-opacity="0.9"'))
        parts.append(_circle(x, y, r, f'fill="url(#{key}-{colour[1:]})"'))
        parts.append(_circle(x - 0.3 * r, y + 0.36 * r, r * 0.17, 'fill="#ffffff" fill-opacity="0.85"'))
    return parts


def draw_svg(scene: Scene, *, width: int = 960, key: str | None = None) -> str:
    """The scene as one ``<svg>`` element (a complete file too).

    Args:
        scene: what to draw.
        width: in pixels; the height follows from the table.
        key: prefix of the element's ids; several pictures in one page need different ones (default: a fresh one).
    """
    shape = table_outline(scene.spec)
    key = key or f"t{next(_ids)}"
    margin = 0.01
    w, h = (shape.half[0] + margin) * _MM, (shape.half[1] + margin) * _MM
    slots = [*scene.balls, *(slot for slot, _, _ in scene.ghosts)]
    zones = [
        _circle(
            x,
            y,
            radius,
            'fill="#ffffff" fill-opacity="0.12" stroke="#ffffff" stroke-opacity="0.6" '
            'stroke-width="5" stroke-dasharray="18 12"',
        )
        for x, y, radius in scene.zones
    ]
    title = f"<title>{escape(scene.title)}</title>" if scene.title else ""
    body = [*_table(shape, key), *zones, *_paths(scene), *_balls(scene, key)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(-w)} {_n(-h)} {_n(2 * w)} {_n(2 * h)}" '
        f'width="{width}" height="{round(width * h / w)}" role="img">{title}{_definitions(key, slots)}'
        + "\n".join(body)
        + "</svg>\n"
    )
