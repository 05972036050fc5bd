"""How many times faster than pooltool: both engines play the same shots in turn, in one go, on one machine.

    python benchmarks/pooltool_ratio.py [--layouts FILE] [--shots N] [--rounds N] [--groups NAME ...] [--json]

pooltool 0.6.0 gets a virtual environment and a home folder of its own under ``build/pooltool`` (made on first
use, from the package index; ``--pooltool-python`` names an existing one). Each group's shots are played by one engine,
then by the other, ``--rounds`` times; the smallest time of each shot counts, so that other work on the machine falls
out. One thread each. Printed: mean milliseconds a shot, their ratio for each group, the geometric mean of the ratios.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any

import numpy as np

from sinuca_env.physics import simulate_batch
from sinuca_env.physics.shotfile import parse_shot
from sinuca_env.state.records import SHOT

HERE = Path(__file__).resolve().parent
HOME = HERE.parent / "build" / "pooltool"
PAGE = HERE.parent / "docs" / "physics.md"
RATIOS = ("ratio", "ratio_per_event")
POOLTOOL = "pooltool-billiards==0.6.0"
# What it imports without a window. panda3d is pinned by pooltool to a development build; a released one does here.
NEEDS = (
    "numpy>=1.26", "numba<0.63", "llvmlite>=0.44,<0.46", "scipy", "attrs", "cattrs", "msgpack", "msgpack-numpy",
    "pyyaml", "click", "pillow", "h5py", "rich<15", "numpy-quaternion", "h11",
)  # fmt: skip
LOOSE = ("panda3d", "panda3d-gltf", "panda3d-simplepbr", POOLTOOL)


def pooltool_python() -> Path:
    """Python of pooltool's own environment, made if it is not there."""
    python = HOME / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print(f"making {HOME / 'venv'} ...", file=sys.stderr)
        venv.create(HOME / "venv", with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *NEEDS], check=True)
        subprocess.run([*pip, "--no-deps", *LOOSE], check=True)
    return python


