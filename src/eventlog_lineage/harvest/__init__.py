"""The harvest: reads event logs with Spark and hands their rows to the store.

The only package that imports pyspark, in `spark` and `job`; `run.read_in_process` needs none. What a log or a plan
means is decided in the packages below; how rows are merged is decided in `store`.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    """The package, which can be called: `eventlog_lineage.harvest(sources, store)` is the library's function.

    Once this package is imported, it hides the function of the same name. The library is above this package, so its
    module is imported at the call.
    """

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return import_module("eventlog_lineage.library.harvests").harvest(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage

# PySpark 4.x warns at its import if pandas 3 is installed; the harvest does not use pandas
warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
