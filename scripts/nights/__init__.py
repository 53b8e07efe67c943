"""The nights of a small shop, each an application on a real Spark; `scripts/make_nights.py` plays them."""
