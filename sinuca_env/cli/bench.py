"""``sinuca bench WHAT``: speed of the table and of the environment, noise levels, tasks, a league of policies."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

from sinuca_env import __version__
from sinuca_env.cli.eval import progress_bar
from sinuca_env.state.errors import SinucaError

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    kinds = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    speed = kinds.add_parser("speed", help="shots per second of the physics on a file of layouts")
    speed.add_argument("--layouts", metavar="FILE", help="{'groups': {name: [shot, ...]}} (default: packaged layouts)")
    speed.add_argument("--threads", metavar="N", type=int, default=1, help="default: 1")
    env = kinds.add_parser("env", help="steps per second of the environment and where the time goes")
    noise = kinds.add_parser("noise", help="what each noise level does to standard shots")
    noise.add_argument("--levels", metavar="L,...", help="default: all")
    tasks = kinds.add_parser("tasks", help="policies on the tasks")
    tasks.add_argument("--policies", metavar="P,...", default="random,greedy")
    tasks.add_argument("--tasks", metavar="T,...", help="default: all but match")
    tasks.add_argument("--noise", metavar="L,...", default="none,pro,club")
    tasks.add_argument("--markdown", metavar="FILE", help="also write the table as a markdown page")
    league = kinds.add_parser("league", help="round robin with ratings")
    league.add_argument("--players", metavar="P,...", default="random,greedy")
    league.add_argument("--noise", metavar="L", default="pro")
    for kind, episodes in ((noise, 1000), (tasks, 100), (league, 100)):
        kind.add_argument("--episodes", metavar="N", type=int, default=episodes)
        kind.add_argument("--seed", metavar="S", type=int, default=0)
    for kind in (tasks, league):
        kind.add_argument("--reds", metavar="N", type=int, default=15 if kind is tasks else 6)
    for kind in (speed, env, noise, tasks, league):
        kind.add_argument("--json", action="store_true", help="one JSON object instead of a table")


def _percent(row: dict[str, float | None]) -> str:
    if row["value"] is None:
        return f"{'-':>21}"
    value, low, high = (100 * float(row[key] or 0.0) for key in ("value", "low", "high"))
    return f"{value:6.1f} ({low:5.1f} ..{high:6.1f})"


def _short(metric: str, value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if metric.endswith("rate") else f"{value:.1f}"


def _noise(args: argparse.Namespace) -> tuple[Any, str]:
    from sinuca_env.bench.noise_report import noise_report

    rows = noise_report(args.levels.split(",") if args.levels else None, args.episodes, args.seed)
    lines = [f"{'level':<10}{'shot':<16}{'sigma deg':>10}{'analytic %':>12}{'engine %':>23}"]
    lines += [
        f"{r['level']:<10}{r['shot']:<16}{r['sigma_deg']:>10.3f}{100 * r['analytic']:>12.1f}{_percent(r['engine']):>23}"
        for r in rows
    ]
    return {"rows": rows, "episodes": args.episodes, "seed": args.seed}, "\n".join(lines)


def _tasks(args: argparse.Namespace) -> tuple[Any, str]:
    from sinuca_env.bench.evaluate import evaluate
    from sinuca_env.bench.tasks import TASKS, get_task

    names = args.tasks.split(",") if args.tasks else [name for name in TASKS if name != "match"]
    jobs = [(get_task(t).name, n, p) for t in names for n in args.noise.split(",") for p in args.policies.split(",")]
    bar, results = progress_bar("tasks"), []
    for done, (task, noise, policy) in enumerate(jobs, start=1):
        results.append(evaluate(policy, task, noise=noise, reds=args.reds, episodes=args.episodes, seed=args.seed))
        bar(done, len(jobs))
    lines = [
        f"{r['task']:<10}{r['noise']:<8}{r['policy']:<10}"
        + "  ".join(f"{name} {_short(name, row['value'])}" for name, row in r["metrics"].items())
        + f"  flags {r['flags']}"
        for r in results
    ]
    if args.markdown:
        Path(args.markdown).write_text(_leaderboard(args, results), encoding="utf-8")
    return {"results": results}, "\n".join(lines)


def _leaderboard(args: argparse.Namespace, results: list[dict[str, Any]]) -> str:
    """The results as a page: one table per task; 95 % intervals in brackets."""
    lines = [
        "# Leaderboard",
        "",
        f"Made by `sinuca bench tasks --policies {args.policies} --noise {args.noise} --episodes {args.episodes} "
        f"--seed {args.seed} --reds {args.reds} --markdown FILE` with sinuca_env {__version__}; 95 % intervals in "
        "brackets (Wilson for rates, bootstrap for means). In `frame` a policy plays against itself.",
    ]
    for task in dict.fromkeys(r["task"] for r in results):
        rows = [r for r in results if r["task"] == task]
        names = list(rows[0]["metrics"])
        lines += ["", f"## {task}", "", f"| noise | policy | {' | '.join(names)} | flags |"]
        lines.append("|---" * (len(names) + 3) + "|")
        lines += [
            f"| {r['noise']} | {r['policy']} | {' | '.join(_cell(n, r['metrics'][n]) for n in names)} | {r['flags']} |"
            for r in rows
        ]
    return "\n".join(lines) + "\n"


def _cell(metric: str, row: dict[str, float | None]) -> str:
    if row["low"] == row["high"]:
        return _short(metric, row["value"])
    return f"{_short(metric, row['value'])} ({_short(metric, row['low'])} to {_short(metric, row['high'])})"


def _league(args: argparse.Namespace) -> tuple[Any, str]:
    from sinuca_env.bench.league import league

    result = league(args.players.split(","), args.noise, args.reds, args.episodes, args.seed, progress_bar("pairings"))
    names, wins = result["players"], result["wins"]
    width = max(8, *(len(name) + 2 for name in names))
    lines = [" " * width + "".join(f"{name:>{width}}" for name in names) + "      rating   95 % interval"]
    for k, name in enumerate(names):
        row = "".join(f"{'-' if k == j else wins[k][j]:>{width}}" for j in range(len(names)))
        r = result["ratings"][name]
        lines.append(f"{name:<{width}}{row}{r['value']:>12.0f}   {r['low']:.0f} .. {r['high']:.0f}")
    lines.append(f"{args.episodes} frames a pairing, {args.reds} reds, noise {args.noise}")
    if result["frames_unfinished"]:
        lines.append(f"unfinished frames, not counted: {result['frames_unfinished']}")
    return result, "\n".join(lines)


def _measured(module: str, function: str, **arguments: Any) -> tuple[Any, str]:
    """A benchmark of another room: its result is the JSON object; the text is the same, indented."""
    try:
        measure = getattr(importlib.import_module(f"sinuca_env.bench.{module}"), function)
    except (ImportError, AttributeError):
        raise SinucaError(f"'{module}' is not part of this version") from None
    result = measure(**arguments)
    return result, json.dumps(result, indent=2)


def _speed_table(result: dict[str, Any]) -> str:
    rows = [f"{'group':<18}{'shots/s':>12}{'events a shot':>15}{'us an event':>13}{'99 % us a shot':>16}"]
    for name, row in result["groups"].items():
        numbers = f"{row['shots_per_s']:>12,.0f}{row['events_per_shot']:>15.1f}{row['us_per_event']:>13.2f}"
        rows.append(f"{name:<18}{numbers}{row['p99_us']:>16.1f}")
    return "\n".join([*rows, f"threads: {result['threads']}"])


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    if args.what == "speed":
        if args.threads < 1:
            raise SinucaError(f"--threads: {args.threads}; accepted: a whole number from 1")
        result, _ = _measured("speed", "run_speed", layouts=args.layouts, threads=args.threads)
        text = _speed_table(result)
    elif args.what == "env":
        result, text = _measured("env", "run_env_bench")
    else:
        result, text = {"noise": _noise, "tasks": _tasks, "league": _league}[args.what](args)
    print(json.dumps(result) if args.json else text)
    return 0
