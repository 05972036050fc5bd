"""``sinuca eval POLICY TASK``: measure a policy on a task, with 95 % intervals."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from typing import Any

from sinuca_env.state.errors import SinucaError

__all__ = ["configure", "parse_settings", "progress_bar", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("policy", help="random, greedy, ... or MODEL.zip")
    parser.add_argument("task", help="pot, colours, frame, ...")
    parser.add_argument("--opponent", metavar="P", help="policy of the other seat (frame, match)")
    parser.add_argument("--action", metavar="FACE", help="face of the action space that 'random' samples")
    parser.add_argument("--noise", metavar="L", default="none", help="none, robot, pro, county, club, novice, ...")
    parser.add_argument("--reds", metavar="N", type=int, default=15, help="6, 10 or 15")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], dest="settings",
        help="rules option, physics parameter or argument of the task; may be repeated",
    )  # fmt: skip
    parser.add_argument("--episodes", metavar="N", type=int, default=100)
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="episode e uses seed 1000000000 + S + e")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")


def parse_settings(words: list[str]) -> dict[str, Any]:
    """``KEY=VALUE`` words as a mapping; numbers, true and false are recognised, the rest stays text."""
    settings: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or not key:
            raise SinucaError(f"--set: '{word}': KEY=VALUE")
        settings[key] = _value(text)
    return settings


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    with contextlib.suppress(ValueError):
        return int(text)
    with contextlib.suppress(ValueError):
        return float(text)
    return text


class progress_bar:
    """A progress bar on stderr: tqdm's if it is there, else a line now and then; nothing when not on a terminal."""

    def __init__(self, what: str) -> None:
        self.what, self.done = what, 0
        self.bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are finished."""
        if not sys.stderr.isatty():
            return
        if self.bar is None:
            try:
                from tqdm import tqdm

                self.bar = tqdm(total=total, desc=self.what, leave=False, file=sys.stderr)
            except ImportError:
                print(f"\r{self.what}: {done}/{total}", end="" if done < total else "\n", file=sys.stderr)
                return
        self.bar.update(done - self.done)
        self.done = done
        if done >= total:
            self.bar.close()


def _table(result: dict[str, Any]) -> str:
    lines = [
        f"{result['policy']} on {result['task']}, noise {result['noise']}, "
        f"{result['episodes']} episodes, seed {result['seed']}",
        "",
        f"  {'metric':<18}{'value':>9}   95 % interval",
    ]
    for name, row in result["metrics"].items():
        if row["value"] is None:
            lines.append(f"  {name:<18}{'-':>9}")
            continue
        rate = name.endswith("_rate")
        value, low, high = (f"{100 * v:.1f} %" if rate else f"{v:.2f}" for v in row.values())
        lines.append(f"  {name:<18}{value:>9}   {low} .. {high}")
    fouls = ", ".join(f"{code} {count}" for code, count in result["fouls"].items()) or "none"
    lines += [
        "",
        f"  fouls: {fouls}",
        f"  flags: {result['flags']}; {result['seconds']:.1f} s, {1e6 * result['decision_seconds']:.0f} us a decision",
    ]
    return "\n".join(lines)


def run(args: argparse.Namespace) -> int:
    """Evaluate and print."""
    from sinuca_env.bench.evaluate import evaluate

    result = evaluate(
        args.policy, args.task, args.opponent, args.noise, args.reds, parse_settings(args.settings), args.episodes,
        args.seed, args.action, progress_bar(f"{args.policy} {args.task}"),
    )  # fmt: skip
    print(json.dumps(result) if args.json else _table(result))
    return 0
