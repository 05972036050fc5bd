"""Frames and matches over several decisions: starts, draws, visits of several players, restored positions, ends."""

import numpy as np
import pytest

import sinuca_env.rules as rules
from sinuca_env._jit import records
from sinuca_env.rules import empty_shot, judge_batch, rules_config
from sinuca_env.rules.articles import fouls_of_bits
from sinuca_env.state.balls import balls_from_names, colours_mask, reds_mask
from sinuca_env.state.records import DECISION, FRAME, LEGAL, RULING, Option, Snooker
from sinuca_env.table.layouts import rack_layout
from sinuca_env.table.spec import table_spec

TABLE = table_spec("snooker_12ft").record


class Table:
    """One table and the decisions made at it."""

    def __init__(self, breaker=0, start=True, **names):
        self.cfg = rules_config(**names)
        self.frame, self.layout = np.zeros(1, FRAME), np.zeros((1, 22, 2))
        self.frame["match_winner"] = -1
        self.ruling, self.legal = np.zeros(1, RULING), np.zeros(1, LEGAL)
        if start:
            self.call(rules.start_frame, breaker)

    def call(self, kernel, *more):
        arguments = [records(self.frame)[0], self.layout[0], records(TABLE)[0]]
        if kernel is not rules.start_complementary:
            arguments.append(records(self.cfg)[0])
        kernel(*arguments, *more)

    def decide(self, option=Option.PLAY, call=0, first=(), potted=(), made=None, layout=None, **facts):
        shot, decision = empty_shot(), np.zeros(1, DECISION)
        decision["option"], decision["call"] = option, call
        shot["made"] = option in (Option.PLAY, Option.FREE_BALL) if made is None else made
        shot["first_contact"], shot["potted"] = balls_from_names(first), balls_from_names(potted)
        shot["moved"] = shot["first_contact"]
        for name, value in facts.items():
            shot[name] = value
        if layout is not None:
            self.layout[0] = layout
        judge_batch(self.frame, self.layout, shot, decision, self.cfg, TABLE, self.ruling, self.legal)
        return self.ruling[0]

    def __getitem__(self, name):
        return self.frame[name][0]

    @property
    def options(self):
        return {option for option in Option if int(self.legal["options"][0]) >> option & 1}


@pytest.mark.parametrize("reds", [6, 10, 15])
def test_a_frame_starts_racked_in_hand_and_level(reds):
    table = Table(breaker=1, reds=reds)
    assert table["on_table"] == reds_mask(reds) | colours_mask(range(2, 8))
    np.testing.assert_array_equal(table.layout[0], rack_layout(reds))
    assert table["striker"] == table["breaker"] == 1
    assert table["in_hand"]
    assert table["opening"]
    assert table["transferable"]
    assert list(table["scores"]) == [0, 0]
    assert table["winner"] == -1


def test_the_draw_is_passed_on_once_and_changes_the_alternation():
    table = Table(breaker=0, frames_to_win=3)
    ruling = table.decide(Option.DECLINE)
    assert (ruling["next_striker"], table["breaker"], table["transferable"]) == (1, 1, 0)
    assert Option.DECLINE not in table.options
    table.decide(Option.DECLINE)
    assert table["striker"] == 1
    table.decide(Option.CONCEDE)
    table.call(rules.next_frame)
    assert (table["striker"], table["breaker"], table["frame_number"], table["transferable"]) == (0, 0, 1, 0)


def test_the_right_to_pass_on_ends_with_the_first_stroke_or_foul():
    table = Table()
    table.decide(first=["red"])
    assert not table["transferable"]
    table = Table()
    table.decide(made=0, reported=1 << 6)
    assert table["opening"]
    assert not table["transferable"]
    assert table["after_foul"]
    assert table.decide(Option.DECLINE)["next_striker"] == 0


def test_a_complementary_frame_keeps_scores_and_alternation():
    table = Table(breaker=1, frames_to_win=2)
    table.frame["scores"] = 57
    table.frame["aggravated_count"] = table.frame["stalemate_count"] = 2
    table.frame["warnings"] = 1
    table.call(rules.start_complementary, 1)
    assert table["on_table"] == 1 << 21
    np.testing.assert_allclose(table.layout[0, 21], table_spec("snooker_12ft").spots["black"])
    assert (table["striker"], table["on"], table["in_hand"], table["breaker"]) == (1, 7, 1, 1)
    assert not table["aggravated_count"].any()
    assert not table["stalemate_count"].any()
    assert list(table["warnings"]) == [1, 1]
    table.decide(Option.DECLINE)
    assert (table["striker"], table["breaker"]) == (0, 1)
    ruling = table.decide(first=["black"], potted=["black"])
    assert (ruling["frame_over"], ruling["winner"], ruling["tied"], ruling["match_over"]) == (1, 0, 0, 0)
    table.call(rules.next_frame)
    assert table["striker"] == 0
    assert not table["complementary"]


