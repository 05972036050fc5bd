"""``sinuca replay FILE``: a page, or a film, that plays a replay or the shots of a shot file."""

from __future__ import annotations

import argparse
import json
import sys
import webbrowser
from pathlib import Path
from typing import Any

from sinuca_env.state.errors import SinucaError

__all__ = ["configure", "replay_of_shots", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", help="replay (as the demo's frame.json) or shot file, JSON")
    parser.add_argument(
        "--out", metavar="FILE", help="what to write: .html, .gif or .mp4 (default: beside FILE, ending in .html)"
    )
    parser.add_argument("--fps", type=int, default=60, help="pictures a second of a film (%(default)s)")
    parser.add_argument("--width", type=int, default=960, help="of a film, in pixels (%(default)s)")
    parser.add_argument("--overwrite", action="store_true", help="replace a page that is there already")
    parser.add_argument("--open", action="store_true", help="show it in the browser")


def replay_of_shots(shots: list[Any], title: str) -> dict[str, Any]:
    """A replay of the shots of a shot file, one after another.

    Raises:
        SinucaError: a shot that is not acceptable, or shots on different tables.
    """
    import numpy as np

    from sinuca_env.physics.shotfile import parse_shot
    from sinuca_env.render.replay import FORMAT
    from sinuca_env.render.strokes import watch
    from sinuca_env.state.balls import N_SLOTS

    played, table = [], None
    for i, shot in enumerate(shots):
        parsed = parse_shot(shot)
        table = table or parsed.spec.name
        if parsed.spec.name != table:
            raise SinucaError(f"shot {i}: table {parsed.spec.name}, but the first one is on {table}")
        stroke = watch(parsed.layout, parsed.on_table, parsed.strike[0], parsed.spec, parsed.params)
        name = f"shot {parsed.id}" if parsed.id is not None else f"shot {i + 1}"
        there = [slot for slot in range(N_SLOTS) if np.isfinite(parsed.layout[slot]).all()]
        fallen = {track[0] for track in stroke.tracks} & {slot for slot in there if stroke.fell >> slot & 1}
        played.append(
            {
                "balls": [[slot, *map(float, parsed.layout[slot])] for slot in there],
                "tracks": stroke.tracks,
                "events": stroke.events,
                "potted": sorted(fallen),
                "duration": stroke.duration,
                "aim": None if parsed.strike["direct"][0] else float(parsed.strike["angle"][0]),
                "label": {"en": name, "pt": name.replace("shot", "tacada")},
            }
        )
    return {"format": FORMAT, "title": title, "table": table or "snooker_12ft", "players": [], "shots": played}


def run(args: argparse.Namespace) -> int:
    """Write the page or the film and say where it is."""
    from sinuca_env.bench.files import replacing, write_text
    from sinuca_env.render.replay import replay_page
    from sinuca_env.render.video import FORMATS, write_video

    source = Path(args.file)
    target = Path(args.out) if args.out else source.with_suffix(".html")
    if target.exists() and not args.overwrite:
        raise SinucaError(f"{target}: exists already: --overwrite replaces it, --out writes elsewhere")
    is_page = target.suffix.lower() == ".html"
    if not is_page and target.suffix.lower() not in FORMATS:
        raise SinucaError(f"{target}: unknown format '{target.suffix}': one of .html, {', '.join(FORMATS)}")
    replay = _read(source)
    if is_page:
        write_text(target, replay_page(replay))
    else:
        with replacing(target) as temporary:
            write_video(replay, temporary, fps=args.fps, width=args.width)
    print(f"{target}: {len(replay['shots'])} strokes")
    if args.open and not webbrowser.open(target.resolve().as_uri()):
        print("no browser found: open the file by hand", file=sys.stderr)
    return 0


def _read(source: Path) -> dict[str, Any]:
    from sinuca_env.render.replay import check_replay

    try:
        data = json.loads(source.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise SinucaError(f"{source}: not a text file") from None
    except json.JSONDecodeError as error:
        raise SinucaError(f"{source}: line {error.lineno}: not JSON: {error.msg}") from None
    try:
        if isinstance(data, dict) and "format" in data:
            return check_replay(data)
        return check_replay(replay_of_shots(data if isinstance(data, list) else [data], source.stem))
    except SinucaError as error:
        raise SinucaError(f"{source}: {error}") from None
