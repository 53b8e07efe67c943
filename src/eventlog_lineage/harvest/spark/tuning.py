"""Settings of Java, of the allocator and of Python's collector for a local harvest, with their reasons."""

from __future__ import annotations

JAVA_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions -XX:+NeverActAsServerClassMachine -XX:MetaspaceSize=128m"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""Options of a local Java, which hardly runs code of its own: the work is Python's.

* Without the second compiler, and with the collector that has no threads, unless its user chooses another one: both
  cost more CPU time than they save (3 s and 0.5 s in a harvest of 1 GB).
* Spark's classes fit into this much metaspace; otherwise Java finds out by some full collections.
* Spark's own classes are not verified again each night (1 s).
"""

ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": 8 << 20, "MALLOC_MMAP_THRESHOLD_": 1 << 20, "MALLOC_TOP_PAD_": 128 << 10}
"""Environment of Python's workers, in bytes, for the allocator of glibc; others ignore these names.

A worker that reads one 512 kB piece of a log after another keeps their memory. Otherwise it returns it to the system
each time, and gets new pages one by one (an eighth of its processor time).
"""

ARROW_ALLOCATOR_VARIABLE = "JE_ARROW_MALLOC_CONF"
ARROW_ALLOCATOR = "background_thread:false"
"""jemalloc within Arrow starts a thread when pyarrow is imported, even if it is not used.

A process with threads must not be forked.
"""

COLLECTED_AFTER = 20_000
"""New objects after which Python looks for cycles among the newest.

Nearly all objects of a log live until its rows are made. To look through them after each 700 takes a fortieth of a
worker's time.
"""
