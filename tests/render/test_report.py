"""Pages and charts: well formed, everything inside the file, text escaped, numbers where they belong."""

import itertools
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from sinuca_env.render.chart import Bar, bar_chart, line_chart, ticks
from sinuca_env.render.report import Page, figure, figures, paragraph, table

SVG = "{http://www.w3.org/2000/svg}"
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Balance(HTMLParser):
    """Every element that opens is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_page_is_balanced_escaped_and_self_contained():
    page = Page("Demo & more", "1 < 2")
    page.section("First", paragraph("a < b"), table(["name", "value"], [["x<y", 3]], numeric=[1], caption="c"))
    page.section("Second", figures([figure(line_chart([0, 1], [0, 1], title="t", x_label="x"), "cap & tion")]))
    html = page.html()
    reader = Balance()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    text = " ".join(reader.text)
    assert "x<y" in text
    assert "Demo & more" in text
    assert not re.search(r"(src|href)=[\"']?(https?:|//|/)", html)
    assert "$" not in html


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 8_000_000), (-3.2, 0.01), (5, 5), (0.013, 0.017)])
def test_ticks_are_round_inside_and_few(low, high):
    marks = ticks(low, high)
    assert 1 <= len(marks) <= 6
    assert all(low - 1e-9 <= mark <= high + 1e-9 for mark in marks)
    if len(marks) > 2:
        steps = {round(b - a, 9) for a, b in itertools.pairwise(marks)}
        assert len(steps) == 1


def test_line_chart_puts_points_on_their_scale():
    root = ET.fromstring(line_chart([0, 50, 100], [0.0, 0.5, 1.0], title="t", x_label="x", percent=True))
    xs, ys = zip(*((float(c.get("cx")), float(c.get("cy"))) for c in root.iter(f"{SVG}circle")), strict=True)
    assert xs[1] == pytest.approx((xs[0] + xs[2]) / 2, abs=0.1)
    assert ys[1] == pytest.approx((ys[0] + ys[2]) / 2, abs=0.1)
    assert ys[2] < ys[0]  # upwards


@pytest.mark.parametrize("n", [0, 1])
def test_line_chart_of_hardly_any_points(n):
    ET.fromstring(line_chart([3.0] * n, [0.2] * n, title="t", x_label="x"))


def test_bars_are_proportional():
    root = ET.fromstring(bar_chart([Bar("a", 0.2, 0.1, 0.3), Bar("b", 0.8, 0.7, 0.9)], title="t"))
    a, b = (float(r.get("width")) for r in root.iter(f"{SVG}rect"))
    assert b == pytest.approx(4 * a, rel=0.01)
