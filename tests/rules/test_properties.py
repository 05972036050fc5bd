"""Whatever is played, called and reported, in whatever order: a frame stays sound and can be played on."""

import sys
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import sinuca_env.rules as rules
from sinuca_env._jit import records
from sinuca_env.rules import judge_batch, rules_config
from sinuca_env.state.balls import count_balls
from sinuca_env.state.records import DECISION, FRAME, LEGAL, RULING
from sinuca_env.table.layouts import random_layout
from sinuca_env.table.spec import table_spec

sys.path.insert(0, str(Path(__file__).parent))
from census import INVARIANTS, broken_invariants

TABLE = table_spec("snooker_12ft").record
LAYOUTS = [random_layout(seed) for seed in range(4)]

READINGS = st.fixed_dictionaries(
    {
        "reds": st.sampled_from([6, 10, 15]),
        "call_mode": st.sampled_from(["explicit", "evident"]),
        "free_ball_after_missed_target": st.booleans(),
        "replace_after_miss": st.booleans(),
        "respot_towards": st.sampled_from(["top", "baulk"]),
        "aggravated_foul": st.sampled_from(["off", "full_face_miss", "reachable_miss"]),
        "total_snooker_foul": st.sampled_from(["variable", "missed_target", "maximum"]),
        "early_end": st.sampled_from(["off", "article_47"]),
        "players_per_side": st.integers(1, 3),
        "frames_to_win": st.integers(1, 2),
    }
)
BALLS = st.integers(0, 2**22 - 1)
FEW = st.lists(st.integers(0, 21), max_size=3).map(lambda slots: sum({1 << slot for slot in slots}))
DECISIONS = st.tuples(
    st.integers(0, 3),  # option
    st.integers(-1, 9),  # call
    st.one_of(st.just(0), FEW, BALLS),  # first contact
    st.one_of(st.just(0), FEW, FEW, BALLS),  # potted
    st.one_of(st.just(0), st.just(0), FEW),  # off the table
    st.sampled_from([0, 0, 0, 0, 1, 2, 4, 1 << 7, 1 << 9, 1 << 12, 1 << 15]),  # reported
    st.integers(-1, 1),  # reported side
    st.integers(-1, 21),  # aimed at
    st.booleans(),  # moved
    st.integers(0, len(LAYOUTS)),  # where the balls come to rest; the last: nobody knows
)


def shot_of(decision, on_table):
    option, _, first, potted, off, reported, side, aimed, moved, _ = decision
    shot = rules.empty_shot()
    shot["made"] = option < 2
    potted &= on_table | 1
    off &= (on_table | 1) & ~potted
    shot["first_contact"], shot["potted"], shot["off_table"] = first & on_table & ~1, potted, off
    shot["moved"] = int(moved) * 2 | potted & ~1 | off & ~1
    shot["reported"], shot["reported_side"], shot["aimed_at"] = reported, side, aimed
    return shot


@settings(max_examples=300, deadline=None)
@given(READINGS, st.lists(DECISIONS, min_size=1, max_size=40), st.integers(0, 1))
def test_any_sequence_of_decisions_keeps_the_frame_sound(names, decisions, breaker):
    cfg = rules_config(**names)
    frame, layout = np.zeros(1, FRAME), np.zeros((1, 22, 2))
    frame["match_winner"] = -1
    ruling, legal = np.zeros(1, RULING), np.zeros(1, LEGAL)
    table, rec = records(TABLE)[0], records(frame)[0]
    rules.start_frame(rec, layout[0], table, records(cfg)[0], breaker)
    for plan in decisions:
        if frame["frame_over"][0]:
            if frame["match_over"][0]:
                break
            if ruling["void"][0]:
                rules.restart_frame(rec, layout[0], table, records(cfg)[0])
            elif frame["tied"][0]:
                rules.start_complementary(rec, layout[0], table, breaker)
            else:
                rules.next_frame(rec, layout[0], table, records(cfg)[0])
        before = frame.copy()
        decision = np.zeros(1, DECISION)
        decision["option"], decision["call"] = plan[0], plan[1]
        shot = shot_of(plan, int(frame["on_table"][0]))
        if shot["made"][0]:
            layout[0] = LAYOUTS[plan[-1]] if plan[-1] < len(LAYOUTS) else np.nan
            gone = int(shot["potted"][0]) | int(shot["off_table"][0]) | ~(int(frame["on_table"][0]) | 1)
            layout[0, [slot for slot in range(22) if gone >> slot & 1]] = np.nan
        judge_batch(frame, layout, shot, decision, cfg, TABLE, ruling, legal)
        if shot["made"][0] or shot["reported"][0]:
            broken = broken_invariants(*(records(a)[0] for a in (before, frame, shot, ruling, legal)))
            assert not broken, [text for i, text in enumerate(INVARIANTS) if broken >> i & 1]
        elif not frame["frame_over"][0]:
            assert (frame["scores"] == before["scores"]).all()
            assert int(legal["options"][0]) & 1
        if not frame["frame_over"][0]:
            known = np.isfinite(layout[0, :, 0])
            returned = [slot for slot in range(22) if int(ruling["respotted"][0]) >> slot & 1]
            assert known[returned].all()


@settings(max_examples=50, deadline=None)
@given(st.lists(DECISIONS, min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_a_ruling_depends_on_no_other_lane(plans, random):
    n = len(plans)
    cfg = rules_config()
    frames, layouts = np.zeros(n, FRAME), np.zeros((n, 22, 2))
    for i in range(n):
        rules.start_frame(records(frames)[i], layouts[i], records(TABLE)[0], records(cfg)[0], i % 2)
    frames["on_table"] |= 1
    frames["in_hand"] = 0
    shots = np.concatenate([shot_of(plan, int(frames["on_table"][i])) for i, plan in enumerate(plans)])
    decisions = np.zeros(n, DECISION)
    decisions["option"], decisions["call"] = [plan[0] for plan in plans], [plan[1] for plan in plans]
    layouts[:] = [LAYOUTS[plan[-1] % len(LAYOUTS)] for plan in plans]

    def ruled(order, lanes=None):
        tables = [a[order].copy() for a in (frames, layouts, shots, decisions)]
        rulings, legals = np.zeros(n, RULING), np.zeros(n, LEGAL)
        judge_batch(*tables, cfg, TABLE, rulings, legals, lanes)
        return tables[0], tables[1], rulings, legals

    straight = ruled(np.arange(n))
    order = np.array(random.sample(range(n), n))
    for one, other in zip(straight, ruled(order), strict=True):
        np.testing.assert_array_equal(one[order], other)
    chosen = np.arange(0, n, 2)
    for one, other in zip(straight, ruled(np.arange(n), chosen), strict=True):
        np.testing.assert_array_equal(one[chosen], other[chosen])
    skipped = ruled(np.arange(n), chosen)[0]
    np.testing.assert_array_equal(skipped[1::2], frames[1::2])


def test_count_of_balls_is_the_popcount():
    rng = np.random.default_rng(0)
    for balls in rng.integers(0, 2**22, 100):
        assert count_balls(int(balls)) == int(balls).bit_count()
