"""Many tables: one stroke on each, chunk by chunk on a pool of threads.

A chunk is one compiled call that holds no lock and allocates once, so threads scale with the cores. A table's result
depends on that table alone: batch size, lane, chunk and number of threads change no bit of it.
"""

from __future__ import annotations

import functools
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.physics.simulate import run
from sinuca_env.state.balls import N_SLOTS
from sinuca_env.state.errors import SinucaError
from sinuca_env.table.spec import TableSpec

__all__ = ["INLINE_LANES", "OVERLAP", "check_batch", "default_threads", "simulate_batch"]

OVERLAP = 2e-6  # m, of two balls, or a ball and a cushion: coordinates rounded to the micrometre may touch this deep

INLINE_LANES = 32  # fewer tables are played by the caller's thread: handing them over costs 50 us
_CHUNK = 64  # tables at least, and four chunks a thread at most: breaks and safeties take very different times

_pool: ThreadPoolExecutor | None = None
_pool_key = (0, 0)  # process and threads: a forked child has no threads of its parent's pool


def default_threads() -> int:
    """``SINUCA_THREADS``, or the number of cores.

    Raises:
        SinucaError: the variable is not a whole number from 1 up.
    """
    given = os.environ.get("SINUCA_THREADS", "")
    if not given:
        return os.cpu_count() or 1
    if not given.isdecimal() or int(given) < 1:
        raise SinucaError(f"SINUCA_THREADS: {given!r}: a whole number from 1 up")
    return int(given)


def _executor(threads: int) -> ThreadPoolExecutor:
    global _pool, _pool_key
    key = (os.getpid(), threads)
    if _pool is None or key != _pool_key:
        if _pool is not None and _pool_key[0] == key[0]:
            _pool.shutdown(wait=True)
        _pool, _pool_key = ThreadPoolExecutor(threads, thread_name_prefix="sinuca"), key
    return _pool


@kernel
def _place_bad(x, y, table, radius):
    """Whether a ball cannot lie there: off the table, in a pocket or in a cushion."""
    inner_x, inner_y = 0.5 * table.length - radius + OVERLAP, 0.5 * table.width - radius + OVERLAP
    if abs(x) <= inner_x and abs(y) <= inner_y:
        return False
    if not (np.isfinite(x) and np.isfinite(y)):
        return True
    for k in range(12):
        dx, dy = x - table.arcs[k, 0], y - table.arcs[k, 1]
        reach = table.arcs[k, 2] + radius - OVERLAP
        if dx * dx + dy * dy < reach * reach:
            return True
    for k in range(6):
        x1, y1, x2, y2 = table.lines[k, 0], table.lines[k, 1], table.lines[k, 2], table.lines[k, 3]
        nx, ny = table.lines[k, 4], table.lines[k, 5]
        along = (x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)
        beside = 0.0 <= along <= (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1)
        if beside and nx * (x - x1) + ny * (y - y1) < radius - OVERLAP:
            return True
    for k in range(6):
        # In the mouth of a pocket, on the table's side of its fall circle.
        px, py, fall = table.pockets[k, 0], table.pockets[k, 1], table.pockets[k, 2]
        dx, dy = x - px, y - py
        reach = fall + 4.0 * radius
        square = dx * dx + dy * dy
        if fall * fall <= square < reach * reach and dx * px + dy * py < 0.0:
            return False
    return True


@kernel
def _first_bad(layouts, on_table, tables, params, lanes):
    """Index in ``lanes`` of the first table whose balls cannot lie as they do, or -1."""
    table, radius = tables[0], params[0].ball_radius
    nearest = (2.0 * radius - OVERLAP) ** 2
    place = np.empty((22, 2))
    for q in range(lanes.shape[0]):
        balls = np.int64(on_table[lanes[q]])
        layout = layouts[lanes[q]]
        if balls & 1 == 0 or balls >> 22 != 0:
            return q
        n = 0
        for slot in range(22):
            if (balls >> slot) & 1:
                x, y = layout[slot, 0], layout[slot, 1]
                if _place_bad(x, y, table, radius):
                    return q
                for j in range(n):
                    dx, dy = place[j, 0] - x, place[j, 1] - y
                    if dx * dx + dy * dy < nearest:
                        return q
                place[n, 0], place[n, 1] = x, y
                n += 1
    return -1


