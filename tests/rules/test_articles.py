"""Completeness: every article has its row, its function, its words and its cases; every case decides what it says."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from sinuca_env.rules import ARTICLES, FOUL_ITEMS, REGISTRY, RULES_DEFAULTS, articles_of_bits, judge_batch
from sinuca_env.rules.articles import SUB_ITEMS, article, article_of_code, check_code, fouls_from_codes, fouls_of_bits
from sinuca_env.rules.cases import load_cases
from sinuca_env.rules.explain import describe, explain, explain_ruling, where_of
from sinuca_env.rules.sentences import SENTENCES
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import LEGAL, RULING
from sinuca_env.table.spec import table_spec

CASES = load_cases(sorted((Path(__file__).parent / "cases").glob("*.json")))
KINDS = ("pos", "neg", "pre")
# Articles that only name a term leave no mark in a ruling where it cannot be told from the facts of a case file.
WITHOUT_MARK = {6, 7, 20}


def kind_of(case):
    """(article or foul item, kind) of ``a13-neg-...`` and ``f40-XII-pre-...``."""
    found = re.match(r"(?:a(\d\d)|f(4\d-[XVI]+))-(pos|neg|pre)(?:-|$)", case.id)
    return (found[2] or int(found[1]), found[3]) if found else (None, None)


def ruling_of(case):
    start = case.decided
    ruling, legal = np.zeros(1, RULING), np.zeros(1, LEGAL)
    table = table_spec(case.data.get("table", "snooker_12ft")).record
    judge_batch(
        start.frame.copy(), start.layout[None].copy(), start.shot, start.decision, start.cfg, table, ruling, legal
    )
    return ruling[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", range(1, 50))
def test_every_article_has_a_case_of_each_kind(number, kind):
    cases = [case for case in CASES if kind_of(case) == (number, kind)]
    assert cases
    for case in cases:
        assert number in {article_of_code(code).number for code in case.data["articles"]}


@pytest.mark.parametrize(
    "case", [c for c in CASES if kind_of(c)[1] in ("pos", "neg") and c.decided], ids=lambda c: c.id
)
def test_an_article_is_at_work_in_its_positive_cases_only(case):
    subject, kind = kind_of(case)
    ruling = ruling_of(case)
    if isinstance(subject, str):
        assert (subject in fouls_of_bits(ruling["fouls"])) == (kind == "pos")
    elif subject not in WITHOUT_MARK:
        assert (subject in articles_of_bits(ruling["articles"])) == (kind == "pos")


@pytest.mark.parametrize("code", FOUL_ITEMS)
def test_every_foul_item_is_committed_avoided_and_joined_by_others(code):
    committed = [set(case.data["expect"].get("fouls", [])) for case in CASES]
    assert {code} in committed or code == "41-IV"  # 41-IV comes with the foul that it makes dearer
    assert any(code in fouls and len(fouls) > 1 for fouls in committed)
    named = [
        set(c.data["expect"]["fouls"]) for c in CASES if code in c.data["articles"] and "fouls" in c.data["expect"]
    ]
    assert code == "37" or any(code not in fouls for fouls in named)


@pytest.mark.parametrize("row", ARTICLES.values(), ids=lambda row: str(row.number))
def test_every_row_names_a_room_that_holds_its_functions(row):
    module = importlib.import_module(f"sinuca_env.rules.{row.where}")
    places = where_of(str(row.number))
    assert places
    assert any(place.startswith(module.__name__) for place in places)
    assert row.status in ("code", "data", "geometry", "definition", "reported")
    assert not row.switch or row.switch in RULES_DEFAULTS
    assert row.pt
    assert row.en


def test_every_item_of_the_law_that_decides_has_its_function():
    items = [*FOUL_ITEMS, "29-I", "29-II", "29-III", "29-IV", "34-I-a", "34-I-b"]
    assert not [code for code in items if code not in REGISTRY]
    assert not [code for code in REGISTRY if code not in SENTENCES]


@pytest.mark.parametrize("code", REGISTRY)
def test_every_function_has_a_case_that_names_its_code(code):
    named = {code for case in CASES for code in case.data["articles"]}
    assert any(other == code or other.startswith(f"{code}-") for other in named)


def test_functions_are_documented():
    for functions in REGISTRY.values():
        for function in functions:
            assert (getattr(function, "py_func", function).__doc__ or "").strip(), function


def test_codes_and_words():
    codes = {str(n) for n in ARTICLES} | {f"{n}-{part}" for n, parts in SUB_ITEMS.items() for part in parts.split()}
    assert codes == set(SENTENCES)
    assert all(en.strip() and pt.strip() and en != pt for en, pt in SENTENCES.values())
    assert explain("40-I") == "Cue ball potted."
    assert explain("40-I", "pt") == "Tacadeira encaçapada."
    assert "sinuca_env.rules.fouls.is_cue_ball_potted" in describe("40-I")
    assert "RulesConfig.early_end" in describe("47", "pt")
    with pytest.raises(SinucaError, match=r"unknown article code '40-XIX'.*as 3, 40-XIV"):
        explain("40-XIX")
    with pytest.raises(SinucaError, match="language: unknown 'fr'"):
        explain("40-I", "fr")
    with pytest.raises(SinucaError, match="50"):
        check_code("50")
    with pytest.raises(SinucaError, match="unknown article code"):
        article("0")
    with pytest.raises(SinucaError, match="unknown foul code '38'"):
        fouls_from_codes(["38"])
    assert fouls_of_bits(fouls_from_codes(["41-I", "40-XIV"])) == ["40-XIV", "41-I"]


def test_a_ruling_in_words():
    ruling = ruling_of(next(case for case in CASES if case.id == "a37-pre-with-others"))
    assert explain_ruling(ruling)[:2] == [f"40-I: {explain('40-I')}", f"37: {explain('37')}"]
    assert any(line.startswith("48: Fim do jogo") for line in explain_ruling(ruling, "pt"))
    assert explain_ruling(np.array([ruling])) == explain_ruling(ruling)
