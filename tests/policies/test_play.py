"""Random and greedy play: legal choices, whole frames, the same decisions whatever the batch."""

import numpy as np
import pytest

from sinuca_env.game.reset import frame_task
from sinuca_env.game.tables import Tables
from sinuca_env.policies import get_policy
from sinuca_env.rules import rules_config
from sinuca_env.state import NO_SIDE, Option

SEEDS = range(1_000_000_000, 1_000_000_006)


def _tables(n, reds=6):
    tables = Tables(n, cfg=rules_config(reds=reds), task=frame_task(solo=False))
    tables.seed(list(SEEDS)[:n])
    tables.reset()
    return tables


def _play(policy, tables, most=400):
    """Step all tables to their ends; yields (lanes, view, decisions) before each step."""
    for _ in range(most):
        lanes = np.nonzero(tables.frames["frame_over"] == 0)[0]
        if not len(lanes):
            return
        view = tables.view(lanes)
        decisions = policy.act(view)
        yield lanes, view, decisions
        tables.step(decisions, lanes)


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_every_decision_is_legal(name):
    tables = _tables(6)
    for _, view, decisions in _play(get_policy(name), tables):
        for frame, legal, decision in zip(view.frames, view.legals, decisions, strict=True):
            option, call = int(decision["option"]), int(decision["call"])
            assert int(legal["options"]) >> option & 1
            if option in (Option.PLAY, Option.FREE_BALL):
                calls = int(legal["free_calls"] if option == Option.FREE_BALL else legal["calls"])
                assert calls >> call & 1, (name, frame["on"], call)
            assert np.isfinite([decision["strike"]["angle"], decision["strike"]["speed"]]).all()
            if frame["in_hand"]:
                assert np.isfinite(decision["placement"]).all()


def test_greedy_frames_end_without_flags_and_mostly_without_fouls():
    tables = _tables(6)
    strokes = fouls = points = 0
    for lanes, _, _ in _play(get_policy("greedy"), tables):
        rulings = tables.rulings[lanes]
        strokes += len(lanes)
        fouls += int((rulings["offender"] != NO_SIDE).sum())
        points += int(rulings["points"].sum())
        assert not (tables.shots["flags"] & ~np.uint32(4)).any()
    assert tables.frames["frame_over"].all()
    assert fouls / strokes < 0.1
    assert points > 6 * 15  # more than a handful of reds and colours each frame


def test_greedy_beats_random_on_the_same_pots():
    from sinuca_env.game.reset import pot_task

    scored = {}
    for name in ("greedy", "random"):
        tables = Tables(200, task=pot_task())
        tables.seed(list(range(1_000_000_000, 1_000_000_200)))
        tables.reset()
        tables.step(get_policy(name).act(tables.view()))
        scored[name] = float((tables.rulings["points"] > 0).mean())
    assert scored["greedy"] > 0.6
    assert scored["random"] < 0.05


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_decisions_do_not_depend_on_the_batch(name):
    tables = _tables(6)
    for step, (_, view, decisions) in enumerate(_play(get_policy(name), tables)):
        if step % 7 == 0:
            for k in range(len(view)):
                alone = get_policy(name).act(
                    type(view)(view.frames[k : k + 1], view.layouts[k : k + 1], view.legals[k : k + 1], view.spec,
                               view.params, view.cfg)
                )  # fmt: skip
                assert alone[0] == decisions[k]
        if step > 30:
            break


def test_greedy_makes_the_offender_play_again_out_of_a_snooker():
    tables = _tables(1, reds=6)
    frame, layout = tables.frames[0], tables.layouts[0]
    layout[:] = np.nan
    # The cue ball behind the black, the last red behind that, nothing else near the line.
    layout[0], layout[21], layout[1], layout[20] = (-1.2, 0.0), (-1.1, 0.0), (1.2, 0.0), (0.3, 0.7)
    frame["on_table"], frame["on"] = 1 | 1 << 1 | 1 << 21 | 1 << 20, 1
    frame["in_hand"], frame["opening"], frame["transferable"] = 0, 0, 0
    frame["after_foul"], frame["free_ball"], frame["snooker"] = 1, 0, 3
    frame["scores"] = (0, 0)
    tables.settle()
    assert int(get_policy("greedy").act(tables.view())["option"][0]) == Option.DECLINE
