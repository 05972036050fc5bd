"""Codes in words: what an article says, and why a ruling was given, in English or Portuguese."""

from __future__ import annotations

from typing import Any

from sinuca_env.rules.articles import ARTICLES, REGISTRY, article_of_code, articles_of_bits, check_code, fouls_of_bits
from sinuca_env.rules.sentences import SENTENCES
from sinuca_env.state.errors import SinucaError

__all__ = ["explain", "explain_ruling", "where_of"]

_LANGUAGES = ("en", "pt")


def _column(language: str) -> int:
    if language not in _LANGUAGES:
        raise SinucaError(f"language: unknown '{language}': one of {', '.join(_LANGUAGES)}")
    return _LANGUAGES.index(language)


def explain(code: str, language: str = "en") -> str:
    """The sentence of a code.

    Args:
        code: as ``"3"``, ``"40-XIV"`` or ``"34-I-b"``.
        language: ``en`` or ``pt``.

    Raises:
        SinucaError: unknown code or language.
    """
    return SENTENCES[check_code(code)][_column(language)]


def where_of(code: str) -> list[str]:
    """The rule functions recorded under the code, or under any item of it, as ``module.function``."""
    names = {
        f"{function.py_func.__module__}.{function.__name__}" if hasattr(function, "py_func") else
        f"{function.__module__}.{function.__name__}"
        for other, functions in REGISTRY.items()
        if other == code or other.startswith(f"{code}-")
        for function in functions
    }  # fmt: skip
    return sorted(names)


def explain_ruling(ruling: Any, language: str = "en") -> list[str]:
    """One line per foul item of a ``RULING`` record, then one per article that was at work."""
    column = _column(language)
    row = ruling[0] if getattr(ruling, "shape", ()) else ruling
    fouls = fouls_of_bits(row["fouls"])
    lines = [f"{code}: {SENTENCES[code][column]}" for code in fouls]
    for number in articles_of_bits(row["articles"]):
        title = ARTICLES[number].pt if column else ARTICLES[number].en
        lines.append(f"{number}: {title}")
    return lines


def describe(code: str, language: str = "en") -> str:
    """Code, title of its article, sentence, and where it lives: the text of ``sinuca referee explain``."""
    row = article_of_code(code)
    title = row.pt if _column(language) else row.en
    places = where_of(code) or [f"sinuca_env.rules.{row.where}"]
    switch = f"\nRulesConfig.{row.switch}" if row.switch else ""
    return f"{code} ({title}): {explain(code, language)}\n{', '.join(places)}{switch}"
