"""Pictures and pages: what a table, a shot, a frame or a run looks like. Drawing needs nothing but the base install."""

from sinuca_env.render.scene import Scene, table_outline
from sinuca_env.render.svg import draw_svg

__all__ = ["Scene", "draw_svg", "table_outline"]
