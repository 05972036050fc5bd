"""The law of sinuca: 49 articles, one referee. It knows the shot record, not the physics that filled it.

``judge`` / ``judge_batch`` rule on a decision and say what may follow; ``start_frame``, ``restart_frame``,
``next_frame`` and ``start_complementary`` put a frame on the table; ``report`` is what people tell a referee;
``rules_config`` holds the switches between readings; ``explain`` puts codes into words.
"""

from sinuca_env.rules.articles import (
    ARTICLES,
    FOUL_BIT,
    FOUL_ITEMS,
    REGISTRY,
    article,
    articles_of_bits,
    check_code,
    fouls_of_bits,
)
from sinuca_env.rules.batch import judge_batch, legal_batch
from sinuca_env.rules.breaks import points_remaining
from sinuca_env.rules.explain import explain, explain_ruling
from sinuca_env.rules.legality import legal_into
from sinuca_env.rules.opening import next_frame, restart_frame, start_complementary, start_frame
from sinuca_env.rules.parameters import RULES, RULES_DEFAULTS, rules_config, rules_dict
from sinuca_env.rules.referee import judge
from sinuca_env.rules.report import REPORT_NAMES, empty_shot, parse_reports, report
from sinuca_env.rules.sheet import ScoreSheet

__all__ = [
    "ARTICLES",
    "FOUL_BIT",
    "FOUL_ITEMS",
    "REGISTRY",
    "REPORT_NAMES",
    "RULES",
    "RULES_DEFAULTS",
    "ScoreSheet",
    "article",
    "articles_of_bits",
    "check_code",
    "empty_shot",
    "explain",
    "explain_ruling",
    "fouls_of_bits",
    "judge",
    "judge_batch",
    "legal_batch",
    "legal_into",
    "next_frame",
    "parse_reports",
    "points_remaining",
    "report",
    "restart_frame",
    "rules_config",
    "rules_dict",
    "start_complementary",
    "start_frame",
]
