"""Measures how far the physics models and engines agree, and writes the tables of ``docs/physics.md``.

    python benchmarks/agreement.py [--write]

Without ``--write`` the tables are printed. They stand in the page between ``<!-- NAME -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.physics import engine_batch, physics_params, simulate
from sinuca_env.physics.collide_ball import resolve_pair
from sinuca_env.physics.collide_cushion import rebound
from sinuca_env.physics.params import PHYSICS_DEFAULTS
from sinuca_env.state.records import SHOT, STRIKE
from sinuca_env.table.spec import table_spec

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "physics" / "data"
PAGE = ROOT / "docs" / "physics.md"
R = 0.02625


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines)


@kernel
def rebounds(rows, out, p):
    """Rebounds of many approaches; rows of vx vy wx wy wz, the cushion at +x."""
    for i in range(rows.shape[0]):
        a = rebound(rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3], rows[i, 4], 1.0, 0.0, p)
        for k in range(5):
            out[i, k] = a[k]


def approaches(n: int) -> np.ndarray:
    """Random approaches at 1 m/s: 3 to 90 degrees, roll and side within 1.25 v, half of them with a crooked axis."""
    rng = np.random.default_rng(2010)
    angle, crooked = np.radians(rng.uniform(3, 90, n)), rng.uniform(-0.5, 0.5, n) * (np.arange(n) % 2)
    roll, side = rng.uniform(-1.25, 1.25, (2, n))
    v = np.stack([np.sin(angle), np.cos(angle)], 1)
    w = np.stack([-roll * v[:, 1] + crooked * v[:, 0], roll * v[:, 0] + crooked * v[:, 1], side], 1) / R
    return np.concatenate([v, w], 1)


def rebound_of(rows: np.ndarray, **names: object) -> tuple[np.ndarray, float]:
    """Rebounds and nanoseconds each."""
    out, p = np.empty_like(rows), physics_params(**names)
    times = []
    for _ in range(4):
        start = time.perf_counter()
        rebounds(rows, out, records(p)[0])
        times.append(time.perf_counter() - start)
    return out, 1e9 * min(times) / len(rows)


def turned(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Degrees from direction a to direction b."""
    return np.degrees(np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], (a[:, :2] * b[:, :2]).sum(1)))


def cushions() -> str:
    """Closed forms against the integrated impulse equations."""
    rows = approaches(20_000)
    exact, slow = rebound_of(rows, cushion="mathavan2010")
    result = []
    for name, names in (
        ("`calibrated`", {"cushion": "calibrated"}),
        ("`han2005`, its own constants", {"cushion": "han2005"}),
        ("`han2005`, e 0.98, mu 0.14", {"cushion": "han2005", "e_cushion": 0.98, "mu_cushion": 0.14}),
    ):
        out, quick = rebound_of(rows, **names)
        angle = np.abs(turned(exact, out))
        speed = 100 * np.abs(np.hypot(out[:, 0], out[:, 1]) / np.hypot(exact[:, 0], exact[:, 1]) - 1)
        spin = R * np.linalg.norm(out[:, 2:] - exact[:, 2:], axis=1)
        result.append(
            [
                name,
                f"{np.sqrt(np.mean(angle**2)):.2f} / {np.quantile(angle, 0.99):.2f} / {angle.max():.2f}",
                f"{speed.mean():.2f} / {np.quantile(speed, 0.99):.2f} / {speed.max():.2f}",
                f"{spin.mean():.3f} / {np.quantile(spin, 0.99):.3f} / {spin.max():.3f}",
                f"{slow / quick:.0f}",
            ]
        )
    head = ["model", "direction, deg: rms / 99 % / worst", "speed, %: mean / 99 % / worst",
            "spin R dw, m/s at 1 m/s: mean / 99 % / worst", "times faster"]  # fmt: skip
    return table(head, result)


def published_cushions() -> str:
    """The published approaches one by one."""
    cases = json.loads((DATA / "reference_cases.json").read_text(encoding="utf-8"))["cases"]
    result = []
    for case in cases:
        x, e = case["inputs"], case["expected"]
        if not case["model"].startswith("Mathavan 2010") or "kT" not in x:
            continue
        a = math.radians(x["angle_to_cushion_deg"])
        row = [f"{x['angle_to_cushion_deg']}, {x['kT']}, {x['kS']}"]
        v = np.array([math.cos(a), math.sin(a)])
        w = np.array([-x["kT"] * v[1], x["kT"] * v[0], x["kS"]]) / R
        expected = math.degrees(math.atan2(-e["v"][1], e["v"][0]))
        row.append(f"{math.hypot(*e['v']):.4f} at {expected:.2f}")
        for model in ("mathavan2010", "calibrated"):
            p = records(physics_params(cushion=model, mu_slide=x["mu_s"]))[0]
            out = rebound(*map(float, v), *map(float, w), 0.0, 1.0, p)
            row.append(f"{math.hypot(out[0], out[1]):.4f} at {math.degrees(math.atan2(-out[1], out[0])):.2f}")
        result.append(row)
    head = ["angle (deg), roll, side", "reference: m/s at deg", "`mathavan2010`", "`calibrated`"]
    return table(head, result)


