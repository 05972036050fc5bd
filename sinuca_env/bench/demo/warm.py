"""Compile what the demo needs after its training, in a process of its own while the training runs."""

from __future__ import annotations

import subprocess
import sys

__all__ = ["compile_rest", "start_compiling"]


def compile_rest() -> None:
    """Use every kernel once that evaluation, frame and pictures use."""
    from sinuca_env.bench.demo.play import demo_frame, shot_scenes
    from sinuca_env.bench.evaluate import evaluate

    for policy in ("random", "greedy"):
        evaluate(policy, "pot", episodes=2)
    demo_frame(most=3)
    shot_scenes("greedy", {}, pots=1, misses=0, among=2)


def start_compiling() -> subprocess.Popen[bytes]:
    """Run :func:`compile_rest` in the background, at low priority where the system has such a thing."""
    code = "import os\ntry: os.nice(5)\nexcept (AttributeError, OSError): pass\n"
    code += "from sinuca_env.bench.demo.warm import compile_rest\ncompile_rest()"
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
