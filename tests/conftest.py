"""Settings of the property tests."""

from hypothesis import HealthCheck, settings

# No deadline: a busy machine must not fail a test that a quiet one passes.
settings.register_profile("all", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("all")
