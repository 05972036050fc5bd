"""``make demo``: train, compare, play, report; every stage timed."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from sinuca_env.bench.demo.warm import start_compiling
from sinuca_env.bench.files import replacing, write_json, write_text
from sinuca_env.bench.training.config import TrainConfig, load_config
from sinuca_env.state.errors import SinucaError

__all__ = ["DemoResult", "demo_config", "run_demo"]

TASK_ID = "SinucaPot-v0"
EPISODES = 1000
STAGES = ("compile", "train", "evaluate", "frame", "report")


@dataclasses.dataclass
class DemoResult:
    """Everything that the demo's table and page tell.

    Attributes:
        rows: ``(name, evaluation)`` in the order of the table, see :func:`sinuca_env.bench.evaluate.evaluate`.
        curve: rows of the learning curve.
        seconds: by stage, in the order of ``STAGES``.
        parts: of the training, by activity.
        steps: strokes trained on.
        frame: the recorder of the frame.
        folder: where the files are.
    """

    rows: list[tuple[str, dict[str, Any]]]
    curve: list[dict[str, float]]
    seconds: dict[str, float]
    parts: dict[str, float]
    steps: int
    frame: Any
    folder: Path


def demo_config(path: str | Path | None = None) -> TrainConfig:
    """The demo's training config: the given file, or the one that the package carries."""
    if path is not None:
        return load_config(path)
    with resources.as_file(resources.files("sinuca_env.bench.demo").joinpath("demo.yaml")) as packaged:
        return load_config(packaged)


class _Stages:
    def __init__(self, quiet: bool) -> None:
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self._quiet = quiet

    @contextmanager
    def __call__(self, name: str, told: str) -> Iterator[None]:
        if not self._quiet:
            print(f"[{STAGES.index(name) + 1}/{len(STAGES)}] {told}", file=sys.stderr, flush=True)
        start = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - start


def run_demo(
    folder: str | Path = "runs/demo",
    *,
    config: TrainConfig | None = None,
    episodes: int = EPISODES,
    quiet: bool = False,
) -> DemoResult:
    """Run the whole demo and write its files.

    Args:
        folder: for ``report.html``, ``frame.html``, ``demo.json``, ``frame.json`` and the trained model.
        config: of the training; the demo's own if not given.
        episodes: unseen layouts for the comparison.
        quiet: nothing on the terminal.

    Raises:
        SinucaError: something that is needed is missing or the folder cannot be written.
    """
    config = demo_config() if config is None else config
    if config.env.id != TASK_ID:
        raise SinucaError(f"env.id: {config.env.id}: the demo is about {TASK_ID}")
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SinucaError(f"{folder}: cannot be written: {error.strerror}") from None
    stage = _Stages(quiet)
    with stage("compile", "compiling kernels (the first time on a machine only)"):
        untrained = _save_untrained(config, folder)
    compiling = start_compiling()
    try:
        with stage("train", f"training on {config.env.id}, about {_told(config)}"):
            from sinuca_env.bench.training.run import train

            trained = train(config, folder / "training", overwrite=True, quiet=quiet)
        with stage("compile", "compiling what is left"):
            compiling.wait()
    finally:
        compiling.kill()
    with stage("evaluate", f"comparing on {episodes:,} unseen layouts"):
        rows = _compare(config, untrained, trained.folder / "model.zip", episodes)
    with stage("frame", "one frame with 6 reds, greedy against greedy"):
        from sinuca_env.bench.demo.play import demo_frame

        frame = demo_frame()
    result = DemoResult(rows, trained.curve, stage.seconds, trained.parts, trained.steps, frame, folder)
    with stage("report", "writing the report"):
        _write(result, config, trained.folder / "model.zip")
    # The page itself cannot know how long it took to write: the JSON does.
    write_json(folder / "demo.json", summary(result, config))
    return result


def _told(config: TrainConfig) -> str:
    return f"{config.minutes:g} minutes" if config.minutes else f"{config.steps:,} strokes"


def _save_untrained(config: TrainConfig, folder: Path) -> Path:
    """The network before the first step (of the same seed as the one that is trained)."""
    from sinuca_env.bench.training.run import make_model, make_vec_env
    from sinuca_env.bench.training.sidecar import sidecar

    path = folder / "untrained.zip"
    env = make_vec_env(config, config.lanes)
    model = make_model(config, env)
    env.reset()
    env.step(env.action_space.sample()[None].repeat(config.lanes, axis=0))
    with replacing(path) as temporary:
        model.save(temporary)
    write_json(path.with_suffix(".json"), sidecar(config, 0))
    return path


def _compare(config: TrainConfig, untrained: Path, trained: Path, episodes: int) -> list[tuple[str, dict[str, Any]]]:
    from sinuca_env.bench.evaluate import evaluate

    face = config.env.kwargs.get("action", "relative")
    players = (("random", "random"), ("untrained network", untrained), ("trained agent", trained), ("greedy", "greedy"))
    return [
        (name, evaluate(str(policy), "pot", episodes=episodes, seed=0, action=face if name == "random" else None))
        for name, policy in players
    ]


def summary(result: DemoResult, config: TrainConfig) -> dict[str, Any]:
    """The demo's outcome as plain data."""
    from sinuca_env.bench.training.sidecar import versions

    frame = result.frame.tables.frames[0]
    return {
        "results": [{"name": name, **row} for name, row in result.rows],
        "steps": result.steps,
        "seconds": result.seconds,
        "training_seconds": result.parts,
        "curve": result.curve,
        "frame": {
            "strokes": len(result.frame.rows),
            "scores": [int(points) for points in frame["scores"]],
            "winner": int(frame["winner"]),
            "over": bool(frame["frame_over"]),
            "fouls": result.frame.fouls,
        },
        "config": dataclasses.asdict(config),
        "cpus": os.cpu_count(),
        "versions": versions(),
    }


def _write(result: DemoResult, config: TrainConfig, model: Path) -> None:
    from sinuca_env.bench.demo.page import report_page
    from sinuca_env.bench.demo.play import shot_scenes
    from sinuca_env.render.replay import replay_page

    replay = result.frame.replay()
    write_json(result.folder / "frame.json", replay)
    write_text(result.folder / "frame.html", replay_page(replay))
    scenes = shot_scenes(str(model), {k: v for k, v in config.env.kwargs.items() if k != "reward"})
    write_text(result.folder / "report.html", report_page(result, scenes))
