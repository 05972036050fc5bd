"""A frame's score sheet as text: one line per decision, who was on what, what was played, what it brought."""

from __future__ import annotations

import numpy as np

from sinuca_env.rules.articles import fouls_of_bits
from sinuca_env.rules.report import REPORT_NAMES
from sinuca_env.state.balls import VALUE_NAMES, names_from_balls
from sinuca_env.state.records import NO_SIDE, ON_COLOUR, Option, Snooker

__all__ = ["ScoreSheet", "on_name"]

SIDES = "AB"
_OFFERS = (("free_ball_offered", "free ball"), ("may_decline", "may decline"), ("warned", "stalemate warning"))


def on_name(on: int) -> str:
    """``red``, ``colour`` (any, after a red) or the colour's name."""
    return "colour" if on == ON_COLOUR else VALUE_NAMES[on]


def _balls(balls: int) -> str:
    """Names without the numbers of reds: ``2 reds, black``."""
    names = [name.split("#")[0] for name in names_from_balls(balls)]
    reds = names.count("red")
    words = ["red" if reds == 1 else f"{reds} reds"] if reds else []
    return ", ".join([name for name in names if name == "cue"] + words + [n for n in names if n not in ("red", "cue")])


class ScoreSheet:
    """Collects decisions and their rulings; :meth:`text` is the sheet.

    Example:
        ``sheet = ScoreSheet(frame)``, then ``sheet.add(before, shot, decision, ruling, frame)`` after every ruling.
        All arguments are one-element structured arrays or single records.
    """

    def __init__(self, frame: np.ndarray) -> None:
        row = _row(frame)
        self.title = f"frame {row['frame_number'] + 1}, {row['reds']} reds, side {SIDES[row['striker']]} to break"
        self.lines: list[tuple[str, str, str, str, str]] = []

    def add(
        self, before: np.ndarray, shot: np.ndarray, decision: np.ndarray, ruling: np.ndarray, frame: np.ndarray
    ) -> str:
        """Note one decision; returns its line."""
        old, strike, choice, verdict, new = (_row(rec) for rec in (before, shot, decision, ruling, frame))
        who = f"{SIDES[old['striker']]} on {on_name(int(old['on']))}"
        score = f"{new['scores'][0]}-{new['scores'][1]}"
        number = 1 + sum(1 for old_line in self.lines if old_line[0])
        line = (str(number), who, _played(old, strike, choice, verdict), _result(verdict), score)
        self.lines.append(line)
        return _aligned([line])

    def note(self, text: str) -> None:
        """A line of its own, between decisions."""
        self.lines.append(("", text, "", "", ""))

    def text(self) -> str:
        """Title and all lines, columns aligned."""
        return f"{self.title}\n{_aligned(self.lines)}\n"


def _row(record: np.ndarray) -> np.ndarray:
    return record[0] if getattr(record, "shape", ()) else record


def _played(before: np.ndarray, shot: np.ndarray, decision: np.ndarray, ruling: np.ndarray) -> str:
    """What was done, in the order of a stroke."""
    words = []
    if ruling["call"] and (ruling["called_free"] or ruling["call"] > 1):
        name = VALUE_NAMES[ruling["call"]] if ruling["call"] <= 7 else "no ball"
        words.append(f"free {name}" if ruling["called_free"] else f"calls {name}")
    if shot["made"]:
        words.append(f"hits {_balls(int(shot['first_contact'])) or 'nothing'}")
        for field, verb in (("potted", "pots"), ("off_table", "off the table"), ("moved_touching", "moves touching")):
            if shot[field]:
                words.append(f"{verb} {_balls(int(shot[field]))}")
        if shot["first_contact"] and not shot["moved"] and not shot["potted"]:
            words.append("moves nothing")
    elif decision["option"] == Option.CONCEDE:
        words.append("concedes")
    elif decision["option"] == Option.DECLINE:
        words.append("gives the break-off away" if before["opening"] and not before["after_foul"] else "declines")
    names = [name for name, bit in REPORT_NAMES.items() if int(shot["reported"]) & bit]
    if names:
        side = int(shot["reported_side"])
        words.append(f"reported {', '.join(names)}" + (f" against {SIDES[side]}" if side != NO_SIDE else ""))
    return "; ".join(words)


def _result(ruling: np.ndarray) -> str:
    """Points, fouls, returns and what follows."""
    words = []
    if ruling["points"]:
        words.append(f"+{ruling['points']}")
    if ruling["fouls"]:
        codes = " ".join(fouls_of_bits(int(ruling["fouls"])))
        words.append(f"foul {codes}: {ruling['penalty']} to {SIDES[1 - ruling['offender']]}")
    if ruling["respotted"]:
        words.append(f"back: {_balls(int(ruling['respotted']))}")
    if ruling["aggravated"]:
        words.append("aggravated")
    words += _ends(ruling)
    if not ruling["frame_over"]:
        words.append(f"{SIDES[ruling['next_striker']]} on {on_name(int(ruling['next_on']))}")
        if ruling["snooker_after"]:
            words.append(f"snooker {Snooker(int(ruling['snooker_after'])).name.lower()}")
        words += [word for field, word in _OFFERS if ruling[field]]
    return "; ".join(words)


def _ends(ruling: np.ndarray) -> list[str]:
    """How the frame and the match ended, if they did."""
    words = []
    if ruling["void"]:
        words.append("frame void")
    elif ruling["tied"]:
        words.append("tie")
    elif ruling["frame_over"] and ruling["winner"] != NO_SIDE:
        words.append(f"frame to {SIDES[ruling['winner']]}")
    if ruling["match_over"]:
        winner = int(ruling["match_winner"])
        words.append("match lost by both" if winner == NO_SIDE else f"match to {SIDES[winner]}")
    return words


def _aligned(lines: list[tuple[str, str, str, str, str]]) -> str:
    widths = [max(len(line[i]) for line in lines if line[0]) if any(line[0] for line in lines) else 0 for i in range(5)]
    rows = []
    for line in lines:
        if not line[0]:
            rows.append(f"-- {line[1]}")
            continue
        n, who, played, result, score = line
        rows.append(
            f"{n:>{widths[0]}}  {who:<{widths[1]}}  {played:<{widths[2]}}  {score:>{widths[4]}}  {result}".rstrip()
        )
    return "\n".join(rows)