def test_a_void_frame_is_broken_by_the_same_side_without_a_draw():
    table = Table(breaker=1)
    table.frame["stalemate_count"] = [2, 2]
    table.frame["warnings"] = [0, 1]
    ruling = table.decide(first=["red"], moved=0)
    assert ruling["void"]
    assert table["frame_over"]
    assert table.options == set()
    table.call(rules.restart_frame)
    assert (table["striker"], table["frame_number"], table["transferable"]) == (1, 0, 0)
    assert list(table["warnings"]) == [0, 1]
    assert not table["stalemate_count"].any()


def test_players_of_a_side_rotate_with_its_visits_and_a_decline_calls_the_same_back():
    table = Table(players_per_side=(3, 2))
    table.decide(first=["red"], potted=["red"])  # 0 of A goes on
    assert list(table["players"]) == [0, 0]
    table.decide(call=5, first=["blue"])
    assert list(table["players"]) == [1, 0]
    table.decide()  # 0 of B misses everything
    assert list(table["players"]) == [1, 1]
    table.decide(Option.DECLINE)  # so 0 of B plays again
    assert list(table["players"]) == [1, 0]
    assert table["striker"] == 1
    table.decide(first=["red#2"])
    assert list(table["players"]) == [1, 1]
    for player in (1, 2, 0):
        assert table["players"][0] == player
        table.decide(first=["red#2"])
        table.decide(first=["red#2"])


def test_a_declined_snooker_is_not_confirmed_but_counts_as_the_state_before():
    hidden = rack_layout(15)
    hidden[0], hidden[1] = [0.0, 0.5], [1.0, 0.5]
    hidden[2:16] = np.nan
    hidden[18] = [0.3, 0.5]
    table = Table()
    table.frame["on_table"] = reds_mask(1) | colours_mask(range(2, 8))
    ruling = table.decide(first=["red"], layout=hidden, reported=2)
    assert ruling["snooker_after"] == Snooker.TOTAL
    assert Option.FREE_BALL in table.options
    assert "snooker total; free ball" in rules.ScoreSheet(table.frame).add(
        table.frame, empty_shot(), np.zeros(1, DECISION), table.ruling, table.frame
    )
    table.decide(Option.DECLINE)
    assert (table["snooker"], table["snooker_confirmed"], table["free_ball"]) == (Snooker.TOTAL, 0, 0)
    ruling = table.decide(layout=hidden)
    assert fouls_of_bits(ruling["fouls"]) == ["40-XIV"]
    assert ruling["penalty"] == 4
    assert not ruling["aggravated"]
    assert table["snooker_confirmed"] == 1


def test_a_miss_may_be_played_again_from_where_it_was():
    table = Table(replace_after_miss=True)
    before = rack_layout(15)
    before[0] = [-1.0, 0.1]
    table.decide(first=["red"], layout=before)
    assert not table["restorable"]
    moved = before + 0.001
    table.decide(first=["blue"], potted=["red"], layout=moved)  # B misses the reds; one falls by foul
    assert table["restorable"]
    assert not int(table["on_table"]) & 2
    ruling = table.decide(Option.DECLINE)
    np.testing.assert_array_equal(table.layout[0], before)
    assert int(table["on_table"]) & 2
    assert ruling["next_striker"] == 1
    assert list(table["scores"]) == [5, 0]
    assert int(ruling["articles"]) >> 15 & 1
    table.decide(first=["red"], potted=["cue"], layout=moved)  # no miss: declining restores nothing
    table.decide(Option.DECLINE)
    assert table["in_hand"]
    np.testing.assert_array_equal(table.layout[0, 1:], moved[1:])


def test_a_miss_from_the_d_is_played_again_from_the_d():
    table = Table(replace_after_miss=True)
    moved = rack_layout(15)
    moved[0] = [0.5, 0.5]
    table.decide(layout=moved)
    table.decide(Option.DECLINE)
    assert table["in_hand"]
    assert np.isnan(table.layout[0, 0]).all()


def test_a_free_ball_missed_is_not_offered_again():
    table = Table(replace_after_miss=True)
    table.frame["on_table"] = colours_mask([5, 6, 7]) | 1
    table.frame["on"] = 5
    table.decide()  # A misses the blue: B has a free ball
    table.frame["position"]["snooker"] = Snooker.TOTAL
    table.decide(Option.FREE_BALL, call=7)  # B misses it
    table.decide(Option.DECLINE)
    assert (table["striker"], table["on"], table["free_ball"]) == (1, 5, 0)
    assert (table["snooker"], table["snooker_confirmed"]) == (Snooker.TOTAL, 0)
    assert table.options == {Option.PLAY, Option.CONCEDE}


def test_by_default_declining_restores_nothing():
    table = Table()
    moved = rack_layout(15)
    moved[0] = [0.5, 0.5]
    table.decide(layout=moved)
    table.decide(Option.DECLINE)
    assert not table["in_hand"]
    np.testing.assert_array_equal(table.layout[0], moved)


def test_a_break_is_counted_until_it_ends():
    table = Table()
    table.decide(first=["red"], potted=["red", "red#2"])
    ruling = table.decide(call=7, first=["black"], potted=["black"])
    assert (table["break_points"], ruling["break_ended"]) == (9, -1)
    ruling = table.decide()
    assert (ruling["break_ended"], table["break_points"]) == (9, 0)
    assert list(table["highest_break"]) == [9, 0]


