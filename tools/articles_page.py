"""Write docs/articles.md: every article, its title, where it is in the code, its switch, its cases.

python tools/articles_page.py            writes the page
python tools/articles_page.py --check    exit code 1 if the page on disk is not what the code says
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

from sinuca_env.rules.articles import ARTICLES, SUB_ITEMS, Article
from sinuca_env.rules.explain import explain, where_of
from sinuca_env.rules.parameters import RULES_DEFAULTS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "articles.md"
CASES = ROOT / "tests" / "rules" / "cases"

HEAD = """# The 49 articles in the code

Written by `python tools/articles_page.py` from `sinuca_env/rules/articles.py` and the case files in
`tests/rules/cases`; do not edit by hand. Titles and sentences are the project's own words.
`sinuca referee explain CODE` prints one of them.

A ruling carries the articles that applied and the items of the fouls. Status: *code* a rule function, *data* a table
or record, *geometry* computed from positions, *definition* a term that other articles use, *reported* told to the
referee by people. A switch is a field of `RulesConfig` that chooses between two readings of the text.

"""


def cases_by_code() -> dict[str, list[str]]:
    """Ids of the cases that name a code, by code."""
    cases: dict[str, list[str]] = defaultdict(list)
    for file in sorted(CASES.glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            for code in case.get("articles", []):
                cases[code].append(case["id"])
    return cases


def codes_of(number: int) -> list[str]:
    """The article's own code and those of its items."""
    return [str(number), *(f"{number}-{part}" for part in SUB_ITEMS.get(number, "").split())]


def places_of(row: Article) -> str:
    """Functions that apply the article, by module; else the module that holds its data or definition."""
    modules: dict[str, list[str]] = defaultdict(list)
    for place in where_of(str(row.number)):
        module, _, function = place.rpartition(".")
        modules[module.removeprefix("sinuca_env.")].append(function)
    if not modules:
        return f"`rules.{row.where}`"
    return "; ".join(f"`{module}`: {', '.join(functions)}" for module, functions in sorted(modules.items()))


def page() -> str:
    """The whole page."""
    cases = cases_by_code()
    lines = ["| | article | título | status | switch (default) | cases |", "|--:|---|---|---|---|--:|"]
    details = ["", "## Where each article is, and its cases", ""]
    for number, row in ARTICLES.items():
        ids = sorted({case for code in codes_of(number) for case in cases.get(code, [])})
        switch = f"`{row.switch}` ({json.dumps(RULES_DEFAULTS[row.switch])})" if row.switch else ""
        link = f"[{number}](#article-{number})"
        lines.append(f"| {link} | {row.en} | {row.pt} | {row.status} | {switch} | {len(ids)} |")
        details += [f"### Article {number}", "", f"{row.en} (*{row.pt}*). {places_of(row)}.", ""]
        for code in codes_of(number):
            names = ", ".join(cases.get(code, []))
            details.append(f"- **{code}** {explain(code)}" + (f" Cases: {names}." if names else ""))
        details.append("")
    return HEAD + "\n".join(lines + details).rstrip() + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    text = page()
    if arguments == ["--check"]:
        fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print("docs/articles.md is up to date" if fresh else "docs/articles.md is not what the code says")
        return 0 if fresh else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