def check_batch(
    layouts: np.ndarray, on_table: np.ndarray, table: TableSpec, params: np.ndarray, lanes: np.ndarray
) -> None:
    """Refuse tables whose balls are not finite, off the table, in one another, or without a cue ball.

    Raises:
        SinucaError: names the ball (and the lane, if there are several).
    """
    bad = _first_bad(layouts, on_table, records(table.record), records(params), lanes)
    if bad < 0:
        return
    from sinuca_env.physics.shotfile import check_layout

    lane = int(lanes[bad])
    where = f"lane {lane}: " if len(layouts) > 1 else ""
    balls = int(on_table[lane])
    if not balls & 1 or balls >> N_SLOTS:
        raise SinucaError(f"{where}on_table: {balls:#x}: a set of 22 slots with the cue ball's bit 0")
    try:
        check_layout(layouts[lane], balls, table, float(params["ball_radius"][0]))
    except SinucaError as error:
        raise SinucaError(f"{where}{error}") from None
    raise SinucaError(f"{where}balls: a ball is off the table or overlaps another")


def _checked(layouts: np.ndarray, on_table: np.ndarray, strikes: np.ndarray, shots: np.ndarray) -> None:
    """Refuse arrays that do not fit; kernels are compiled for contiguous ones only."""
    for name, array in (("layouts", layouts), ("shots", shots)):
        if not array.flags.c_contiguous:
            raise SinucaError(f"{name}: changed in place, so it must be a contiguous array, not a view with gaps")
    if layouts.ndim != 3 or layouts.shape[1:] != (N_SLOTS, 2) or layouts.dtype != np.float64:
        raise SinucaError(f"layouts: {layouts.dtype} {layouts.shape}: float64 of shape (tables, {N_SLOTS}, 2)")
    for name, array in (("on_table", on_table), ("strikes", strikes), ("shots", shots)):
        if array.shape != layouts.shape[:1]:
            raise SinucaError(f"{name}: shape {array.shape}: one entry for each of the {len(layouts)} layouts")


def simulate_batch(
    layouts: np.ndarray,
    on_table: np.ndarray,
    strikes: np.ndarray,
    shots: np.ndarray,
    table: TableSpec,
    params: np.ndarray,
    lanes: np.ndarray | None = None,
    threads: int | None = None,
) -> None:
    """Play one stroke on every table; balls at rest in, balls at rest out.

    Args:
        layouts: (tables, 22, 2) places in m, changed in place; balls that fall become NaN.
        on_table: (tables,) uint32 sets of balls, the cue ball among them; not changed.
        strikes: (tables,) ``STRIKE``.
        shots: (tables,) ``SHOT``, overwritten but for what the game and the referee add.
        table: the same for all.
        params: (1,) ``PHYSICS``, the same for all.
        lanes: indices of the tables to play (each once); all if None.
        threads: at most so many; :func:`default_threads` if None, 1 = the caller's own.

    Raises:
        SinucaError: shapes do not fit, or balls cannot lie where they do; nothing has changed then.
    """
    _checked(layouts, on_table, strikes, shots)
    on_table, strikes = np.ascontiguousarray(on_table, np.uint32), np.ascontiguousarray(strikes)
    indices = np.arange(len(layouts)) if lanes is None else np.ascontiguousarray(lanes, np.int64)
    check_batch(layouts, on_table, table, params, indices)
    args = (layouts, on_table, records(strikes), records(shots), records(table.record), records(params))
    count = len(indices)
    workers = 1 if count < INLINE_LANES else default_threads() if threads is None else threads
    if workers <= 1:
        run(*args, indices)
        return
    parts = min(4 * workers, max(workers, count // _CHUNK))
    play, pool = functools.partial(run, *args), _executor(workers)
    for future in [pool.submit(play, part) for part in np.array_split(indices, parts)]:
        future.result()
