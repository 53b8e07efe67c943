"""The README tells the truth: its commands print what it shows."""

from __future__ import annotations

import pytest

from support.docs.readme import README, ROOT, run, settled, shown_commands

TEXT = README.read_text()


@pytest.mark.spark
def test_every_command_prints_what_the_readme_shows() -> None:
    printed = {shown.command: settled(run(shown.command, TEXT)) for shown in shown_commands(TEXT)}
    assert printed == {shown.command: settled(shown.output) for shown in shown_commands(TEXT)}


def test_the_first_commands_are_a_page_and_the_demo_and_ci_runs_the_test_command() -> None:
    first, second, *_ = (shown.command for shown in shown_commands(TEXT))
    assert first.startswith("eventlog-lineage show ")
    assert second == "./scripts/demo"
    assert "$ ./scripts/test\n" in TEXT
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith("./scripts/test")


def test_every_document_that_the_readme_links_to_is_there() -> None:
    links = [part.split(")")[0] for part in TEXT.split("](")[1:]]
    missing = [link for link in links if not (ROOT / link).exists()]
    assert links
    assert not missing
