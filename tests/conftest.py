"""Settings of the property tests."""

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
