"""``sinuca play``: a person at the table, against a policy or another person."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("opponent", nargs="?", default="greedy", help="policy, MODEL.zip or person (%(default)s)")
    parser.add_argument("--reds", type=int, default=6, help="6, 10 or 15 (%(default)s)")
    parser.add_argument("--table", default="snooker_12ft")
    parser.add_argument("--noise", default="none", help="execution noise of every stroke (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-aid", action="store_true", help="no ghost ball, no lines")
    parser.add_argument("--lang", choices=("en", "pt"), default="en", help="of the rulings (%(default)s)")
    parser.add_argument("--width", type=int, default=1200, help="of the window in pixels (%(default)s)")
    parser.add_argument("--load", metavar="FILE", help="go on from a saved frame")
    parser.add_argument("--save", metavar="FILE", default="sinuca-save.json", help="where K saves (%(default)s)")
    parser.add_argument("--replay", metavar="FILE", help="write the replay there at the end (for sinuca replay)")


def run(args: argparse.Namespace) -> int:
    """Open the window."""
    from sinuca_env.bench.files import write_json
    from sinuca_env.bench.play.session import PERSON, Session
    from sinuca_env.bench.play.window import Window

    if args.load:
        session = Session.load(args.load)
    else:
        session = Session((PERSON, args.opponent), reds=args.reds, table=args.table, noise=args.noise, seed=args.seed)
    Window(session, width=args.width, aid=not args.no_aid, language=args.lang, save_to=Path(args.save)).run()
    if args.replay and session.recorder.shots:
        write_json(Path(args.replay), session.recorder.replay())
        print(f"{args.replay}: {len(session.recorder.shots)} strokes; sinuca replay {args.replay}")
    print(session.recorder.sheet.text(), end="")
    return 0
