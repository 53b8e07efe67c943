"""Native engines (RAPIDS, Comet, Gluten, Photon): their operators and details in Spark's form.

The only package of `plan` that names engines.
"""
