"""``sinuca train CONFIG``: one training run from a YAML file."""

from __future__ import annotations

import argparse
import dataclasses

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("config", help="YAML file, such as configs/pot_ppo.yaml")
    parser.add_argument("--out", metavar="FOLDER", help="folder of the run (default: runs/NAME)")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--overwrite", action="store_true", help="replace a run that is there already")
    parser.add_argument("--steps", type=int, help="instead of the config's")
    parser.add_argument("--minutes", type=float, help="instead of the config's (0 = no limit)")
    parser.add_argument("--seed", type=int, help="instead of the config's")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Train and say where the model is."""
    from sinuca_env.bench.training import load_config, train
    from sinuca_env.bench.training.config import check_config

    config = load_config(args.config)
    given = {key: getattr(args, key) for key in ("steps", "minutes", "seed") if getattr(args, key) is not None}
    config = check_config(dataclasses.replace(config, **given))
    result = train(config, args.out, resume=args.resume, overwrite=args.overwrite, quiet=args.quiet)
    last = result.curve[-1] if result.curve else {}
    told = "".join(f", {name.replace('_', ' ')} {last[name]:.3f}" for name in last if name not in ("steps", "seconds"))
    print(f"{result.folder / 'model.zip'}: {result.steps:,} steps in {result.seconds:.0f} s{told}")
    return 0
