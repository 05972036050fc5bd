"""The planner: better than what it plans with, the same whatever the batch."""

import numpy as np
import pytest

from sinuca_env.bench.evaluate import Evaluation
from sinuca_env.policies import get_policy
from sinuca_env.state import SinucaError


def test_it_clears_more_colours_than_greedy():
    breaks = {
        name: Evaluation(name, "colours", episodes=16).run().of["best"].mean()
        for name in ("planner:noise=none,candidates=80", "greedy")
    }
    planner, greedy = breaks.values()
    assert planner > greedy + 3


def test_decisions_do_not_depend_on_the_batch():
    evaluation = Evaluation("greedy", "colours", episodes=4)
    evaluation.episode = np.arange(4)
    evaluation.age, evaluation.seat = np.zeros(4, np.int64), np.zeros(4, np.int8)
    evaluation._start(np.arange(4))
    tables = evaluation.tables
    planner = get_policy("planner:simulations=100,noise=club")
    together = planner.act(tables.view())
    for lane in range(4):
        assert planner.act(tables.view(np.array([lane])))[0] == together[lane]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("planner:simulations=0", ["simulations"]),
        ("planner:noise=prro", ["prro", "'pro'"]),
        ("planner:depth=2", ["depth"]),
        ("planner:noise", ["KEY=VALUE"]),
    ],
)
def test_bad_arguments_get_one_line(name, words):
    with pytest.raises(SinucaError) as error:
        get_policy(name)
    assert all(word in str(error.value) for word in words)
