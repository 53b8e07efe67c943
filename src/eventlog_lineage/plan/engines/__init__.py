"""Native engines (RAPIDS, Comet, Gluten, Photon): convert their operators and details to Spark's form.

The only package of `plan` that names engines.
"""
