"""Whole frames as readable text. A script's scores and turns are set by hand; the sheet is frozen after reading."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "transcripts"
_spec = importlib.util.spec_from_file_location("transcripts", FOLDER / "transcripts.py")
transcripts = sys.modules["transcripts"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(transcripts)


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.script")), ids=lambda path: path.stem)
def test_the_sheet_of_a_script_is_the_frozen_one(script):
    assert transcripts.transcript(script) == script.with_suffix(".txt").read_text(), (
        "meant? python tests/rules/transcripts/transcripts.py --write, and read the difference"
    )


def test_a_script_that_names_the_wrong_side_or_score_fails():
    head = "title\nrules reds=6\nstart A\n"
    with pytest.raises(AssertionError, match="other side"):
        transcripts.Play(head + "B: hits red").run()
    with pytest.raises(AssertionError):
        transcripts.Play(head + "A: hits red; pots red | 2-0").run()


def test_the_sheet_says_what_no_script_reaches():
    play = transcripts.Play("title\nrules reds=6\nstart A\nA: off cue; hits nothing; reported both_disqualified")
    assert play.run().endswith("both_disqualified  0-4  foul 40-X 40-XIV: 4 to B; aggravated; match lost by both\n")