class Pooltool:
    """The other engine in its own process."""

    def __init__(self, python: Path) -> None:
        (HOME / "home").mkdir(parents=True, exist_ok=True)
        environment = os.environ | {"HOME": str(HOME / "home"), "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [str(python), str(HERE / "pooltool_worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )
        self.version = self._line()["version"]

    def _line(self) -> Any:
        assert self.process.stdout
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("pooltool ended before it answered; run benchmarks/pooltool_worker.py by hand")
            if line[:1] in "[{":
                return json.loads(line)

    def play(self, shots: list[dict]) -> list[dict]:
        """``{"seconds", "events"}`` or ``{"error"}`` of each shot."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(shots) + "\n")
        self.process.stdin.flush()
        return self._line()


def play_here(shots: list[dict], repeat: int = 50) -> list[dict]:
    """The same of this engine; a shot is played ``repeat`` times in a batch, since one is too short for the clock."""
    rows = []
    for shot in shots:
        parsed = parse_shot(shot)
        on_table, strikes = np.full(repeat, parsed.on_table, np.uint32), np.repeat(parsed.strike, repeat)
        layouts, records = np.repeat(parsed.layout[None], repeat, axis=0), np.zeros(repeat, SHOT)
        start = time.perf_counter()
        simulate_batch(layouts, on_table, strikes, records, parsed.spec, parsed.params, threads=1)
        seconds = (time.perf_counter() - start) / repeat
        rows.append({"seconds": seconds, "events": int(records["events"][0])})
    return rows


def best(rounds: list[list[dict]]) -> list[dict]:
    """The quickest round of each shot."""
    return [min(rows, key=lambda row: row.get("seconds", math.inf)) for rows in zip(*rounds, strict=True)]


def compare(shots: list[dict], other: Pooltool, rounds: int) -> dict[str, Any]:
    """Both engines in turn on one group."""
    ours: list[list[dict]] = []
    theirs: list[list[dict]] = []
    for _ in range(rounds):
        ours.append(play_here(shots))
        theirs.append(other.play(shots))
    pairs = [(a, b) for a, b in zip(best(ours), best(theirs), strict=True) if "seconds" in b]
    if not pairs:
        return {"shots": 0, "failed": len(shots)}
    mean = [
        float(np.mean([row[key] for row in column]))
        for key in ("seconds", "events")
        for column in zip(*pairs, strict=True)
    ]
    return {
        "shots": len(pairs),
        "failed": len(shots) - len(pairs),
        "ms": 1e3 * mean[0],
        "pooltool_ms": 1e3 * mean[1],
        "events": mean[2],
        "pooltool_events": mean[3],
        "ratio": mean[1] / mean[0],
        "ratio_per_event": (mean[1] / mean[3]) / (mean[0] / mean[2]),
    }


def write_page(results: dict[str, dict], version: str) -> None:
    """Put the table into the physics page, between ``<!-- pooltool -->`` and ``<!-- end -->``."""
    lines = [
        f"| group | shots | ms a shot | pooltool {version}, ms | ratio | ratio per event |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    played = {name: row for name, row in results.items() if row["shots"]}
    lines += [
        f"| {name} | {row['shots']} | {row['ms']:.4f} | {row['pooltool_ms']:.2f} | {row['ratio']:.0f} "
        f"| {row['ratio_per_event']:.0f} |"
        for name, row in played.items()
    ]
    means = [math.exp(float(np.mean([math.log(row[key]) for row in played.values()]))) for key in RATIOS]
    lines.append(f"| geometric mean | | | | {means[0]:.0f} | {means[1]:.0f} |")
    text = PAGE.read_text(encoding="utf-8")
    text, found = re.subn(
        r"(<!-- pooltool -->\n).*?(<!-- end -->)",
        lambda m: m[1] + "\n".join(lines) + "\n" + m[2],
        text,
        flags=re.DOTALL,
    )
    if not found:
        raise SystemExit(f"{PAGE} has no place for the table of pooltool")
    PAGE.write_text(text, encoding="utf-8")


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layouts", type=Path, default=HERE / "layouts.json")
    parser.add_argument("--pooltool-python", type=Path, help="Python of an environment with pooltool")
    parser.add_argument("--shots", type=int, default=20, help="of each group (default 20; breaks a quarter)")
    parser.add_argument("--rounds", type=int, default=3, help="of each shot the quickest counts (default 3)")
    parser.add_argument("--groups", nargs="*")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--write", action="store_true", help="write the table into docs/physics.md")
    args = parser.parse_args()
    groups = json.loads(args.layouts.read_text(encoding="utf-8"))["groups"]
    other = Pooltool(args.pooltool_python or pooltool_python())
    # Both compile on first use, pooltool kind of event by kind of event.
    warm = [shot for name in args.groups or groups if not name.startswith("break") for shot in groups[name][-8:]]
    play_here(warm)
    other.play(warm)
    results: dict[str, dict] = {}
    for name in args.groups or groups:
        count = max(1, args.shots // 4) if name.startswith("break") else args.shots
        row = results[name] = compare(groups[name][:count], other, args.rounds)
        if not args.json and row["shots"]:
            print(
                f"{name:16s} {row['shots']:3d} shots  {row['ms']:8.4f} ms  pooltool {row['pooltool_ms']:9.2f} ms  "
                f"x {row['ratio']:7.0f}   per event x {row['ratio_per_event']:6.0f}   failed there: {row['failed']}",
                flush=True,
            )
    ratios = [row["ratio"] for row in results.values() if row["shots"]]
    if args.write:
        write_page(results, other.version)
    total = math.exp(float(np.mean(np.log(ratios)))) if ratios else math.nan
    if args.json:
        print(json.dumps({"groups": results, "geometric_mean": total, "pooltool": other.version}))
    else:
        print(f"geometric mean of {len(ratios)} groups: x {total:.0f} (pooltool {other.version})")


if __name__ == "__main__":
    main()
