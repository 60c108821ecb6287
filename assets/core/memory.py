"""What a process holds of memory that it no longer needs."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Return to the system what Arrow's pool and the C library keep of what was freed.

    malloc_trim(3) is glibc's alone; where another library serves, only Arrow's is returned.
    """
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
