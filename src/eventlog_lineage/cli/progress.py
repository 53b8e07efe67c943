"""A progress bar for the harvest, on a terminal only: cron stays quiet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_TITLES = {
    "list": "Listing logs",
    "start": "Starting Spark",
    "read": "Reading logs",
    "assemble": "Assembling spread logs",
    "trace": "Tracing plans",
    "store": "Updating the store",
}


@contextmanager
def progress_bar(*, enabled: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows how far a step is: (step, done, of); one that does nothing if it is not enabled."""
    if not enabled:
        yield lambda *_: None
        return
    from rich.console import Console  # noqa: PLC0415 - quiet runs need none of it
    from rich.filesize import decimal  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, Task, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    class Amount(TextColumn):
        """How much of how much, and how fast: bytes of logs, tasks of anything else."""

        def __init__(self) -> None:
            super().__init__("")

        def render(self, task: Task) -> Text:
            shown: Callable[[int], str] = decimal if task.fields["step"] == "read" else str
            rate = f", {shown(int(task.speed))}/s" if task.speed and task.fields["step"] == "read" else ""
            of = f" of {shown(int(task.total))}" if task.total else ""
            return Text(f"{shown(int(task.completed))}{of}{rate}" if task.total else "")

    columns = (TextColumn("{task.description}"), BarColumn(), Amount(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        tasks = {}

        def tell(step: str, done: int, of: int) -> None:
            if step not in tasks:
                tasks[step] = progress.add_task(_TITLES.get(step, step), total=of or None, step=step)
            progress.update(tasks[step], completed=done, total=of or None)

        yield tell
