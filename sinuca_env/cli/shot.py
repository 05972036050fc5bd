"""``sinuca shot FILE.json``: play the shots of a file, one JSON object per shot on standard output."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from sinuca_env.state.errors import SinucaError

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", type=Path, help="a shot, or a list of shots, as JSON")
    parser.add_argument("--engine", choices=("event", "pymunk"), default="event", help="default: event")


def _check(file: Path, number: int, shot: object) -> None:
    from sinuca_env.physics.shotfile import parse_shot

    try:
        parse_shot(shot)  # type: ignore[arg-type]
    except SinucaError as error:
        name = f"'{shot['id']}'" if isinstance(shot, dict) and "id" in shot else f"number {number + 1}"
        raise SinucaError(f"{file}: shot {name}: {error}") from None


def run(args: argparse.Namespace) -> int:
    """Check every shot of the file, then play and print them."""
    from sinuca_env.physics.shotfile import simulate

    try:
        content = json.loads(args.file.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise SinucaError(f"{args.file}: not a JSON file ({error})") from None
    shots = content if isinstance(content, list) else [content]
    for number, shot in enumerate(shots):
        _check(args.file, number, shot)
    for shot in shots:
        print(json.dumps(simulate(shot, args.engine)), flush=True)
    return 0
