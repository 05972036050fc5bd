"""``sinuca demo``: the whole project at work in a few minutes."""

from __future__ import annotations

import argparse
import dataclasses

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("--out", metavar="FOLDER", default="runs/demo", help="where the report goes (%(default)s)")
    parser.add_argument("--minutes", type=float, help="of training (default: the config's)")
    parser.add_argument("--config", metavar="FILE", help="another training config for SinucaPot-v0")
    parser.add_argument("--episodes", type=int, default=1000, help="unseen layouts (%(default)s)")
    parser.add_argument("--fast", action="store_true", help="hardly any training: only to see that everything works")


def run(args: argparse.Namespace) -> int:
    """Run the demo and print its table."""
    from sinuca_env.bench.demo import demo_config, run_demo
    from sinuca_env.bench.demo.page import text_table
    from sinuca_env.bench.training.config import EvaluationConfig, check_config
    from sinuca_env.state.errors import SinucaError

    if args.episodes < 1:
        raise SinucaError(f"--episodes: {args.episodes} is below 1")
    config = demo_config(args.config)
    if args.fast:
        evaluation = EvaluationConfig(every=512, episodes=50)
        model = config.model | {"n_steps": 4, "batch_size": 256}
        config = dataclasses.replace(config, lanes=64, steps=1024, minutes=0.0, evaluation=evaluation, model=model)
    if args.minutes is not None:
        config = dataclasses.replace(config, minutes=args.minutes)
    result = run_demo(args.out, config=check_config(config), episodes=args.episodes)
    print(text_table(result))
    return 0
