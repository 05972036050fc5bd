"""``sinuca referee check FILE...`` rules on case files, ``sinuca referee explain CODE`` puts an article into words."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="command", required=True, metavar="check|explain")
    check = commands.add_parser("check", help="rule on case files; prints the failing cases, then N passed, N failed")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON list of cases")
    check.add_argument("--lanes", type=int, default=1, metavar="N", help="rule each case in a random lane of N tables")
    explain = commands.add_parser("explain", help="what an article or item says, and where it is in the code")
    explain.add_argument("code", metavar="CODE", help="as 3, 40-XIV, 34-I-b, 29-III")
    explain.add_argument("--lang", choices=("en", "pt"), default="en", help="default: en")


def run(args: argparse.Namespace) -> int:
    """Exit code 1 when a case fails."""
    if args.command == "explain":
        from sinuca_env.rules.explain import describe

        print(describe(args.code, args.lang))
        return 0
    from sinuca_env.rules.cases import check_cases
    from sinuca_env.state.errors import SinucaError

    if args.lanes < 1:
        raise SinucaError(f"--lanes: {args.lanes}: a whole number from 1")
    results = check_cases(args.files, args.lanes)
    failed = [result for result in results if not result.passed]
    for result in failed:
        print(result)
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0
