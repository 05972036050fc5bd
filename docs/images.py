"""Draw the pictures of the README into ``docs/images``: ``python docs/images.py [runs/demo]``.

Nothing is drawn by hand: the table is the start of a frame, the shots are ``greedy``'s on the first layouts of the
evaluation, curve and bars are those of the last demo.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from sinuca_env.bench.demo.play import shot_scenes
from sinuca_env.envs.config import env_config
from sinuca_env.game.tables import Tables
from sinuca_env.policies import get_policy
from sinuca_env.render import Scene, draw_svg
from sinuca_env.render.chart import Bar, bar_chart, line_chart
from sinuca_env.render.strokes import paths_of, watch

HERE = Path(__file__).parent / "images"


def frame_scene(reds: int, *, potting: bool, seed: int = 0) -> Scene:
    """A stroke of a frame, greedy against greedy, with its paths: the break-off, or the first colour that falls."""
    config = env_config("frame", reds=reds, opponent="self")
    tables = Tables(1, config.spec, config.cfg, config.params, config.task, config.noise)
    tables.seed([seed])
    tables.reset()
    greedy = get_policy("greedy")
    while True:
        on_table = int(tables.frames["on_table"][0]) | 1
        tables.step(greedy.act(tables.view()))
        if not potting or tables.rulings["points"][0] > 1 or tables.frames["frame_over"][0]:
            break
    stroke = watch(tables.befores[0], on_table, tables.strikes[0], tables.spec, tables.params)
    scene = Scene.from_layout(tables.befores[0], tables.spec, on_table, title="a stroke of a frame")
    return scene.with_paths(paths_of(stroke.tracks))


def main(run: Path) -> None:
    """Write the pictures; those of the demo only if it has been run."""
    HERE.mkdir(exist_ok=True)
    pictures = {
        "break_off": draw_svg(frame_scene(15, potting=False), key="a"),
        "frame": draw_svg(frame_scene(10, potting=True), key="b"),
    }
    scenes = shot_scenes("greedy", {}, pots=1, misses=0)
    pictures["pot"] = draw_svg(scenes[0][0], key="c")
    told = run / "demo.json"
    if told.exists():
        demo = json.loads(told.read_text(encoding="utf-8"))
        rates = [(row["name"], row["metrics"]["pot_rate"]) for row in demo["results"]]
        bars = [Bar(name, rate["value"], rate["low"], rate["high"]) for name, rate in rates]
        pictures["demo_bars"] = bar_chart(bars, title="potted on the same unseen layouts")
        curve = demo["curve"]
        pictures["demo_curve"] = line_chart(
            [row["steps"] for row in curve], [row["success_rate"] for row in curve], title="learning curve",
            x_label="strokes of training", y_label="potted", percent=True,
            levels=[(bar.name, bar.value) for bar in bars if bar.name in ("random", "greedy")],
        )  # fmt: skip
    for name, svg in pictures.items():
        (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")
        print(HERE / f"{name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/demo"))
