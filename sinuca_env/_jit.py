"""The one door to Numba.

Every compiled function of the package is decorated with :func:`kernel`. Nothing else imports ``numba``.

Compiled code is kept on disk under a key made of the sources of the function's room and of all rooms left of it
(Numba's own key is the file's time stamp, which does not notice an edit in a callee's file). A lock file makes the
second of two processes that start at once wait for the first one's result instead of compiling the same code again.

Environment variables: ``NUMBA_DISABLE_JIT=1`` runs every kernel as plain Python; ``SINUCA_CACHE_DIR`` moves the cache.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import config as _numba_config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

__all__ = ["JIT", "cache_dir", "is_compiled", "kernel", "records"]

JIT: bool = not getattr(_numba_config, "DISABLE_JIT", 0)
"""False under ``NUMBA_DISABLE_JIT=1``."""

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent
# The rooms whose sources a room's kernels may call, in the order of the house (design: rooms and arrows).
_LEFT_OF: dict[str, tuple[str, ...]] = {
    "state": (),
    "table": ("state",),
    "physics": ("state", "table"),
    "rules": ("state", "table"),
    "game": ("state", "table", "physics", "rules"),
}


def _room_of(file: str) -> str:
    try:
        return Path(file).resolve().relative_to(_PACKAGE).parts[0]
    except ValueError:
        return ""


@functools.cache
def _sources_key(room: str) -> str:
    """Hash of every source file that a kernel of ``room`` can reach, and of the versions that compile it."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    rooms = (*_LEFT_OF.get(room, ("state", "table", "physics", "rules", "game")), room)
    files = [_PACKAGE / "_jit.py"]
    for name in rooms:
        files += sorted((_PACKAGE / name).rglob("*.py")) if name else []
    for file in files:
        digest.update(str(file.relative_to(_PACKAGE)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_dir() -> Path:
    """The folder of compiled kernels: ``SINUCA_CACHE_DIR``, or beside the package, or the user's cache folder."""
    chosen = os.environ.get("SINUCA_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sinuca_env"
    candidates = [Path(chosen)] if chosen else [_PACKAGE / "__pycache__" / "kernels", user]
    for folder in candidates:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return Path(tempfile.mkdtemp(prefix="sinuca_env_kernels_"))


class _CompileLock:
    """A re-entrant lock between processes, one a room: compiling a caller compiles its callees inside it.

    Callees lie left of their callers, so that two processes never wait for each other.
    """

    def __init__(self, room: str) -> None:
        self._room = room
        self._depth = 0
        self._handle: Any = None

    def acquire(self) -> None:
        if self._depth == 0:
            self._handle = (cache_dir() / f"{self._room}.lock").open("w")
            with contextlib.suppress(ImportError, OSError):  # no file locks here: compile twice rather than not at all
                import fcntl

                fcntl.flock(self._handle, fcntl.LOCK_EX)
        self._depth += 1

    def release(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._handle.close()
            self._handle = None

    @contextlib.contextmanager
    def released_after(self) -> Iterator[None]:
        """Give back what was acquired inside the block, whatever happens in it."""
        depth = self._depth
        try:
            yield
        finally:
            while self._depth > depth:
                self.release()


@functools.cache
def _lock_of(room: str) -> _CompileLock:
    return _CompileLock(room)


_noticed = False


def _notice() -> None:
    global _noticed
    if not _noticed and not os.environ.get("SINUCA_QUIET"):
        print("sinuca_env: compiling kernels; what is compiled is kept for the next time ...", file=sys.stderr)
    _noticed = True


class _KeyedLocator(_CacheLocator):
    """Numba cache files in :func:`cache_dir`, stamped with the hash of the sources instead of a time."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        self._room = _room_of(py_file)

    def get_cache_path(self) -> str:
        return str(cache_dir() / f"{self._room}-{_sources_key(self._room)}")

    def get_source_stamp(self) -> str:
        return _sources_key(self._room)

    def get_disambiguator(self) -> str:
        return str(self._lineno)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _KeyedLocator:
        self = cls(py_func, py_file)
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)
        return self


class _KeyedCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_KeyedLocator]  # noqa: RUF012  (Numba reads a class attribute)


class _KeyedCache(FunctionCache):
    _impl_class = _KeyedCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is not None:
            return found
        lock = _lock_of(_room_of(self._py_func.__code__.co_filename))
        lock.acquire()
        # Another process may have compiled it while this one waited.
        found = super().load_overload(sig, target_context)
        if found is not None:
            lock.release()
        else:
            _notice()
        return found


class _LockedCompile:
    """Releases the lock taken by a cache miss once the compilation has ended, well or badly."""

    def __init__(self, compile_method: Callable[..., Any], room: str) -> None:
        self._compile = compile_method
        self._room = room

    def __call__(self, sig: Any) -> Any:
        with _lock_of(self._room).released_after():
            return self._compile(sig)


def kernel(function: _F | None = None, *, inline: bool = False, internal: bool = False) -> Any:
    """Compile a function of records, arrays and scalars (nopython, no GIL, no fast-math, cached on disk).

    Args:
        function: the function to compile.
        inline: inline at Numba's level; only for one-liners, it costs compilation time.
        internal: only other kernels call it: no entry from Python is made, which saves a third of its compilation.
    """

    def decorate(py_func: _F) -> Any:
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
        if inline:
            options["inline"] = "always"
        if internal and JIT:
            options["no_cpython_wrapper"] = options["no_cfunc_wrapper"] = True
        dispatcher = numba.njit(**options)(py_func)
        if JIT:
            dispatcher._cache = _KeyedCache(py_func)
            dispatcher.compile = _LockedCompile(dispatcher.compile, _room_of(py_func.__code__.co_filename))
        return dispatcher

    return decorate if function is None else decorate(function)


def is_compiled(function: Any) -> bool:
    """Whether a kernel is ready for use: compiled in this process or kept on disk for these sources."""
    if not JIT or function.signatures:
        return True
    cache = function._cache
    return (Path(cache.cache_path) / f"{cache._impl.filename_base}.nbi").exists()


class _Record(np.record):  # type: ignore[misc]
    """A record whose fields go before the attributes of NumPy's scalars: ``shot.flags`` is the field."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields
        if fields and name in fields:
            value = np.void.__getitem__(self, name)
            nested = isinstance(value, np.void) and value.dtype.names is not None
            return value.view(np.dtype((_Record, value.dtype))) if nested else value
        return np.record.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def records(array: np.ndarray) -> np.ndarray:
    """The array in the form that kernels take: as it is with JIT, of records with attributes without."""
    return array if JIT else array.view(np.dtype((_Record, array.dtype)))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No compilation notice inside the block."""
    global _noticed
    before, _noticed = _noticed, True
    try:
        yield
    finally:
        _noticed = before
