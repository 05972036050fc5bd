"""The 49 articles: one row each, the bits of the foul items, and ``@article``, which ties a function to its article.

``@article("40-I")`` stands above a small rule function: it records the function under that code and compiles it
(:func:`sinuca_env._jit.kernel`). ``REGISTRY`` then answers "where is article n", and tests ask it for completeness.

A ruling carries two bit sets: ``RULING.articles`` (bit *n* = article *n* decided something, set by :func:`cite`) and
``RULING.fouls`` (bit *i* = ``FOUL_ITEMS[i]``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sinuca_env._jit import kernel
from sinuca_env.state.errors import SinucaError, suggest

__all__ = [
    "ARTICLES", "FOUL_BIT", "FOUL_ITEMS", "REGISTRY", "SUB_ITEMS", "Article", "article", "article_of_code",
    "articles_of_bits", "check_code", "cite", "fouls_from_codes", "fouls_of_bits", "item",
]  # fmt: skip

_ROMAN = (
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX",
    "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII",
)  # fmt: skip

FOUL_ITEMS: tuple[str, ...] = (
    *(f"40-{n}" for n in _ROMAN),
    *(f"41-{n}" for n in _ROMAN[:4]),
    *(f"42-{n}" for n in _ROMAN[:5]),
    "37",
)
"""The codes that a foul is reported under; ``RULING.fouls`` has bit ``i`` set for ``FOUL_ITEMS[i]``."""

FOUL_BIT: dict[str, int] = {code: i for i, code in enumerate(FOUL_ITEMS)}

# Bit numbers as plain integers, because kernels read them as constants.
(
    F40_I, F40_II, F40_III, F40_IV, F40_V, F40_VI, F40_VII, F40_VIII, F40_IX, F40_X, F40_XI, F40_XII, F40_XIII, F40_XIV,
    F40_XV, F40_XVI, F40_XVII, F40_XVIII, F41_I, F41_II, F41_III, F41_IV, F42_I, F42_II, F42_III, F42_IV, F42_V, F37,
) = range(28)  # fmt: skip

VARIABLE_FOULS = (1 << F41_I) - 1
"""Items of article 40: variable penalty."""
MAXIMUM_FOULS = ((1 << F42_I) - 1) & ~VARIABLE_FOULS
"""Items of article 41: maximum penalty."""
DISCIPLINARY_FOULS = ((1 << F37) - 1) & ~VARIABLE_FOULS & ~MAXIMUM_FOULS
"""Items of article 42."""
GRAVE_FOUL = 1 << F37


@dataclass(frozen=True)
class Article:
    """One row of the law.

    Attributes:
        number: 1..49.
        pt, en: title, Portuguese and English, in the project's own words.
        status: ``code`` (a rule function), ``data`` (a table or record), ``geometry`` (computed from positions),
            ``definition`` (a term that other articles use) or ``reported`` (people report it, the core rules on it).
        where: module (and attribute) that holds it.
        switch: ``RulesConfig`` field that chooses between readings, or an empty string.
    """

    number: int
    pt: str
    en: str
    status: str
    where: str
    switch: str = ""


ARTICLES: dict[int, Article] = {
    row.number: row
    for row in (
        Article(1, "Bolas, valores e lados", "Balls, values and sides", "data", "definitions", "players_per_side"),
        Article(2, "Objetivo da partida", "Object of a frame", "code", "play"),
        Article(3, "Bola da vez e coloridas", "Ball on and colours", "definition", "definitions"),
        Article(4, "Bola livre", "Free ball", "code", "definitions", "free_ball_after_missed_target"),
        Article(5, "Ataque ou defesa", "Attack or defence", "code", "play"),
        Article(6, "Maiores tacadas", "Highest breaks", "definition", "breaks"),
        Article(7, "Oito pontos a mais com bola livre", "Eight more with a free ball", "definition", "breaks"),
        Article(8, "Situação de sinuca", "Snooker", "geometry", "snooker"),
        Article(9, "O que não é obstáculo", "What is no obstacle", "geometry", "snooker"),
        Article(10, "Efeito da sinuca", "What a snooker brings", "code", "after_foul"),
        Article(11, "Sequência das bolas", "Order of the balls", "code", "play"),
        Article(12, "Bolas que retornam e que não retornam", "Balls that return or stay down", "code", "play"),
        Article(13, "Combinações lícitas", "Lawful combinations", "code", "play"),
        Article(14, "Pontos das vermelhas e da bola livre", "Points of reds and free ball", "code", "play"),
        Article(15, "Vermelhas não retornam", "Reds never return", "code", "play", "replace_after_miss"),
        Article(16, "Posição inicial", "Start of a frame", "data", "opening", "reds"),
        Article(17, "Sorteio e alternância da saída", "Draw and alternation of the break-off", "code", "opening"),
        Article(18, "Saída da partida complementar", "Break-off of a complementary frame", "code", "opening"),
        Article(19, "Cantar a bola visada", "Calling the target", "code", "calls", "call_mode"),
        Article(20, "Tabelas antes do contato", "Cushions before the contact", "definition", "calls"),
        Article(21, "Qualquer caçapa", "Any pocket", "definition", "calls"),
        Article(22, "Bola colada", "Touching ball", "code", "touching", "touching_tolerance"),
        Article(23, "Confirmar a colada", "Confirming a touching ball", "geometry", "touching", "touching_tolerance"),
        Article(24, "Informação sobre a bola colada", "Telling of a touching ball", "data", "touching"),
        Article(25, "Retorno à marca", "Return to the spot", "geometry", "respot", "replace_after_miss"),
        Article(26, "Todas as marcas ocupadas", "Every spot occupied", "geometry", "respot", "respot_towards"),
        Article(27, "Retorno na direção inversa", "Return the other way", "geometry", "respot", "respot_towards"),
        Article(28, "Preferência da bola de maior valor", "Highest value first", "geometry", "respot"),
        Article(29, "Depois da falta", "After a foul", "code", "after_foul", "free_ball_after_missed_target"),
        Article(30, "Falta que deixa sinuca", "A foul that leaves a snooker", "code", "after_foul"),
        Article(31, "Bola livre encaçapada", "Free ball potted", "code", "after_foul"),
        Article(32, "Sinuca atrás da bola livre", "Snooker behind the free ball", "code", "after_foul"),
        Article(33, "Outras penas", "Further penalties", "code", "penalties"),
        Article(34, "Penalidade variável", "Variable penalty", "code", "penalties"),
        Article(35, "Penalidade máxima", "Maximum penalty", "code", "penalties"),
        Article(36, "Falta disciplinar", "Disciplinary foul", "reported", "penalties"),
        Article(37, "Falta disciplinar grave", "Grave disciplinary foul", "reported", "penalties"),
        Article(38, "Falta técnica agravada", "Aggravated foul", "code", "penalties", "aggravated_foul"),
        Article(39, "Bola de maior valor envolvida", "Highest ball involved", "code", "penalties"),
        Article(40, "Faltas com pena variável", "Variable-penalty fouls", "code", "fouls", "simultaneity_tolerance"),
        Article(41, "Faltas com pena máxima", "Maximum-penalty fouls", "code", "fouls", "total_snooker_foul"),
        Article(42, "Faltas disciplinares", "Disciplinary fouls", "reported", "fouls"),
        Article(43, "Fim da partida", "End of a frame", "code", "ending"),
        Article(44, "Só a tacadeira e a bola 7", "Only cue ball and black", "code", "ending"),
        Article(45, "Empate e partida complementar", "Tie and complementary frame", "code", "ending"),
        Article(46, "Impasse", "Stalemate", "code", "ending", "stalemate_tolerance"),
        Article(47, "Fim antecipado", "Early end", "code", "ending", "early_end"),
        Article(48, "Fim do jogo", "End of a match", "code", "match", "frames_to_win"),
        Article(49, "Derrota de ambos", "Both lose", "reported", "match"),
    )
}  # fmt: skip


def _roman(n: int) -> str:
    return " ".join(_ROMAN[:n])


SUB_ITEMS: dict[int, str] = {
    1: "I II II-a II-b",
    6: "I I-a I-b I-c II II-a II-b II-c II-d II-e II-f II-g",
    8: "I I-a I-b I-c II II-a II-b III IV",
    11: "I II",
    12: "I II III IV IV-a IV-b",
    16: _roman(4),
    22: "I II II-a II-b",
    26: "I II",
    29: _roman(4),
    30: "I II",
    31: "I II",
    34: "I I-a I-b",
    35: "I",
    36: "I II",
    37: "I",
    38: "I II",
    40: _roman(18),
    41: _roman(4),
    42: _roman(5),
    43: _roman(3),
    44: "I II",
    46: _roman(3),
    48: _roman(4),
}
"""Items that a code may name, by article."""

_CODES = {str(n) for n in ARTICLES} | {f"{n}-{part}" for n, parts in SUB_ITEMS.items() for part in parts.split()}

REGISTRY: dict[str, list[Callable[..., Any]]] = {}
"""Rule functions by code, in the order in which they were defined."""


def article(*codes: str, entry: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Record a rule function under the articles it applies, and compile it.

    Args:
        codes: as ``"3"``, ``"40-XIV"`` or ``"34-I-b"``.
        entry: Python calls it too, not only other kernels.

    Raises:
        SinucaError: a code that the law does not have.
    """
    for code in codes:
        check_code(code)

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = kernel(function, internal=not entry)
        for code in codes:
            REGISTRY.setdefault(code, []).append(compiled)
        return compiled

    return decorate


