"""``sinuca ...``: one module per command, imported only when it is called.

A command's module has ``configure(parser)`` and ``run(args) -> int``; its help line stands in ``COMMANDS``.
Bad input (:class:`SinucaError`, unreadable files, unknown words) ends with one line on stderr and exit code 2.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn

from sinuca_env import __version__
from sinuca_env.state.errors import SinucaError, suggest

__all__ = ["COMMANDS", "main"]

COMMANDS: dict[str, str] = {
    "demo": "train a pot agent for a few minutes, compare it, play a frame, write a report",
    "shot": "play the shots of a file and print what happened as JSON",
    "referee": "check case files against the referee, or explain an article",
    "eval": "measure a policy on a task",
    "play": "play a frame in a window, against a policy or another person",
    "replay": "write a page or a film that plays a replay or the shots of a file",
    "train": "train an agent from a config",
    "bench": "speed of the table and the environment, noise, tasks, league",
}


class _Parser(argparse.ArgumentParser):
    """One clear line on bad input, with the nearest accepted word."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  sinuca {name:<{width}}  {text}" for name, text in COMMANDS.items())
    return f"sinuca_env {__version__}: sinuca for reinforcement learning\n\n{rows}\n\nsinuca COMMAND --help tells more."


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the console script; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        print(__version__)
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        known = ", ".join(COMMANDS)
        print(f"sinuca: unknown command '{name}'{suggest(name, COMMANDS)}: one of {known}", file=sys.stderr)
        return 2
    module = importlib.import_module(f"sinuca_env.cli.{name}")
    parser = _Parser(prog=f"sinuca {name}", description=COMMANDS[name])
    module.configure(parser)
    try:
        return int(module.run(parser.parse_args(arguments[1:])) or 0)
    except SinucaError as error:
        print(f"sinuca {name}: {error}", file=sys.stderr)
        return 2
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        print(f"sinuca {name}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        print(f"sinuca {name}: stopped", file=sys.stderr)
        return 130