def apparent() -> str:
    """Perpendicular rebounds: what a player sees of e."""
    result = []
    for model in ("calibrated", "mathavan2010", "han2005"):
        p = records(physics_params(cushion=model))[0]
        speeds = [-rebound(1.0, 0.0, 0.0, roll / R, 0.0, 1.0, 0.0, p)[0] for roll in (0.0, 1.0, -1.0)]
        result.append([f"`{model}`", *(f"{speed:.3f}" for speed in speeds)])
    return table(["model", "stunned", "rolling", "back-spin"], result)


def balls() -> str:
    """Throw of the three models at their defaults."""
    result = []
    for speed, name in ((0.447, "slow"), (1.341, "medium"), (3.129, "fast")):
        for cut in (15.0, 30.0, 45.0, 60.0):
            row = [f"{name}, {cut:.0f}"]
            nx, ny = math.cos(math.radians(cut)), math.sin(math.radians(cut))
            for model in ("alciatore", "mathavan2014"):
                p = records(physics_params(ball_ball=model))[0]
                a = resolve_pair(speed, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, nx, ny, p)
                row.append(f"{math.degrees(math.atan2(a[5] * ny - a[6] * nx, a[5] * nx + a[6] * ny)):.2f}")
            result.append(row)
    return table(["stun shot, cut (deg)", "throw, `alciatore`", "throw, `mathavan2014`"], result)


def whole_shots() -> str:
    """Another engine's whole shots."""
    shots = json.loads((DATA / "whole_shots.json").read_text(encoding="utf-8"))
    errors: dict[tuple[int, str], list[float]] = {}
    for shot in shots:
        given = {name: shot[name] for name in ("id", "table", "balls", "cue_ball", "physics")}
        exact = given | {"physics": given["physics"] | {"contact_gap": 0.0}}
        for column, played, engine in (
            ("event", given, "event"),
            ("gap 0", exact, "event"),
            ("pymunk", given, "pymunk"),
        ):
            final = simulate(played, engine=engine)["final"]
            error = max(math.dist(final[name], place) for name, place in shot["expected_final"].items())
            errors.setdefault((shot["contacts"], column), []).append(error)
    result = []
    for contacts in sorted({key[0] for key in errors}):
        row = [str(contacts), str(len(errors[contacts, "event"]))]
        for column in ("event", "gap 0", "pymunk"):
            mm = 1e3 * np.array(errors[contacts, column])
            row.append(f"{np.median(mm):.4f} / {mm.max():.4f}")
        result.append(row)
    head = [
        "contacts of balls",
        "shots",
        "event engine, mm: median / worst",
        "the same, `contact_gap` 0",
        "Pymunk engine",
    ]
    return table(head, result)


def pymunk_directions() -> str:
    """Object-ball directions of the Pymunk engine on the fixed file of single contacts."""
    rows = np.array(json.loads((DATA / "single_contacts.json").read_text(encoding="utf-8")))
    spec = dataclasses.replace(table_spec("snooker_12ft"), length=80.0, width=80.0)
    ways, times = [], []
    for engine in ("event", "pymunk"):
        layouts = np.full((len(rows), 22, 2), np.nan)
        layouts[:, 0], layouts[:, 21] = rows[:, 0:2], rows[:, 2:4]
        strikes, shots = np.zeros(len(rows), STRIKE), np.zeros(len(rows), SHOT)
        strikes["direct"] = 1
        strikes["v"][:, :2], strikes["w"] = rows[:, 4:6], rows[:, 6:9]
        on_table = np.full(len(rows), 1 | 1 << 21, np.uint32)
        start = time.perf_counter()
        engine_batch(engine)(layouts, on_table, strikes, shots, spec, physics_params(), threads=1)
        times.append(time.perf_counter() - start)
        ways.append(layouts[:, 21] - rows[:, 2:4])
    error = np.abs(turned(*ways))
    row = [str(len(rows)), f"{np.median(error):.1e}", f"{np.quantile(error, 0.99):.1e}", f"{error.max():.1e}"]
    return table(["shots", "median, deg", "99 %", "worst"], [row])


def defaults() -> str:
    """Parameters by name."""
    return table(
        ["parameter", "default"],
        [
            [f"`{name}`", f"{value:.4g}" if isinstance(value, float) else str(value)]
            for name, value in PHYSICS_DEFAULTS.items()
        ],
    )


TABLES: dict[str, Callable[[], str]] = {
    "defaults": defaults,
    "cushions": cushions,
    "published cushions": published_cushions,
    "apparent restitution": apparent,
    "throw": balls,
    "whole shots": whole_shots,
    "pymunk directions": pymunk_directions,
}


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/physics.md")
    args = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8") if args.write else ""
    for name, make in TABLES.items():
        text = make()
        if not args.write:
            print(f"{name}\n\n{text}\n")
            continue
        before, mark, rest = page.partition(f"<!-- {name} -->\n")
        if not mark:
            raise SystemExit(f"docs/physics.md has no place for the table '{name}'")
        page = before + mark + text + "\n" + rest[rest.index("<!-- end -->") :]
    if args.write:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
