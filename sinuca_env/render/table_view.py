"""A game's table as people see it: ``render_mode`` of the environments."""

from __future__ import annotations

from typing import Any

import numpy as np

from sinuca_env.render.raster import draw_rgb
from sinuca_env.render.scene import Scene
from sinuca_env.state.balls import N_SLOTS
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.notation import frame_to_text, layout_to_text

__all__ = ["RENDER_MODES", "check_render_mode", "render_table", "scene_of"]

RENDER_MODES = ("ansi", "rgb_array")


def check_render_mode(mode: Any) -> None:
    """Refuse what is neither None nor one of :data:`RENDER_MODES`.

    Raises:
        SinucaError: with the accepted words.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise SinucaError(f"render_mode: {mode!r}{suggest(str(mode), RENDER_MODES)}: null, {', '.join(RENDER_MODES)}")


def scene_of(tables: Any, lane: int = 0) -> Scene:
    """What stands on a lane of :class:`sinuca_env.game.tables.Tables`; the balls that may be hit first are lit."""
    scene = Scene.from_layout(tables.layouts[lane], tables.spec, int(tables.frames["on_table"][lane]))
    targets = int(tables.legals["targets"][lane])
    scene.lit = [slot for slot in range(N_SLOTS) if (targets >> slot) & 1]
    return scene


def render_table(tables: Any, mode: str | None, lane: int = 0, width: int = 960) -> str | np.ndarray | None:
    """One lane as text (``ansi``: frame and layout in the project's notation), as pixels, or nothing."""
    if mode == "rgb_array":
        return draw_rgb(scene_of(tables, lane), width)
    if mode == "ansi":
        return f"{frame_to_text(tables.frames[lane])}\n{layout_to_text(tables.layouts[lane])}"
    return None
