"""Doing without the superuser's right to every file, so that what `chmod` forbids is forbidden to tests too."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

VERSION = 0x20080522
"""Of the kernel's capability calls: sets of 64 bits, in two halves."""
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Half(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def as_anybody() -> Iterator[None]:
    """Ask for permission like everybody inside the `with`: whoever is root lays aside its right to do without."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, halves = _Header(VERSION, 0), (_Half * 2)()
    if libc.capget(ctypes.byref(header), halves):
        raise OSError(ctypes.get_errno(), "capget")
    before = halves[0].effective
    halves[0].effective &= ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
    if libc.capset(ctypes.byref(header), halves):
        raise OSError(ctypes.get_errno(), "capset")
    try:
        yield
    finally:
        halves[0].effective = before
        if libc.capset(ctypes.byref(header), halves):
            raise OSError(ctypes.get_errno(), "capset")
