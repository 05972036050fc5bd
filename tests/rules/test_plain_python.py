"""Geometry compiled and as plain Python: the same levels and obstacles, places equal to 1e-12 m."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from sinuca_env._jit import JIT

PROGRAM = """
import json, sys
import numpy as np
from sinuca_env._jit import records
from sinuca_env.rules.respot import respot
from sinuca_env.rules.snooker import snooker_state
from sinuca_env.table.layouts import balls_in_layout, random_layout, rack_into
from sinuca_env.table.spec import table_spec

answers = []
for seed in range(60):
    table = records(table_spec("sinuca_brasil" if seed % 2 else "snooker_12ft").record)[0]
    name = "sinuca_brasil" if seed % 2 else "snooker_12ft"
    layout = random_layout(seed, (15, 3, 1)[seed % 3], table=name, on_spots=seed % 4 == 0)
    balls = balls_in_layout(layout)
    asked = [(on, hand) for on in (1, 4, 8) for hand in (False, True)]
    states = [[int(n) for n in snooker_state(layout, balls, on, hand, table)] for on, hand in asked]
    returning = 0x3F0000 if seed % 5 else 0x280000
    layout[[s for s in range(16, 22) if returning >> s & 1]] = np.nan
    after = respot(layout, balls & ~returning, returning, False, seed % 3 > 0, table)
    rack = np.zeros((22, 2))
    answers.append([states, int(after), np.nan_to_num(layout).tolist(), int(rack_into(rack, 15, table, 1e-5)),
                    np.nan_to_num(rack).tolist()])
json.dump(answers, sys.stdout)
"""


def answers(**environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(not JIT, reason="compares with compiled code")
def test_compiled_and_plain_geometry_agree():
    compiled = answers()
    plain = answers(NUMBA_DISABLE_JIT="1")
    assert len(compiled) == 60
    levels = {state[0] for answer in compiled for state in answer[0]}
    assert len(levels) >= 3
    for one, other in zip(compiled, plain, strict=True):
        assert one[0] == other[0]
        assert (one[1], one[3]) == (other[1], other[3])
        assert np.allclose(one[2], other[2], rtol=0, atol=1e-12)
        assert np.allclose(one[4], other[4], rtol=0, atol=1e-12)
