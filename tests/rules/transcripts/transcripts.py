"""Whole frames as text: a script (who does what, and the score by hand) and the sheet that the referee writes.

Scripts are ``NAME.script``, sheets ``NAME.txt``. There is no physics: a script says what the balls did.
``python tests/rules/transcripts/transcripts.py --write`` writes the sheets anew; read them before you commit.

    SIDE: [calls BALL | free BALL]; hits BALLS; pots BALLS; off BALLS; unmoved; reported NAME; against SIDE   | A-B
    SIDE: declines | gives (the break-off away) | concedes
    start SIDE, restart SIDE, next SIDE, complementary SIDE, end SIDE|tie|void
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from sinuca_env._jit import records
from sinuca_env.rules import (
    empty_shot,
    judge_batch,
    next_frame,
    parse_reports,
    restart_frame,
    rules_config,
    start_complementary,
    start_frame,
)
from sinuca_env.rules.sheet import SIDES, ScoreSheet
from sinuca_env.state.balls import VALUE_NAMES, has_ball, slot_from_name
from sinuca_env.state.records import DECISION, FRAME, LEGAL, RULING, Option
from sinuca_env.table.spec import table_spec

FOLDER = Path(__file__).parent
TABLE = table_spec("snooker_12ft").record


class Play:
    """One script played through the referee."""

    def __init__(self, script: str) -> None:
        self.lines = [line for line in script.splitlines()[1:] if line.strip()]
        self.title = script.splitlines()[0]
        self.frame, self.ruling, self.legal = np.zeros(1, FRAME), np.zeros(1, RULING), np.zeros(1, LEGAL)
        self.frame["match_winner"] = -1
        self.cfg = rules_config()
        self.sheet: ScoreSheet | None = None
        self.texts: list[str] = []

    def run(self) -> str:
        """Play all lines; the sheets."""
        for line in self.lines:
            words = line.split()
            if line[1] == ":":
                self.decide(line)
            else:
                getattr(self, words[0])(*words[1:])
        assert self.sheet is not None
        self.texts.append(self.sheet.text())
        return f"{self.title}\n\n" + "\n".join(self.texts)

    def rules(self, *pairs: str) -> None:
        named = dict(pair.split("=") for pair in pairs)
        self.cfg = rules_config(**{name: int(value) if value.isdigit() else value for name, value in named.items()})

    def begin(self) -> None:
        if self.sheet is not None:
            self.texts.append(self.sheet.text())
        self.sheet = ScoreSheet(self.frame)

    def start(self, side: str) -> None:
        start_frame(*self.kernel_arguments(), SIDES.index(side))
        self.begin()

    def restart(self, side: str) -> None:
        restart_frame(*self.kernel_arguments())
        assert SIDES[self.frame["striker"][0]] == side
        self.begin()

    def next(self, side: str) -> None:
        next_frame(*self.kernel_arguments())
        assert SIDES[self.frame["striker"][0]] == side
        self.begin()

    def complementary(self, first: str) -> None:
        start_complementary(*self.kernel_arguments()[:3], SIDES.index(first))
        self.sheet.note(f"complementary frame, the draw won by {first}")

    def kernel_arguments(self) -> tuple:
        return records(self.frame)[0], np.zeros((22, 2)), records(TABLE)[0], records(self.cfg)[0]

    def end(self, how: str) -> None:
        over, row = bool(self.frame["frame_over"][0]), self.ruling[0]
        said = "void" if row["void"] else "tie" if row["tied"] else SIDES[row["winner"]]
        assert over, "the frame goes on"
        assert said == how, said

    def decide(self, line: str) -> None:
        play, _, score = line.partition("|")
        side, _, text = play.partition(":")
        assert SIDES[self.frame["striker"][0]] == side, f"{line}: the other side is at the table"
        shot, decision = empty_shot(), np.zeros(1, DECISION)
        for part in text.split(";"):
            self.read(part.split(), shot, decision)
        before = self.frame.copy()
        # Positions are not known: nobody is snookered.
        judge_batch(self.frame, np.full((1, 22, 2), np.nan), shot, decision, self.cfg, TABLE, self.ruling, self.legal)
        written = self.sheet.add(before, shot, decision, self.ruling, self.frame)
        if score.strip():
            assert "-".join(map(str, self.frame["scores"][0])) == score.strip(), written

    def read(self, words: list[str], shot: np.ndarray, decision: np.ndarray) -> None:
        verb, rest = words[0], words[1:]
        if verb in ("calls", "free"):
            decision["call"] = VALUE_NAMES.index(rest[0])
            decision["option"] = Option.FREE_BALL if verb == "free" else Option.PLAY
        elif verb in ("declines", "gives", "concedes"):
            decision["option"] = Option.CONCEDE if verb == "concedes" else Option.DECLINE
        elif verb == "hits":
            shot["made"] = 1
            shot["first_contact"] = self.balls(rest)
            shot["moved"] = shot["first_contact"]
        elif verb in ("pots", "off"):
            shot["potted" if verb == "pots" else "off_table"] = self.balls(rest)
        elif verb == "unmoved":
            shot["moved"] = 0
        elif verb == "reported":
            shot["reported"], shot["reported_value"] = parse_reports(rest)
        else:
            assert verb == "against", verb
            shot["reported_side"] = SIDES.index(rest[0])

    def balls(self, names: list[str]) -> int:
        """Named balls; each ``red`` is the first one on the table that is not named yet."""
        on_table, named = int(self.frame["on_table"][0]), 0
        for name in names:
            if name == "nothing":
                continue
            slot = slot_from_name(name)
            while name == "red" and (not has_ball(on_table, slot) or has_ball(named, slot)):
                slot += 1
            named |= 1 << slot
        return named


def transcript(script: Path) -> str:
    """The text that the script's sheet must be."""
    return Play(script.read_text()).run()


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.script")):
        text = transcript(path)
        if "--write" in sys.argv:
            path.with_suffix(".txt").write_text(text)
        print(text)
