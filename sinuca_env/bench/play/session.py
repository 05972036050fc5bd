"""A frame with people in it: turns, choices, undo, save and load. No window here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sinuca_env.bench.files import write_json
from sinuca_env.bench.recorder import Recorder
from sinuca_env.envs.config import env_config
from sinuca_env.game.tables import Tables
from sinuca_env.policies import get_policy
from sinuca_env.state.balls import VALUE_NAMES
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.notation import frame_from_text, frame_to_text, layout_from_text, layout_to_text
from sinuca_env.state.records import DECISION, NO_CALL, Option

__all__ = ["FORMAT", "PERSON", "Session"]

FORMAT = "sinuca-save-1"
PERSON = "person"
_SETTINGS = ("reds", "table", "noise", "seed")


class Session:
    """One frame between two sides, each a person or a policy.

    Args:
        players: two of ``person`` and what :func:`sinuca_env.policies.get_policy` takes.
        reds: 6, 10 or 15.
        table: name of the table.
        noise: execution noise of every stroke, people's too.
        seed: of the draw and the noise.

    Attributes:
        tables: the game, one lane.
        recorder: replay and score sheet so far.
    """

    def __init__(
        self,
        players: Sequence[str] = (PERSON, "greedy"),
        *,
        reds: int = 6,
        table: str = "snooker_12ft",
        noise: Any = "none",
        seed: int = 0,
    ) -> None:
        if len(players) != 2:
            raise SinucaError(f"players: {len(players)} given: two sides")
        self.players = list(players)
        self.settings = {"reds": reds, "table": table, "noise": noise, "seed": seed}
        self._policies = [None if name == PERSON else get_policy(name) for name in self.players]
        config = env_config("frame", reds=reds, table=table, noise=noise, opponent="self", allow_concede=True)
        self.tables = Tables(1, config.spec, config.cfg, config.params, config.task, config.noise, True)
        self.tables.seed([seed])
        self.tables.reset()
        self._begin()

    def _begin(self) -> None:
        self.recorder = Recorder(self.tables, self.players, " - ".join(self.players))
        self._past: list[tuple[Any, ...]] = []

    @property
    def frame(self) -> np.void:
        """The FRAME record."""
        return self.tables.frames[0]

    @property
    def legal(self) -> np.void:
        """The LEGAL record: what the next striker may do."""
        return self.tables.legals[0]

    @property
    def is_over(self) -> bool:
        """Whether the frame has ended."""
        return bool(self.frame["frame_over"])

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person has to decide."""
        return not self.is_over and self._policies[int(self.frame["striker"])] is None

    def may(self, option: Option) -> bool:
        """Whether the next striker has this option."""
        return bool((int(self.legal["options"]) >> option) & 1)

    def calls(self, option: Option = Option.PLAY) -> list[int]:
        """Values that may be called."""
        calls = int(self.legal["free_calls" if option == Option.FREE_BALL else "calls"])
        return [value for value in range(1, 8) if (calls >> value) & 1]

    def play(
        self,
        angle: float,
        speed: float,
        *,
        side: float = 0.0,
        top: float = 0.0,
        elevation: float = 0.0,
        placement: tuple[float, float] | None = None,
        call: int = NO_CALL,
        option: Option = Option.PLAY,
    ) -> np.void:
        """A person's decision; returns the RULING record. Arguments in SI units, tip offsets in ball radii.

        Raises:
            SinucaError: not a person's turn, or an option, call or number that is not acceptable.
        """
        self._check(option, call, (angle, speed, side, top, elevation))
        decision = np.zeros(1, DECISION)
        decision["option"], decision["call"] = option, call
        if placement is not None:
            decision["placement"] = placement
        strike = decision["strike"]
        strike["angle"], strike["speed"], strike["elevation"] = angle, speed, elevation
        strike["side"], strike["top"] = side, top
        return self._take(decision)

    def choose(self, option: Option) -> np.void:
        """Decline (or give the break-off away), or concede.

        Raises:
            SinucaError: the option is not open.
        """
        self._check(option, NO_CALL, ())
        decision = np.zeros(1, DECISION)
        decision["option"] = option
        return self._take(decision)

    def let_policy_play(self) -> np.void:
        """The policy whose turn it is takes one decision.

        Raises:
            SinucaError: it is a person's turn, or the frame is over.
        """
        policy = None if self.is_over else self._policies[int(self.frame["striker"])]
        if policy is None:
            raise SinucaError("no policy is at the table")
        return self._take(policy.act(self.tables.view(np.array([0]))))

    def _check(self, option: Option, call: int, numbers: Sequence[float]) -> None:
        if not self.is_persons_turn:
            raise SinucaError("the frame is over" if self.is_over else "it is the other side's turn")
        if not self.may(option):
            raise SinucaError(f"{option.name.lower().replace('_', ' ')}: not open to the striker now")
        if call != NO_CALL and call not in self.calls(option):
            names = ", ".join(VALUE_NAMES[value] for value in self.calls(option))
            raise SinucaError(f"call: {VALUE_NAMES[call] if 0 < call < 8 else call} may not be called: {names}")
        if not np.isfinite(numbers).all():
            raise SinucaError("a stroke's numbers must be finite")

    def _take(self, decision: np.ndarray) -> np.void:
        tables, recorder = self.tables, self.recorder
        kept = (len(recorder.rows), len(recorder.sheet.lines), len(recorder.shots), len(recorder.fouls))
        self._past.append((tables.frames.copy(), tables.layouts.copy(), tables.legals.copy(), kept))
        return self.recorder.step(decision)

    def undo(self) -> bool:
        """Back to before the last decision of a person; False if there is none."""
        for k in range(len(self._past) - 1, -1, -1):
            if self._policies[int(self._past[k][0]["striker"][0])] is None:
                frames, layouts, legals, kept = self._past[k]
                self.tables.frames[:], self.tables.layouts[:], self.tables.legals[:] = frames, layouts, legals
                recorder = self.recorder
                del recorder.rows[kept[0] :], recorder.sheet.lines[kept[1] :]
                del recorder.shots[kept[2] :], recorder.fouls[kept[3] :]
                del self._past[k:]
                return True
        return False

    def save(self, path: str | Path) -> None:
        """Write the situation (not the strokes before it)."""
        state = {"frame": frame_to_text(self.tables.frames), "layout": layout_to_text(self.tables.layouts[0])}
        write_json(Path(path), {"format": FORMAT, "players": self.players, **self.settings, **state})

    @classmethod
    def load(cls, path: str | Path) -> Session:
        """Go on from a saved situation.

        Raises:
            SinucaError: unreadable, or not such a file.
        """
        path = Path(path)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SinucaError(f"{path}: cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise SinucaError(f"{path}: not JSON: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise SinucaError(f'{path}: not a saved frame: expected "format": "{FORMAT}"')
        missing = [key for key in ("players", "frame", "layout", *_SETTINGS) if key not in data]
        if missing:
            raise SinucaError(f"{path}: '{missing[0]}' is missing")
        try:
            session = cls(data["players"], **{key: data[key] for key in _SETTINGS})
            frame, layout = frame_from_text(str(data["frame"])), layout_from_text(str(data["layout"]))
        except SinucaError as error:
            raise SinucaError(f"{path}: {error}") from None
        session.tables.frames[0], session.tables.layouts[0] = frame, layout
        session.tables.settle()
        session._begin()
        return session
