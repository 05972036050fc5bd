"""Many tables: threads over chunks of lanes. Interim driver."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sinuca_env.physics.simulate import run
from sinuca_env.table import TableSpec

__all__ = ["simulate_batch"]

_pool: ThreadPoolExecutor | None = None
_pool_pid = 0


def simulate_batch(layouts, on_table, strikes, shots, table: TableSpec, params, lanes=None, threads=None) -> None:
    """Play one stroke on each of the given lanes, in place."""
    global _pool, _pool_pid
    indices = np.arange(len(shots)) if lanes is None else np.asarray(lanes, np.int64)
    n = threads or int(os.environ.get("SINUCA_THREADS", os.cpu_count() or 1))
    masks = np.ascontiguousarray(on_table)
    args = (layouts, masks, strikes, shots, table.record, params)
    if n <= 1 or len(indices) < 32:
        run(*args, indices)
        return
    if _pool is None or _pool_pid != os.getpid():
        _pool, _pool_pid = ThreadPoolExecutor(n), os.getpid()
    for future in [_pool.submit(run, *args, part) for part in np.array_split(indices, n)]:
        future.result()
