"""Pixels: the right colour at the right place, smooth edges, any size, nothing shared between images."""

import numpy as np
import pytest

from sinuca_env.render.raster import draw_rgb
from sinuca_env.render.scene import Scene, ball_colour, table_outline
from sinuca_env.state import SinucaError
from sinuca_env.state.balls import N_SLOTS
from sinuca_env.table import TABLES


def pixel(image, spec, x, y):
    half = table_outline(spec).half
    per_pixel = 2 * half[0] / image.shape[1]
    return image[int((half[1] - y) / per_pixel), int((x + half[0]) / per_pixel)].astype(int)


def spread_balls(spec):
    layout = np.full((N_SLOTS, 2), np.nan)
    layout[:, 0] = np.linspace(-0.8, 0.8, N_SLOTS) * spec.length / 2
    layout[:, 1] = 0.21 * spec.width
    return layout


@pytest.mark.parametrize("name", sorted(TABLES))
@pytest.mark.parametrize("width", [320, 961])
def test_every_ball_shows_its_colour_where_it_lies(name, width):
    spec = TABLES[name]
    layout = spread_balls(spec)
    image = draw_rgb(Scene.from_layout(layout, spec), width)
    assert image.dtype == np.uint8
    assert image.shape[1] == width
    half = table_outline(spec).half
    assert image.shape[0] == pytest.approx(width * half[1] / half[0], abs=1)
    for slot in range(N_SLOTS):
        x, y = layout[slot]
        wanted = np.array([int(ball_colour(slot)[i : i + 2], 16) for i in (1, 3, 5)])
        seen = pixel(image, spec, x + 0.3 * spec.ball_radius, y - 0.1 * spec.ball_radius)
        others = {tuple(int(ball_colour(s)[i : i + 2], 16) for i in (1, 3, 5)) for s in (0, 1, *range(16, 22))}
        nearest = min(others, key=lambda c: np.abs(np.array(c) - seen).sum())
        assert nearest == tuple(wanted), slot


def test_cloth_pocket_and_wood():
    spec = TABLES["snooker_12ft"]
    shape = table_outline(spec)
    image = draw_rgb(Scene(spec), 800)
    cloth, wood = pixel(image, spec, 0.5, 0.3), pixel(image, spec, 0.6, shape.half[1] - 0.05)
    assert cloth.argmax() == 1
    assert wood.argmax() == 0
    for x, y, _ in shape.pockets:
        assert pixel(image, spec, x, y).max() < 30
    # The table is symmetric about its long axis, so is the picture.
    assert np.abs(image.astype(int) - image[::-1]).max() <= 1


def test_paths_and_marks_change_only_their_place():
    spec = TABLES["snooker_12ft"]
    empty = draw_rgb(Scene(spec), 640)
    marked = draw_rgb(Scene(spec, paths={1: np.array([[-1.0, -0.5], [1.0, -0.5]])}), 640)
    rows = np.flatnonzero((empty != marked).any(axis=(1, 2)))
    assert 1 <= len(rows) <= 5
    assert draw_rgb(Scene(spec), 640) is not empty
    assert (draw_rgb(Scene(spec), 640) == empty).all()


@pytest.mark.parametrize("width", [63, 0, 100_000])
def test_a_width_that_makes_no_sense_is_refused(width):
    with pytest.raises(SinucaError, match="width"):
        draw_rgb(Scene(TABLES["snooker_12ft"]), width)
