"""The demo's page and its table on the terminal."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from sinuca_env.bench.recorder import HEAD
from sinuca_env.render.chart import Bar, bar_chart, line_chart
from sinuca_env.render.report import Page, figure, figures, paragraph, table
from sinuca_env.render.scene import Scene
from sinuca_env.render.svg import draw_svg

if TYPE_CHECKING:
    from sinuca_env.bench.demo.run import DemoResult

__all__ = ["report_page", "text_table"]

_STAGE_NAMES = {
    "compile": "compiling kernels (waiting for it)",
    "train": "training",
    "evaluate": "comparison",
    "frame": "frame",
    "report": "report",
}


def _rate(result: DemoResult) -> list[Bar]:
    rows = ((name, row["metrics"]["pot_rate"]) for name, row in result.rows)
    return [Bar(name, rate["value"], rate["low"], rate["high"]) for name, rate in rows]


def text_table(result: DemoResult) -> str:
    """What ``sinuca demo`` prints at its end."""
    bars = _rate(result)
    episodes = result.rows[0][1]["episodes"]
    width = max(len(bar.name) for bar in bars)
    frame = result.frame.tables.frames[0]
    lines = [f"SinucaPot-v0, one stroke on each of the same {episodes:,} unseen layouts", ""]
    lines.append(f"  {'player':<{width}}   potted   95 % interval (Wilson)")
    lines += [
        f"  {bar.name:<{width}}  {100 * bar.value:5.1f} %   {100 * bar.low:.1f} .. {100 * bar.high:.1f} %"
        for bar in bars
    ]
    a, b = (int(points) for points in frame["scores"])
    end = "to its end" if frame["frame_over"] else "not finished"
    lines += [
        "",
        f"One frame with 6 reds, greedy against greedy, {end}: {a}-{b} after {len(result.frame.rows)} decisions, "
        f"{len(result.frame.fouls)} foul{'' if len(result.frame.fouls) == 1 else 's'}",
        "",
        f"  {'where the time went':<36} seconds",
    ]
    for stage, seconds in result.seconds.items():
        lines.append(f"  {_STAGE_NAMES[stage]:<36} {seconds:7.1f}")
        if stage == "train":
            lines += [f"    of it {part:<30} {took:7.1f}" for part, took in sorted(result.parts.items())]
    lines += [f"  {'together':<36} {sum(result.seconds.values()):7.1f}", ""]
    lines += [f"{result.steps:,} strokes of training; {result.folder / 'report.html'}"]
    return "\n".join(lines)


def report_page(result: DemoResult, scenes: list[tuple[Scene, bool]]) -> str:
    """The whole page."""
    bars = _rate(result)
    trained = next(bar for bar in bars if bar.name == "trained agent")
    episodes = result.rows[0][1]["episodes"]
    minutes = result.seconds["train"] / 60
    page = Page(
        "sinuca_env: the demo",
        f"An agent that learned to pot in {minutes:.1f} minutes and {result.steps:,} strokes: "
        f"{100 * trained.value:.1f} % of {episodes:,} layouts that it never saw.",
    )
    fouls = {name: ", ".join(f"{c} ({n})" for c, n in row["fouls"].items()) or "none" for name, row in result.rows}
    page.section(
        "Who pots how often",
        paragraph(
            "One object ball, one stroke, any pocket; both balls lie anywhere on a 12-foot table. All players meet "
            "the same layouts. Fouls are told by the codes of the articles that were broken."
        ),
        figure(bar_chart(bars, title="potting rates"), "share potted by a lawful stroke, with 95 % Wilson intervals"),
        table(
            ("player", "potted", "95 % interval", "fouls"),
            [
                (b.name, f"{100 * b.value:.1f} %", f"{100 * b.low:.1f} .. {100 * b.high:.1f} %", fouls[b.name])
                for b in bars
            ],
            numeric=(1, 2),
        ),
    )
    page.section("How it learned", *_curve(result, bars))
    page.section(
        "A few of its shots",
        paragraph("Rings: where the balls started; lines: where they went. The first pots and misses, not the best."),
        figures([figure(draw_svg(scene, width=480), scene.title) for scene, _ in scenes]),
    )
    page.section("A frame, greedy against greedy", *_frame(result))
    page.section("Where the time went", _times(result))
    return page.html()


def _curve(result: DemoResult, bars: list[Bar]) -> list[str]:
    rows = result.curve
    name = "success_rate" if rows and "success_rate" in rows[0] else "mean_return"
    levels = [(bar.name, bar.value) for bar in bars if bar.name in ("random", "greedy")]
    chart = line_chart(
        [row["steps"] for row in rows], [row.get(name, 0.0) for row in rows], title="learning curve",
        x_label="strokes of training", y_label="potted, on layouts of their own", percent=name == "success_rate",
        levels=levels,
    )  # fmt: skip
    return [figure(chart, "measured while it trained, on layouts used neither in training nor in the comparison above")]


def _frame(result: DemoResult) -> list[str]:
    recorder = result.frame
    frame = recorder.tables.frames[0]
    a, b = (int(points) for points in frame["scores"])
    legend = sorted(set(recorder.fouls))
    return [
        paragraph(
            f"{recorder.title}: {a}-{b}. The last column names the articles at work in each ruling, broken ones first"
            + (f" (here {', '.join(legend)})." if legend else ".")
        ),
        f'<p><a href="{html.escape("frame.html")}">Watch it</a></p>',
        table(HEAD, recorder.rows, numeric=(0, 4)),
    ]


def _times(result: DemoResult) -> str:
    rows = [(_STAGE_NAMES[name], f"{seconds:.1f}") for name, seconds in result.seconds.items()]
    rows += [(f"training: {name}", f"{seconds:.1f}") for name, seconds in sorted(result.parts.items())]
    return table(("stage", "seconds"), rows, numeric=(1,), caption="installation not included")
