"""What the demo plays for people to look at: a few shots on unseen layouts, and one whole frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sinuca_env.bench.evaluate import EVALUATION_SEED
from sinuca_env.bench.recorder import Recorder, play_recorded
from sinuca_env.envs.config import env_config
from sinuca_env.game.tables import Tables
from sinuca_env.policies import get_policy
from sinuca_env.render.scene import Scene
from sinuca_env.render.strokes import paths_of, watch

__all__ = ["FRAME_SEED", "demo_frame", "shot_scenes"]

FRAME_SEED = EVALUATION_SEED


def _tables(task: str, n: int, **kwargs: Any) -> Tables:
    config = env_config(task, **kwargs)
    return Tables(n, config.spec, config.cfg, config.params, config.task, config.noise)


def shot_scenes(
    policy: Any, kwargs: Mapping[str, Any], *, pots: int = 4, misses: int = 2, among: int = 200
) -> list[tuple[Scene, bool]]:
    """The first pots and the first misses of a policy on the evaluation's layouts, with their paths.

    Args:
        policy: as :func:`get_policy` takes it.
        kwargs: of the pot environment.
        pots: how many.
        misses: how many; fewer if there are not so many among the first ``among`` layouts.
        among: layouts to look at.

    Returns:
        Scenes, each with whether the ball fell by a lawful stroke.
    """
    tables = _tables("pot", among, **kwargs)
    tables.seed([EVALUATION_SEED + episode for episode in range(among)])
    tables.reset()
    balls = tables.frames["on_table"].copy()
    tables.step(get_policy(policy).act(tables.view()))
    fell = tables.rulings["points"] > 0
    wanted = [*np.flatnonzero(fell)[:pots], *np.flatnonzero(~fell)[:misses]]
    scenes = []
    for lane in map(int, wanted):
        scene = Scene.from_layout(tables.befores[lane], tables.spec, int(balls[lane]))
        stroke = watch(tables.befores[lane], int(balls[lane]), tables.strikes[lane], tables.spec, tables.params)
        scene.title = f"layout {lane}: {'potted' if fell[lane] else 'missed'}"
        scenes.append((scene.with_paths(paths_of(stroke.tracks)), bool(fell[lane])))
    return scenes


def demo_frame(
    seed: int = FRAME_SEED, *, reds: int = 6, most: int = 2000, progress: Callable[[int], None] | None = None
) -> Recorder:
    """One frame, greedy against greedy, played to its end."""
    tables = _tables("frame", 1, reds=reds, opponent="self")
    tables.seed([seed])
    tables.reset()
    greedy = get_policy("greedy")
    names = ("greedy A", "greedy B")
    return play_recorded(tables, (greedy, greedy), names, f"{reds} reds, greedy against greedy", most=most,
                         progress=progress)  # fmt: skip
