"""Cost of a shot against its events and balls, the slowest of many random shots, and what a second thread gives.

    python benchmarks/scaling.py [--shots 100000] [--write]

``--write`` puts the tables into ``docs/physics.md`` (between ``<!-- NAME -->`` and ``<!-- end -->``) and the plot into
``docs/images/time_by_events.svg``. Times are of processor time on one thread unless told otherwise; the fastest of
several rounds counts.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

import numpy as np

from sinuca_env.physics import physics_params, simulate_batch
from sinuca_env.render.chart import line_chart
from sinuca_env.state.records import SHOT, STRIKE
from sinuca_env.table import table_spec
from sinuca_env.table.layouts import balls_in_layout, random_layout

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "physics.md"
PLOT = ROOT / "docs" / "images" / "time_by_events.svg"
SPEC, PARAMS = table_spec("snooker_12ft"), physics_params()
ROUNDS = 5


class Shots:
    """Random strokes on random tables with a number of object balls (drawn from a range)."""

    def __init__(self, n: int, balls: tuple[int, int], seed: int) -> None:
        rng = np.random.default_rng(seed)
        tables = []
        for _ in range(min(n, 4096)):
            others = int(rng.integers(balls[0], balls[1] + 1)) - 1
            colours = tuple(range(2, 2 + min(6, others)))
            tables.append(random_layout(rng, max(0, others - 6), colours))
        layouts = np.array(tables)
        self.layouts = layouts[np.arange(n) % len(layouts)]
        masks = np.array([balls_in_layout(layout) for layout in layouts], np.uint32)
        self.on_table = masks[np.arange(n) % len(layouts)]
        self.strikes = np.zeros(n, STRIKE)
        self.strikes["angle"] = rng.uniform(-np.pi, np.pi, n)
        self.strikes["speed"] = rng.uniform(0.3, 6.5, n)
        self.strikes["side"], self.strikes["top"] = rng.uniform(-0.35, 0.35, (2, n))
        self.shots = np.zeros(n, SHOT)

    def play(self, lanes: np.ndarray | None = None, threads: int = 1, *, clock=time.process_time) -> float:
        """Seconds for the lanes."""
        chosen = np.arange(len(self.shots)) if lanes is None else lanes
        layouts = self.layouts.copy()
        begin = clock()
        simulate_batch(layouts, self.on_table, self.strikes, self.shots, SPEC, PARAMS, chosen, threads)
        return clock() - begin


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def by_balls() -> str:
    """Time a shot and an event for 2 to 22 balls."""
    rows = []
    for n in (2, 3, 4, 6, 8, 11, 14, 18, 22):
        shots = Shots(4096, (n, n), n)
        seconds = min(shots.play() for _ in range(ROUNDS)) / 4096
        events = shots.shots["events"].mean()
        rows.append([str(n), f"{events:.1f}", f"{1e6 * seconds:.1f}", f"{1e6 * seconds / events:.2f}"])
    return markdown(["balls", "events a shot", "us a shot", "us an event"], rows)


def by_events(n: int) -> tuple[str, str]:
    """Time a shot in classes of its events, as a table and a plot."""
    shots = Shots(n, (2, 22), 99)
    shots.play()
    order = np.argsort(shots.shots["events"], kind="stable")
    rows, xs, ys = [], [], []
    for part in np.array_split(order, 20):
        seconds = min(shots.play(part) for _ in range(ROUNDS)) / len(part)
        xs.append(float(shots.shots["events"][part].mean()))
        ys.append(1e6 * seconds)
        rows.append([f"{xs[-1]:.1f}", f"{ys[-1]:.1f}"])
    title = "Time of a shot against its events, 2 to 22 balls"
    chart = line_chart(xs, ys, title=title, x_label="events of a shot", y_label="microseconds, one thread")
    return markdown(["events a shot (mean of a twentieth)", "us a shot"], rows[::3] + rows[-1:]), chart


def worst(n: int) -> str:
    """Events and single-shot times over many random shots."""
    shots = Shots(n, (2, 22), 7)
    shots.play()
    events = shots.shots["events"].astype(float)
    lane = np.zeros(1, np.int64)
    seconds = np.empty(n)
    for k in range(n):
        lane[0] = k
        layouts = shots.layouts[k : k + 1].copy()
        begin = time.perf_counter()
        simulate_batch(
            layouts, shots.on_table[k : k + 1], shots.strikes[k : k + 1], shots.shots[k : k + 1], SPEC, PARAMS, None, 1
        )
        seconds[k] = time.perf_counter() - begin
    # The slowest once more: one interruption by another process is longer than any shot.
    for k in np.argsort(seconds)[-n // 100 :]:
        seconds[k] = min(seconds[k], *(shots.play(np.array([k]), clock=time.perf_counter) for _ in range(3)))
    rows = [
        [name, *(f"{np.percentile(values, q):.0f}" for q in (50, 99)), f"{values.max():.0f}"]
        for name, values in (("events", events), ("us, called one by one", 1e6 * seconds))
    ]
    cut = int(np.count_nonzero(shots.shots["flags"] & 3))
    return markdown(["", "median", "99 %", "worst"], rows) + f"\n\n{n:,} random shots, 2 to 22 balls; cut short: {cut}."


def threads() -> str:
    """Speed-up of two threads over one, interleaved."""
    rows = []
    for n in (8, 22):
        shots = Shots(4096, (n, n), n)
        one, two = [], []
        for _ in range(7):
            one.append(shots.play(threads=1, clock=time.perf_counter))
            two.append(shots.play(threads=2, clock=time.perf_counter))
        rows.append([str(n), f"{min(one) / min(two):.2f}"])
    return markdown(["balls", "one thread / two threads, wall time"], rows)


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shots", type=int, default=100_000, help="random shots for the worst case")
    parser.add_argument("--write", action="store_true", help="write the tables and the plot into docs/")
    arguments = parser.parse_args()
    events_table, chart = by_events(20_000)
    tables = {
        "speed by balls": by_balls(),
        "speed by events": events_table,
        "slowest shots": worst(arguments.shots),
        "threads": threads(),
    }
    text = PAGE.read_text(encoding="utf-8")
    for name, content in tables.items():
        print(f"\n{name}\n{content}")
        pattern = rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)"
        text, found = re.subn(pattern, lambda m, c=content: f"{m[1]}{c}\n{m[2]}", text, flags=re.DOTALL)
        if not found:
            raise SystemExit(f"docs/physics.md has no place for '{name}'")
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")
        PLOT.write_text(chart, encoding="utf-8")


if __name__ == "__main__":
    main()
