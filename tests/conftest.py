"""Settings of the property tests and of the JVMs that tests start."""

import os

from hypothesis import HealthCheck, settings

# No deadline: a busy machine must not fail a test that a quiet one passes. The same examples at every run: what CI
# runs is what its author ran. `HYPOTHESIS_SEARCH=1 pytest` and `scripts/fuzz.py` look for new ones.
settings.register_profile(
    "all",
    deadline=None,
    derandomize="HYPOTHESIS_SEARCH" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("all")

# Spark's launcher gives these to the driver's JVM (SparkSubmitCommandBuilder, Spark 3.5 to 4.3). A JVM that lives for
# seconds does not earn back what compiling well costs.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
