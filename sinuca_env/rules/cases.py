"""Case files: decisions of the referee as JSON, loaded, ruled and compared (``sinuca referee check``).

A file is a list of cases. A case is one decision (``frame``, ``call``, ``stroke`` or ``action``), or a question of
geometry or arithmetic (``snooker_case``, ``respot_case``, ``points_case``, ``rack_case``), with what must follow in
``expect``. Only the keys of ``expect`` are compared. Anything unknown is an error that names the case.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sinuca_env.rules.articles import check_code
from sinuca_env.rules.batch import judge_batch
from sinuca_env.rules.case_questions import QUESTIONS, table_of
from sinuca_env.rules.case_reader import (
    check_keys,
    check_object,
    check_places,
    layout_of,
    names_of,
    on_of,
    snooker_of,
)
from sinuca_env.rules.case_stroke import DECISION_KEYS, EXPECTED, Decided, answers_of, read_decision
from sinuca_env.rules.parameters import rules_config
from sinuca_env.state.balls import FIRST_RED, slot_from_name
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import DECISION, FRAME, LEGAL, RULING, SHOT

__all__ = ["Case", "Result", "check_cases", "load_cases"]

SPOT_TOLERANCE = 1e-4  # m, where the expected place is a spot
LINE_TOLERANCE = 1e-3  # m, elsewhere
_COMMON_KEYS = ("id", "articles", "title", "rules", "table", "expect")


@dataclass(frozen=True)
class Case:
    """One case: its file, its JSON object, its kind, and for a decision the records it starts from."""

    file: str
    data: Mapping[str, Any]
    kind: str
    decided: Decided | None = None

    @property
    def id(self) -> str:
        """As in the file."""
        return str(self.data["id"])


@dataclass
class Result:
    """What the referee said to one case.

    Attributes:
        case: the case.
        differences: (key, expected, actual) of every key that differs; empty when the case passes.
    """

    case: Case
    differences: list[tuple[str, Any, Any]] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """No difference."""
        return not self.differences

    def __str__(self) -> str:
        """One line per difference under the case's id and title."""
        title = self.case.data.get("title", "")
        head = f"{self.case.id}: {title}" if title else self.case.id
        lines = [f"  {key}: expected {_shown(want)}, got {_shown(got)}" for key, want, got in self.differences]
        return "\n".join([head, *lines])


def load_cases(files: Iterable[str | Path]) -> list[Case]:
    """All cases of some files, read and checked before any is ruled.

    Raises:
        SinucaError: not a list of cases, or a case that cannot be; the line names file, case and field.
        OSError: a file that cannot be read.
    """
    cases = []
    for file in files:
        try:
            content = json.loads(Path(file).read_text(encoding="utf-8"), object_pairs_hook=_each_key_once)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise SinucaError(f"{file}: not a JSON file ({error})") from None
        except SinucaError as error:
            raise SinucaError(f"{file}: {error}") from None
        if not isinstance(content, list):
            raise SinucaError(f"{file}: a list of cases is needed")
        for number, data in enumerate(content, 1):
            cases.append(_read_case(str(file), number, data))
    return cases


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; its second ``black`` is an error and does not replace the first."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise SinucaError(f"{twice}: given twice in one object")
    return content


def _read_case(file: str, number: int, data: Any) -> Case:
    if not isinstance(data, dict) or "id" not in data:
        raise SinucaError(f"{file}: case number {number}: an object with an id is needed")
    try:
        kinds = [kind for kind in QUESTIONS if kind in data]
        if len(kinds) > 1:
            raise SinucaError(f"{kinds[1]}: a case is of one kind, this one is a {kinds[0]}")
        kind = kinds[0] if kinds else "decision"
        check_keys("case", data, (*_COMMON_KEYS, *(kinds or DECISION_KEYS)))
        for code in _list("articles", data.get("articles", [])):
            check_code(code)
        _check_expect(check_keys("expect", data.get("expect"), EXPECTED if kind == "decision" else QUESTIONS[kind][1]))
        table = table_of(data, {})
        decided = None
        if kind == "decision":
            decided = read_decision(data)
            check_places("stroke.layout_after", decided.layout, table)
        else:
            rules_config(**check_object("rules", data.get("rules") or {}))
            answer(Case(file, data, kind))
    except SinucaError as error:
        raise SinucaError(f"{file}: case '{data['id']}': {error}") from None
    return Case(file, data, kind, decided)


