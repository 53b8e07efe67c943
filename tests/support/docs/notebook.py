"""Run the code cells of a notebook as plain Python, with what each of them prints and returns."""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Iterator, Mapping
from typing import Any

Cell = dict[str, Any]


def run_cells(notebook: Mapping[str, Any]) -> Iterator[tuple[Cell, list[Cell]]]:
    """Yield each code cell with its outputs, as nbformat 4 has them.

    Args:
        notebook: The notebook; its cells share their names, as in one session.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            result = _run("".join(cell["source"]), names)
        outputs: list[Cell] = []
        if text := printed.getvalue():
            outputs.append({"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)})
        if result is not None:
            shown = {"text/plain": repr(result).splitlines(keepends=True)}
            outputs.append({"output_type": "execute_result", "execution_count": number, "data": shown, "metadata": {}})
        yield cell, outputs


def _run(code: str, names: dict[str, Any]) -> object:
    """Run a cell; return the value of its last line if that is an expression."""
    body = ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if isinstance(last, ast.Expr) else None
