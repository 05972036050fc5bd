"""Small charts as SVG: a line chart for learning curves, bars with intervals for comparisons. No plotting library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

__all__ = ["Bar", "bar_chart", "line_chart", "ticks"]

_INK, _GRID, _MUTED, _LINE, _FILL = "#23302a", "#dfe5e1", "#6a766f", "#0e6b43", "#8fc3a8"
_FONT = 'font-family="system-ui, sans-serif"'


class Bar(NamedTuple):
    """A named value with its interval."""

    name: str
    value: float
    low: float
    high: float


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers (1, 2 or 5 times a power of ten apart) from ``low`` to ``high``, at most ``most`` of them."""
    if not high > low:
        return [low]
    raw = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def _short(value: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def _text(x: float, y: float, text: str, anchor: str = "middle", colour: str = _MUTED, size: int = 13) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}" {_FONT}>'
        f"{escape(text)}</text>"
    )


def _open(width: int, height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(title)}</title>'
    )


def line_chart(
    xs: Sequence[float],
    ys: Sequence[float],
    *,
    title: str,
    x_label: str,
    y_label: str = "",
    percent: bool = False,
    levels: Sequence[tuple[str, float]] = (),
    width: int = 720,
    height: int = 320,
) -> str:
    """A line through the points, with named horizontal levels to compare it with.

    Args:
        xs: rising.
        ys: as many; shown as percentages from 0 to 100 if ``percent``.
        title: for screen readers.
        x_label: below the axis.
        y_label: above the axis.
        percent: ``ys`` are rates, 0 to 1.
        levels: ``(name, y)`` of dashed lines.
        width: px.
        height: px.
    """
    left, right, top, bottom = 58, 24 if not levels else 120, 30, 46
    every = [*ys, *(y for _, y in levels)] or [0.0]
    low, high = (0.0, 1.0) if percent else (min([*every, 0.0]), max([*every, 1e-9]))
    x0, x1 = (xs[0], xs[-1]) if len(xs) > 1 else (0.0, max([1.0, *xs]))

    def px(x: float) -> float:
        return left + (x - x0) / (x1 - x0) * (width - left - right)

    def py(y: float) -> float:
        return height - bottom - (y - low) / (high - low) * (height - top - bottom)

    parts = [_open(width, height, title)]
    for y in ticks(low, high):
        parts.append(f'<path d="M{left},{py(y):.1f} H{width - right}" stroke="{_GRID}"/>')
        parts.append(_text(left - 8, py(y) + 4, f"{100 * y:g} %" if percent else _short(y), "end"))
    for x in ticks(x0, x1, 8):
        parts.append(f'<path d="M{px(x):.1f},{height - bottom} v5" stroke="{_MUTED}"/>')
        parts.append(_text(px(x), height - bottom + 20, _short(x)))
    for name, y in levels:
        parts.append(
            f'<path d="M{left},{py(y):.1f} H{width - right}" stroke="{_MUTED}" stroke-dasharray="5 5"/>'
            + _text(width - right + 6, py(y) + 4, name, "start", _INK)
        )
    if len(xs) > 0:
        points = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in zip(xs, ys, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{_LINE}" stroke-width="2.5"/>')
        parts += [
            f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{_LINE}">'
            f"<title>{_short(x)}: {y:.3g}</title></circle>"
            for x, y in zip(xs, ys, strict=True)
        ]
    parts.append(_text((left + width - right) / 2, height - 8, x_label, colour=_INK))
    parts.append(_text(left, 16, y_label, "start", _INK))
    return "".join(parts) + "</svg>\n"


def bar_chart(bars: Sequence[Bar], *, title: str, width: int = 720) -> str:
    """Horizontal bars of rates (0 to 1) with their intervals as whiskers."""
    left, right, row, top = 150, 70, 38, 8
    height = top + row * len(bars) + 8
    scale = width - left - right
    parts = [_open(width, height, title)]
    parts += [
        f'<path d="M{left + x * scale:.1f},{top} V{height - 6}" stroke="{_GRID}"/>' for x in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    for i, bar in enumerate(bars):
        y = top + i * row + row / 2
        parts.append(_text(left - 10, y + 5, bar.name, "end", _INK, 15))
        parts.append(
            f'<rect x="{left}" y="{y - 11:.1f}" width="{bar.value * scale:.1f}" height="22" rx="3" fill="{_FILL}"/>'
            f'<path d="M{left + bar.low * scale:.1f},{y:.1f} H{left + bar.high * scale:.1f} '
            f"M{left + bar.low * scale:.1f},{y - 5:.1f} v10 M{left + bar.high * scale:.1f},{y - 5:.1f} v10"
            f'" stroke="{_INK}" stroke-width="1.5"/>'
        )
        parts.append(
            _text(left + max(bar.value, bar.high) * scale + 8, y + 5, f"{100 * bar.value:.1f} %", "start", _INK)
        )
    return "".join(parts) + "</svg>\n"
