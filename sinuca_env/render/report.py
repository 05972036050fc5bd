"""One HTML page that works from disk: titled sections of tables, figures and text, everything inside the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from string import Template

__all__ = ["Page", "figure", "figures", "paragraph", "table"]


@dataclass
class Page:
    """A page under construction: call :meth:`section` in order, then :meth:`html`."""

    title: str
    lead: str = ""
    _sections: list[tuple[str, str]] = field(default_factory=list)

    def section(self, heading: str, *blocks: str) -> None:
        """Add a section of HTML blocks."""
        self._sections.append((heading, "\n".join(blocks)))

    def html(self) -> str:
        """The whole page."""
        body = "\n".join(
            f'<section id="s{i}"><h2>{escape(heading)}</h2>\n{blocks}\n</section>'
            for i, (heading, blocks) in enumerate(self._sections, 1)
        )
        links = " · ".join(f'<a href="#s{i}">{escape(h)}</a>' for i, (h, _) in enumerate(self._sections, 1))
        page = Template(resources.files("sinuca_env.render").joinpath("templates/report.html").read_text("utf-8"))
        return page.substitute(title=escape(self.title), lead=escape(self.lead), links=links, body=body)


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def table(
    head: Sequence[str], rows: Sequence[Sequence[object]], *, numeric: Sequence[int] = (), caption: str = ""
) -> str:
    """A table; the columns in ``numeric`` are aligned to the right."""

    def cells(row: Sequence[object], tag: str) -> str:
        return "".join(
            f"<{tag}{' class=n' if i in numeric else ''}>{escape(str(cell))}</{tag}>" for i, cell in enumerate(row)
        )

    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    lines = "\n".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    top = f"{told}<thead><tr>{cells(head, 'th')}</tr></thead>"
    return f"<div class=scroll><table>{top}\n<tbody>{lines}</tbody></table></div>"


def figure(svg: str, caption: str = "") -> str:
    """A picture with its caption."""
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def figures(items: Sequence[str]) -> str:
    """Figures side by side where there is room."""
    return f'<div class="grid">{"".join(items)}</div>'
