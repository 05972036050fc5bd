"""docs/articles.md is what articles.py and the case files say."""

import importlib.util
from pathlib import Path

from sinuca_env.rules.articles import ARTICLES

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("articles_page", ROOT / "tools" / "articles_page.py")
articles_page = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(articles_page)


def test_the_page_on_disk_is_the_one_the_code_writes():
    page = articles_page.PAGE.read_text(encoding="utf-8")
    assert page == articles_page.page(), "write it again: python tools/articles_page.py"


def test_every_article_has_a_line_a_place_and_its_switch():
    page = articles_page.page()
    for number, row in ARTICLES.items():
        line = next(line for line in page.splitlines() if line.startswith(f"| [{number}](#article-{number})"))
        assert row.en in line
        assert row.pt in line
        assert not row.switch or f"`{row.switch}`" in line
        assert f"### Article {number}\n" in page
        assert "`rules." in articles_page.places_of(row)