def _check_expect(expect: Mapping[str, Any]) -> None:
    """Refuse words that no answer can be, so that a slip in a case is an error and not a failure (null is none)."""
    expect = {key: value for key, value in expect.items() if value is not None}
    for code in _list("expect.fouls", expect.get("fouls", [])):
        check_code(code)
    names_of("expect.respotted", expect.get("respotted", []))
    for key in ("snooker", "snooker_after"):
        if key in expect:
            snooker_of(f"expect.{key}", expect[key])
    if "next_on" in expect:
        on_of("expect.next_on", expect["next_on"])
    if "first_obstacle" in expect:
        first = expect["first_obstacle"]
        names_of("expect.first_obstacle", first if isinstance(first, list) else [first])
    if "positions" in expect:
        layout_of("expect.positions", expect["positions"])


def _list(where: str, given: Any) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
        raise SinucaError(f"{where}: {given!r}: a list of article codes")
    return given


def check_cases(files: Iterable[str | Path], lanes: int = 1, seed: int = 0) -> list[Result]:
    """Rule on every case of some files.

    Args:
        files: paths of case files.
        lanes: size of the batch in which each decision is ruled, in a random lane between other decisions.
        seed: of the lanes.

    Raises:
        SinucaError: as :func:`load_cases`.
    """
    cases = load_cases(files)
    rng = np.random.default_rng(seed)
    decisions = [case for case in cases if case.decided is not None]
    return [
        _compared(case, judge_case(case, decisions, lanes, rng) if case.decided else answer(case)) for case in cases
    ]


def judge_case(case: Case, others: list[Case], lanes: int, rng: np.random.Generator) -> dict[str, Any]:
    """The referee's answers to a decision, ruled in a random lane among other decisions."""
    planted = int(rng.integers(lanes))
    chosen = [others[int(rng.integers(len(others)))] for _ in range(lanes)]
    chosen[planted] = case
    starts = [other.decided for other in chosen if other.decided is not None]
    frames = np.concatenate([start.frame for start in starts]).astype(FRAME)
    shots = np.concatenate([start.shot for start in starts]).astype(SHOT)
    decisions = np.concatenate([start.decision for start in starts]).astype(DECISION)
    layouts = np.stack([start.layout for start in starts])
    rulings, legals = np.zeros(lanes, RULING), np.zeros(lanes, LEGAL)
    table = table_of(case.data, {}).record
    judge_batch(frames, layouts, shots, decisions, starts[planted].cfg, table, rulings, legals)
    return answers_of(rulings[planted : planted + 1], frames[planted : planted + 1])


def answer(case: Case) -> dict[str, Any]:
    """The answers to a question of geometry or arithmetic."""
    return QUESTIONS[case.kind][0](case.data)


def _compared(case: Case, answers: Mapping[str, Any]) -> Result:
    result = Result(case)
    for key, want in case.data["expect"].items():
        if case.kind == "decision" and key not in answers:
            continue  # not asked once the frame is over
        got = answers[key]
        if key == "positions":
            result.differences += _misplaced(want, got, table_of(case.data, case.data[case.kind]).record["spots"][0])
        elif not _is_same(want, got):
            result.differences.append((key, want, got))
    return result


def _is_same(want: Any, got: Any) -> bool:
    """Equal values of one type (true is not 1); lists of words are sets."""
    if isinstance(got, list) and isinstance(want, list) and all(isinstance(word, str) for word in want + got):
        return set(want) == set(got)
    return type(want) is type(got) and bool(want == got)


def _misplaced(want: Mapping[str, Any], got: np.ndarray, spots: np.ndarray) -> list[tuple[str, Any, Any]]:
    """Expected positions without a ball near enough; the reds are told apart only where they are numbered."""
    differences = []
    for name, places in want.items():
        several = bool(places) and isinstance(places[0], list)
        slots = list(range(FIRST_RED, 16)) if several else [slot_from_name(name)]
        for place in places if several else [places]:
            near = np.hypot(*(spots - place).T).min() <= SPOT_TOLERANCE
            distances = np.hypot(*(got[slots] - place).T)
            best = int(np.nanargmin(distances)) if np.isfinite(distances).any() else -1
            if best < 0 or distances[best] > (SPOT_TOLERANCE if near else LINE_TOLERANCE):
                where = [round(float(v), 6) for v in got[slots[best]]] if best >= 0 else "no ball"
                differences.append((f"positions.{name}", place, where))
    return differences


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
