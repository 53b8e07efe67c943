"""Native engines (RAPIDS, Comet, Gluten, Photon): their operators and details in Spark's form.

The only place of `plan` that names engines.
"""
