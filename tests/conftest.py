"""Options of more than one room's tests."""

from __future__ import annotations

import contextlib

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    with contextlib.suppress(ValueError):  # a room's own conftest may have offered it first
        parser.addoption("--cases", action="store", default=None, help="file of cases instead of the project's own")
