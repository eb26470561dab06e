"""Measures this machine: the memory and cores that an embedded model can have."""

import os
from contextlib import suppress
from pathlib import Path

from pilotfish.core.values import Value

LIMIT = Path("/sys/fs/cgroup/memory.max")
"""Where a container says how much memory it may use."""


class MachineSize(Value):
    """What an embedded model can use here: bytes of memory and cores."""

    memory: int
    cores: int


def measure_machine() -> MachineSize:
    """The size of this machine, or of the container that this process runs in."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):
        memory = min(memory, int(LIMIT.read_text()))
    return MachineSize(memory=memory, cores=count_cores())


def count_cores() -> int:
    """How many cores this process may use, which a container or `taskset` can limit."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
