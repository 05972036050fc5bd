"""Speed of the environment: steps per second, and where the time of a step goes.

Each case plays one random step from the same situations over and over; the fastest of several rounds counts, so that
other work on the machine disturbs little. ``rest`` is everything that is neither physics nor rules: decoding actions,
placement and elevation, reward terms, observations, infos.
"""

from __future__ import annotations

import platform
from time import perf_counter
from typing import Any

import numpy as np

from sinuca_env.envs.vector import SinucaVectorEnv, make_vector
from sinuca_env.physics.batch import default_threads

__all__ = ["CASES", "run_env_bench"]

CASES: dict[str, tuple[str, dict[str, Any], int]] = {
    "SinucaPot-v0": ("SinucaPot-v0", {}, 2),
    "Sinuca-v0, 8 balls": ("Sinuca-v0", {"opponent": "self"}, 8),
    "Sinuca-v0, 22 balls": ("Sinuca-v0", {"opponent": "self"}, 22),
    "SinucaTarget-v0, 22 balls": ("SinucaTarget-v0", {"opponent": "self"}, 22),
}
"""Environment id, its arguments and how many balls lie on the cloth, by case."""


def scatter_balls(env: SinucaVectorEnv, balls: int, rng: np.random.Generator) -> None:
    """Put the environment into mid-frame: cue ball, colours and as many reds as fit the number, anywhere, red on."""
    tables = env.tables
    radius, half = tables.spec.ball_radius, np.array([tables.spec.length, tables.spec.width]) / 2 - 0.05
    slots = [0, *range(1, balls - 6), *range(16, 22)]
    for lane in range(env.num_envs):
        layout = np.full((22, 2), np.nan)
        for slot in slots:
            while True:
                place = rng.uniform(-half, half)
                if not (np.hypot(*(layout - place).T) < 2.2 * radius).any():
                    break
            layout[slot] = place
        tables.layouts[lane] = layout
    frames = tables.frames
    frames["on_table"] = sum(1 << slot for slot in slots)
    for name in ("in_hand", "opening", "transferable"):
        frames[name] = 0
    tables.settle()
    env.play.begin(tables.all_lanes)


def measure(env: SinucaVectorEnv, rounds: int) -> dict[str, float]:
    """Steps per second and microseconds per step by part, of the fastest round."""
    state = env.get_state()
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(rounds)]
    env.step(actions[0])  # compiled and in the caches now
    best: dict[str, float] = {}
    for action in actions:
        env.set_state(state)
        before = dict(env.tables.seconds)
        start = perf_counter()
        env.step(action)
        total = perf_counter() - start
        spent = {name: value - before[name] for name, value in env.tables.seconds.items()}
        if not best or total < best["total"]:
            best = {"total": total, "physics": spent["physics"], "rules": spent["rules"]}
    scale = 1e6 / env.num_envs
    physics, rules = best["physics"] * scale, best["rules"] * scale
    rest = best["total"] * scale - physics - rules
    return {
        "steps_per_s": env.num_envs / best["total"],
        "us_physics": physics,
        "us_rules": rules,
        "us_rest": rest,
        "share_physics": best["physics"] / best["total"],
        "share_rules": best["rules"] / best["total"],
        "share_rest": rest / (best["total"] * scale),
    }


def run_env_bench(num_envs: int = 1024, rounds: int = 20) -> dict[str, Any]:
    """All cases.

    Args:
        num_envs: tables in a batch.
        rounds: steps measured per case.

    Returns:
        ``{"cases": {name: {"steps_per_s", "us_physics", "us_rules", "us_rest", "share_..."}}, "num_envs", "threads",
        "versions"}``.
    """
    cases = {}
    for name, (env_id, kwargs, balls) in CASES.items():
        env = make_vector(env_id, num_envs, **kwargs)
        env.reset(seed=0)
        if balls > 2:
            scatter_balls(env, balls, np.random.default_rng(0))
        cases[name] = measure(env, rounds)
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    return {"cases": cases, "num_envs": num_envs, "threads": default_threads(), "versions": versions}
