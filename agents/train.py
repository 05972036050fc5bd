"""Train an agent from a config file: ``python agents/train.py configs/pot_ppo.yaml [--resume]``.

The same as ``sinuca train``, spelt out so that it can be copied and changed. Results of the configs stand in
``agents/README.md``.
"""

from __future__ import annotations

import argparse
import sys

from sinuca_env.bench.training import load_config, train
from sinuca_env.state import SinucaError


def main() -> int:
    """Read the config, train, say where the model is."""
    parser = argparse.ArgumentParser(description="train an agent from a YAML config")
    parser.add_argument("config")
    parser.add_argument("--out", help="folder of the run (default: runs/NAME)")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    args = parser.parse_args()
    try:
        result = train(load_config(args.config), args.out, resume=args.resume)
    except SinucaError as error:
        print(f"train.py: {error}", file=sys.stderr)
        return 2
    print(f"{result.folder}: {result.steps:,} steps in {result.seconds:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