def test_a_match_needs_its_frames_and_then_stops():
    table = Table(frames_to_win=2)
    for number, winner in enumerate((0, 1, 0)):
        table.decide(made=0, reported=1 << 15, reported_side=1 - winner)
        assert table["winner"] == winner
        assert bool(table["match_over"]) == (number == 2)
        if number < 2:
            table.call(rules.next_frame)
    assert table["match_winner"] == 0
    assert list(table["frames_won"]) == [2, 1]
    frame = table.frame.copy()
    ruling = table.decide(first=["red"], potted=["red"])
    assert frame == table.frame
    assert ruling["frame_over"]
    assert ruling["points"] == 0


def test_warnings_last_the_match():
    table = Table(frames_to_win=3)
    table.decide(made=0, reported=1 << 12)
    table.decide(Option.CONCEDE)
    table.call(rules.next_frame)
    assert list(table["warnings"]) == [1, 0]
    ruling = table.decide(made=0, reported=1 << 11, reported_side=0)
    assert (ruling["match_over"], ruling["match_winner"], ruling["penalty"]) == (1, 1, 7)


def test_touching_balls_come_from_the_positions_and_are_told():
    layout = rack_layout(15)
    layout[0] = layout[21] + [0.0525 + 5e-6, 0.0]
    table = Table()
    table.decide(first=["red"], layout=layout)
    assert table["touching"] == table.legal["touching"][0] == 1 << 21
    assert int(table.ruling["articles"][0]) >> 24 & 1
    layout[0] = layout[21] + [0.0525 + 2e-5, 0.0]
    table.decide(first=["red"], layout=layout)
    assert table["touching"] == 0


def test_without_positions_the_shot_tells_what_touches():
    table = Table()
    table.decide(first=["red"], layout=np.full((22, 2), np.nan), touching_after=1 << 5)
    assert table["touching"] == 1 << 5


def test_a_report_against_the_other_side_with_a_lawful_stroke():
    table = Table()
    ruling = table.decide(first=["red"], potted=["red"], reported=4, reported_side=1, reported_value=6)
    assert fouls_of_bits(ruling["fouls"]) == ["40-V"]
    assert (ruling["offender"], ruling["points"], ruling["penalty"], ruling["next_striker"]) == (1, 1, 6, 0)
    assert list(table["scores"]) == [7, 0]
    assert not ruling["may_decline"]


def test_a_report_against_the_other_side_is_dropped_beside_a_foul_stroke():
    table = Table()
    ruling = table.decide(reported=4, reported_side=1)
    assert fouls_of_bits(ruling["fouls"]) == ["40-XIV"]
    assert ruling["offender"] == 0


def test_a_cushion_before_the_target_is_noted_and_nothing_else():
    plain, off_cushion = Table(), Table()
    plain.decide(first=["red"])
    ruling = off_cushion.decide(first=["red"], cushions_before_contact=2)
    assert int(ruling["articles"]) == int(plain.ruling["articles"][0]) | 1 << 20
    assert plain.frame == off_cushion.frame


def test_permissions_of_chosen_lanes_only():
    table = Table()
    frames, legals = np.repeat(table.frame, 3), np.zeros(3, LEGAL)
    rules.legal_batch(frames, np.zeros((3, 22, 2)), table.cfg, TABLE, legals, np.array([1]))
    assert list(legals["options"]) == [0, 13, 0]


class TestPermission:
    def test_red_on(self):
        table = Table()
        table.decide(first=["red"])
        legal = table.legal[0]
        assert table.options == {Option.PLAY, Option.CONCEDE}
        assert (legal["calls"], legal["free_calls"], legal["call_needed"], legal["placement"]) == (2, 0, 0, 0)
        assert legal["targets"] == reds_mask(15)

    def test_any_colour_on(self):
        table = Table()
        table.decide(first=["red"], potted=["red"])
        legal = table.legal[0]
        assert (legal["calls"], legal["call_needed"]) == (0b11111100, 1)
        assert legal["targets"] == colours_mask(range(2, 8))

    def test_free_ball_and_decline_in_hand(self):
        table = Table()
        table.frame["on_table"] = colours_mask([5, 6, 7]) | 1
        table.frame["on"] = 5
        table.decide(potted=["cue"])
        legal = table.legal[0]
        assert table.options == set(Option)
        assert (legal["calls"], legal["free_calls"], legal["placement"]) == (1 << 5, 1 << 6 | 1 << 7, 1)

    def test_the_opening_stroke(self):
        table = Table()
        rules.legal_batch(table.frame, table.layout, table.cfg, TABLE, table.legal)
        assert table.options == {Option.PLAY, Option.DECLINE, Option.CONCEDE}
        assert table.legal["placement"][0]

    def test_a_frame_that_is_over_permits_nothing(self):
        table = Table()
        table.decide(Option.CONCEDE)
        assert not any(table.legal[0][name] for name in LEGAL.names)
