"""Options of the physics tests: ``--cases FILE`` and ``--whole-shots FILE`` check other files of the same formats."""

from __future__ import annotations

import contextlib

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, text in (
        ("--cases", "file of cases instead of the project's own"),
        ("--whole-shots", "file of whole shots instead of the project's own"),
    ):
        with contextlib.suppress(ValueError):  # another room's tests may offer the same option
            parser.addoption(name, action="store", default=None, help=text)
