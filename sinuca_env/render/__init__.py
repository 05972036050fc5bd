"""Pictures and pages: what a table, a shot, a frame or a run looks like. Drawing needs nothing but the base install."""

from sinuca_env.render.raster import draw_rgb
from sinuca_env.render.replay import load_replay, replay_page
from sinuca_env.render.scene import Scene, table_outline
from sinuca_env.render.svg import draw_svg

__all__ = ["Scene", "draw_rgb", "draw_svg", "load_replay", "replay_page", "table_outline"]
