"""The generator against the published vectors of Philox4x32-10, and what the game relies on."""

import numpy as np
import pytest

from sinuca_env.game.rng import (
    STREAM_NOISE,
    STREAM_RESET,
    key_from_seed,
    normal_pair,
    philox,
    random_below,
    uniform_pair,
)

ONES = 0xFFFFFFFF


# Known-answer vectors of the Random123 distribution (Salmon et al. 2011).
@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_known_answers(counter, key, words):
    assert philox(*counter, *key) == words


def test_draws_are_uniform_and_normal():
    pairs = np.array([uniform_pair(7, k, STREAM_RESET, 0) for k in range(20_000)]).ravel()
    assert 0.0 <= pairs.min() < pairs.max() < 1.0
    assert abs(pairs.mean() - 0.5) < 4 * np.sqrt(1 / 12 / len(pairs))
    normal = np.array([normal_pair(7, k, STREAM_NOISE, 0) for k in range(20_000)])
    assert abs(normal.mean()) < 4 / np.sqrt(normal.size)
    assert abs(normal.std() - 1.0) < 0.02
    assert abs(np.corrcoef(normal.T)[0, 1]) < 0.03


def test_keys_counters_streams_and_indices_matter():
    draws = {
        uniform_pair(key, counter, stream, index)
        for key in (0, 1, 2**62)
        for counter in (0, 1, 2**40)
        for stream in (0, 1, 2)
        for index in (0, 1)
    }
    assert len(draws) == 3 * 3 * 3 * 2


def test_record_fields_give_the_same_draws_as_numbers():
    assert uniform_pair(np.uint64(5), np.uint64(7), 1, 0) == uniform_pair(5, 7, 1, 0)


def test_random_below_reaches_every_number():
    draws = {random_below(3, k, STREAM_RESET, 0, 6) for k in range(200)}
    assert draws == set(range(6))


def test_keys_stay_below_two_to_the_63():
    assert key_from_seed(2**64 + 5) == 5
    assert key_from_seed(2**63 - 1) == 2**63 - 1
