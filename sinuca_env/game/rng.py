"""Counter-based randomness: every draw is a pure function of (key, counter, stream, index).

Nothing is consumed: a table's ``FRAME.rng_key`` is its seed and ``FRAME.rng_counter`` counts its steps and resets, so
that a draw does not depend on the batch, the lane or the thread, and state that is copied draws alike. Streams keep
independent purposes apart; a policy draws from ``STREAM_POLICY`` and never touches the counter.

The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
Keys and counters stay below 2**63, so that the arithmetic is the same with and without JIT (Python integers there).
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel

__all__ = [
    "STREAM_NOISE", "STREAM_POLICY", "STREAM_RESET", "key_from_seed", "normal_pair", "philox", "random_below",
    "uniform", "uniform_pair",
]  # fmt: skip

STREAM_RESET, STREAM_NOISE, STREAM_POLICY = 0, 1, 2

_WORD = 0xFFFFFFFF
_M0, _M1 = 0xD2511F53, 0xCD9E8D57
_W0, _W1 = 0x9E3779B9, 0xBB67AE85


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """Four 32-bit words from a counter of four words and a key of two (Philox4x32-10)."""
    for _ in range(10):
        # An int64 product wraps with JIT; the shift and the mask read the right upper word all the same.
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0, c1, c2, c3 = ((p1 >> 32) & _WORD) ^ c1 ^ k0, p1 & _WORD, ((p0 >> 32) & _WORD) ^ c3 ^ k1, p0 & _WORD
        k0 = (k0 + _W0) & _WORD
        k1 = (k1 + _W1) & _WORD
    return c0, c1, c2, c3


@kernel(internal=True)
def _words(key, counter, stream, index):
    key = int(np.int64(key))
    counter = int(np.int64(counter))
    return philox(
        int(counter & _WORD),
        int((counter >> 32) & _WORD),
        int(index),
        int(stream),
        int(key & _WORD),
        int((key >> 32) & _WORD),
    )


@kernel
def uniform_pair(key, counter, stream, index):
    """Two independent numbers in [0, 1) with 53 random bits each."""
    a, b, c, d = _words(key, counter, stream, index)
    u = ((a >> 5) * 67108864.0 + (b >> 6)) / 9007199254740992.0
    v = ((c >> 5) * 67108864.0 + (d >> 6)) / 9007199254740992.0
    return u, v


@kernel
def uniform(key, counter, stream, index):
    """A number in [0, 1)."""
    u, _ = uniform_pair(key, counter, stream, index)
    return u


@kernel
def random_below(key, counter, stream, index, n):
    """A whole number in 0 .. n - 1."""
    return min(int(uniform(key, counter, stream, index) * n), n - 1)


@kernel
def normal_pair(key, counter, stream, index):
    """Two independent standard normal numbers (Box-Muller)."""
    u, v = uniform_pair(key, counter, stream, index)
    radius = math.sqrt(-2.0 * math.log(1.0 - u))
    return radius * math.cos(2.0 * math.pi * v), radius * math.sin(2.0 * math.pi * v)


def key_from_seed(seed: int) -> int:
    """The key of a table seeded with any non-negative integer."""
    return int(seed) & 0x7FFFFFFFFFFFFFFF