def check_code(code: str) -> str:
    """The code itself, if the law has it.

    Raises:
        SinucaError: it has not.
    """
    if code not in _CODES:
        raise SinucaError(f"unknown article code '{code}'{suggest(str(code), _CODES)}: as 3, 40-XIV, 34-I-b, 29-III")
    return code


def article_of_code(code: str) -> Article:
    """The row that a code belongs to (``40-XIV`` belongs to article 40)."""
    return ARTICLES[int(check_code(code).split("-")[0])]


@kernel(internal=True)
def item(bit, committed):
    """The foul set that holds one item if it was committed, else the empty set."""
    return 1 << bit if committed else 0


@kernel(inline=True)
def cite(ruling, number):
    """Note in the ruling that this article decided something."""
    ruling.articles |= 1 << number


def fouls_of_bits(fouls: int) -> list[str]:
    """Codes of a foul set, in the order of the law (grave last)."""
    return [code for i, code in enumerate(FOUL_ITEMS) if int(fouls) >> i & 1]


def articles_of_bits(articles: int) -> list[int]:
    """Numbers of a set of articles, ascending."""
    return [n for n in ARTICLES if int(articles) >> n & 1]


def fouls_from_codes(codes: Iterable[str]) -> int:
    """The foul set of some codes.

    Raises:
        SinucaError: a code that is no foul's.
    """
    fouls = 0
    for code in codes:
        if code not in FOUL_BIT:
            raise SinucaError(
                f"unknown foul code '{code}'{suggest(str(code), FOUL_BIT)}: one of {', '.join(FOUL_ITEMS)}"
            )
        fouls |= 1 << FOUL_BIT[code]
    return fouls
