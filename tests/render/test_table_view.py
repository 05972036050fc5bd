"""``render_mode`` of the environments: pixels and text of the table that is really there."""

import gymnasium as gym
import numpy as np
import pytest

import sinuca_env
from sinuca_env.render.scene import table_outline
from sinuca_env.render.table_view import scene_of
from sinuca_env.state.notation import frame_from_text, layout_from_text


def test_rgb_array_shows_the_cue_ball_where_it_lies():
    env = gym.make("SinucaPot-v0", render_mode="rgb_array")
    env.reset(seed=3)
    picture = env.render()
    tables = env.unwrapped.tables
    half = table_outline(tables.spec).half
    x, y = tables.layouts[0, 0]
    row = int(picture.shape[0] / 2 - y * picture.shape[1] / (2 * half[0]))
    column = int((x + half[0]) * picture.shape[1] / (2 * half[0]))
    assert picture.dtype == np.uint8
    assert picture[row, column].min() > 150
    env.close()


def test_ansi_can_be_read_back():
    env = gym.make("Sinuca-v0", reds=10, render_mode="ansi")
    env.reset(seed=3)
    frame, layout = env.render().split("\n", 1)
    tables = env.unwrapped.tables
    assert np.nanmax(np.abs(layout_from_text(layout) - tables.layouts[0])) < 1e-6
    assert frame_from_text(frame)["on_table"] == tables.frames["on_table"][0]


def test_a_vector_environment_renders_every_lane():
    env = sinuca_env.make_vector("SinucaPot-v0", 3, render_mode="rgb_array")
    env.reset(seed=0)
    pictures = env.render()
    assert len(pictures) == 3
    assert (pictures[0] != pictures[1]).any()
    assert sinuca_env.make_vector("SinucaPot-v0", 2).render() is None
    assert set(scene_of(env.tables, 1).lit) <= set(scene_of(env.tables, 1).balls)


def test_an_unknown_mode_is_refused():
    with pytest.raises(sinuca_env.SinucaError, match="did you mean 'rgb_array'"):
        sinuca_env.make_vector("SinucaPot-v0", 1, render_mode="rgb_aray")
