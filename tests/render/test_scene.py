"""Scenes and their SVG: the shapes are the table's own, the picture shows what the scene holds."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from sinuca_env.render.scene import CUSHION_DEPTH, Scene, ball_colour, table_outline
from sinuca_env.render.svg import draw_svg
from sinuca_env.state import SinucaError
from sinuca_env.state.balls import BLACK, BLUE, CUE, N_SLOTS
from sinuca_env.table import TABLES

TABLE_NAMES = sorted(TABLES)
SVG = "{http://www.w3.org/2000/svg}"


def some_layout() -> np.ndarray:
    layout = np.full((N_SLOTS, 2), np.nan)
    layout[CUE], layout[BLUE], layout[BLACK] = (-0.5, 0.2), (0.0, 0.0), (1.0, -0.3)
    return layout


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_cushions_follow_the_faces_and_jaws_that_balls_collide_with(name):
    spec = TABLES[name]
    rec, shape = spec.record[0], table_outline(spec)
    assert len(shape.cushions) == 6
    for polyline, (x1, y1, x2, y2, nx, ny) in zip(shape.cushions, rec["lines"], strict=True):
        depth = (np.array([x1, y1]) - polyline) @ [nx, ny]
        assert depth.min() == pytest.approx(0.0, abs=1e-12)
        assert depth[[0, -1]] == pytest.approx(CUSHION_DEPTH)
        assert any(np.allclose(point, (x1, y1)) for point in polyline)
        # Every other point lies on one of the jaws.
        gaps = np.abs(np.linalg.norm(polyline[:, None] - rec["arcs"][None, :, :2], axis=2) - rec["arcs"][:, 2])
        assert gaps.min(axis=1).max() < 1e-9
        assert np.hypot(x2 - x1, y2 - y1) < np.linalg.norm(polyline[0] - polyline[-1])


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_fall_circles_fit_on_the_wood(name):
    shape = table_outline(TABLES[name])
    reach = np.abs(shape.pockets[:, :2]) + shape.pockets[:, 2:]
    assert (reach < shape.half).all()


def test_layout_balls_at_nan_or_out_of_play_are_not_drawn():
    scene = Scene.from_layout(some_layout())
    assert sorted(scene.balls) == [CUE, BLUE, BLACK]
    assert sorted(Scene.from_layout(some_layout(), on_table=1 << BLUE).balls) == [BLUE]
    with pytest.raises(SinucaError, match="layout: shape"):
        Scene.from_layout(np.zeros((3, 2)))
    with pytest.raises(SinucaError, match="did you mean 'snooker_12ft'"):
        Scene.from_layout(some_layout(), "snooker_12f")


def test_with_paths_moves_balls_to_their_ends_and_pots_take_them_away():
    scene = Scene.from_layout(some_layout())
    pocket = table_outline(scene.spec).pockets[3]
    into = pocket[:2] - [pocket[2] / 2**0.5] * 2
    after = scene.with_paths(
        {CUE: np.array([[-0.5, 0.2], [0.3, 0.3]]), BLACK: np.array([[1.0, -0.3], into]), BLUE: np.zeros((3, 2))}
    )
    assert after.balls[CUE] == (0.3, 0.3)
    assert BLACK not in after.balls
    assert BLUE not in after.paths
    assert (CUE, -0.5, 0.2) in after.ghosts
    assert BLACK in scene.balls  # the first scene is unchanged


def test_svg_is_xml_with_a_circle_where_each_ball_lies():
    scene = Scene.from_layout(some_layout(), title="A < B")
    root = ET.fromstring(draw_svg(scene))
    assert root.find(f"{SVG}title").text == "A < B"
    radius = scene.spec.ball_radius * 1000
    drawn = {
        (float(c.get("cx")), -float(c.get("cy")))
        for c in root.iter(f"{SVG}circle")
        if c.get("fill", "").startswith("url") and abs(float(c.get("r")) - radius) < 0.06
    }
    assert drawn == {(x * 1000, y * 1000) for x, y in scene.balls.values()}
    defined = {e.get("id") for e in root.iter() if e.get("id")}
    used = {v[5:-1] for e in root.iter() for v in e.attrib.values() if v.startswith("url(#")}
    assert used <= defined


def test_two_pictures_in_one_page_do_not_share_ids():
    scene = Scene.from_layout(some_layout())
    ids = [{e.get("id") for e in ET.fromstring(draw_svg(scene)).iter() if e.get("id")} for _ in range(2)]
    assert not ids[0] & ids[1]


def test_ball_colours_differ():
    assert len({ball_colour(slot) for slot in (0, 1, 16, 17, 18, 19, 20, 21)}) == 8
    assert ball_colour(1) == ball_colour(15)
