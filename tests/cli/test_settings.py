"""Settings: the same names on the command line, in the environment and in a TOML file."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import click
import pytest

from eventlog_lineage.cli.common import Setting, settings_of
from eventlog_lineage.cli.main import commands, main, run
from eventlog_lineage.errors import DOCS
from eventlog_lineage.harvest.options import HarvestOptions, read_options
from support.stores.nights import Night

HARVEST = commands.get_command(click.Context(commands), "harvest")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a harvest was called with; it fails then, so that nothing runs."""
    call: dict[str, Any] = {}

    def harvest(sources: tuple[str, ...], store: Path, options: HarvestOptions, *_: object) -> None:
        call.update(sources=sources, store=str(store), options=options)
        raise click.Abort

    monkeypatch.setattr("eventlog_lineage.harvest.run.harvest", harvest)
    return call


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "night.toml"
    file.write_text(
        'sources = ["/logs/a b", "/logs/c"]\nstore = "/store"\nkeep = 400\nstrict = true\nmaster = "yarn"\n'
        '[conf]\n"spark.executor.memory" = "2g"\n"spark.speculation" = true\n'
    )
    run(["harvest", "--config", str(file)])
    settings = {"spark.executor.memory": "2g", "spark.speculation": "true"}
    expected = HarvestOptions(master="yarn", settings=settings, strict=True, keep_days=400)
    assert (asked["sources"], asked["store"]) == (("/logs/a b", "/logs/c"), "/store")
    assert asked["options"].items() >= expected.items()
    assert asked["options"].keys() == HarvestOptions.__annotations__.keys()
    assert read_options(asked["options"]) == read_options(HarvestOptions())

    monkeypatch.setenv("EVENTLOG_LINEAGE_CONFIG", str(file))
    monkeypatch.setenv("EVENTLOG_LINEAGE_KEEP", "30")
    monkeypatch.setenv("EVENTLOG_LINEAGE_MASTER", "local[1]")
    monkeypatch.setenv("EVENTLOG_LINEAGE_SOURCES", "/logs/d /logs/e")
    run(["harvest", "--master", "local[2]", "--store", "/other"])
    assert (asked["options"]["master"], asked["options"]["keep_days"], asked["store"]) == ("local[2]", 30, "/other")
    assert asked["sources"] == ("/logs/d", "/logs/e")
    run(["harvest", "/logs/f"])
    assert (asked["sources"], asked["store"], asked["options"]["master"]) == (("/logs/f",), "/store", "local[1]")


def test_a_harvest_without_anything_to_read_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["harvest"]) == 2
    assert "SOURCE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("keeep = 3\n", "unknown setting 'keeep' (FILE); did you mean keep?"),
        ("keep = 'soon'\n", "'soon' is not a valid integer range. (FILE: keep); {DOCS}/configuration.md lists"),
        ("keep = \n", "invalid TOML: Invalid value (at line 1, column 8) (FILE)"),
        ("conf = 'x'\n", "invalid Spark setting 'x': use KEY=VALUE (FILE: conf)"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "night.toml"
    file.write_text(text)
    assert run(["harvest", "/logs", "--config", str(file)]) == 2
    assert said.replace("FILE", str(file)).replace("{DOCS}", DOCS) in capsys.readouterr().err


def test_a_wrong_environment_variable_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENTLOG_LINEAGE_KEEP", "soon")
    assert run(["harvest", "/logs"]) == 2
    assert "(EVENTLOG_LINEAGE_KEEP); correct the environment variable" in capsys.readouterr().err


def test_a_configuration_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gaps", "--config", "/not/there.toml"]) == 2
    assert "cannot read the configuration: No such file" in capsys.readouterr().err


def test_every_option_of_the_harvest_is_a_setting() -> None:
    assert HARVEST is not None
    plain = [parameter.name for parameter in HARVEST.params if not hasattr(parameter, "key")]
    assert plain == ["config", "profile", "debug"]


def test_a_setting_of_several_commands_means_the_same_in_all_of_them() -> None:
    for key, (parameter, names) in settings_of(commands, click.Context(commands)).items():
        for name in names:
            command = commands.get_command(click.Context(commands), name)
            assert command is not None
            own = [each for each in command.params if isinstance(each, Setting) and each.key == key]
            assert all(each.type.name == parameter.type.name and each.help == parameter.help for each in own)  # type: ignore[attr-defined]


def test_log_lines_are_text_or_json_with_their_facts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Night().begin(tmp_path)
    logger = logging.getLogger("eventlog_lineage.harvest.run")
    for form in ("text", "json"):
        assert run(["gaps", "--store", str(tmp_path), "--log-level", "info", "--log-format", form]) == 0
        logger.info("logs listed", extra={"facts": {"logs": 12}})
        logger.debug("not said")
    text, line = capsys.readouterr().err.splitlines()
    assert text.endswith("Z INFO harvest.run: logs listed logs=12")
    told = json.loads(line)
    assert (told["level"], told["message"], told["logs"]) == ("INFO", "logs listed", 12)


@pytest.mark.parametrize(("own", "threads"), [(None, "1"), ("4", "4")])
def test_the_program_has_numpy_start_no_threads_unless_its_user_wants_some(
    monkeypatch: pytest.MonkeyPatch, own: str | None, threads: str
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", own or "")
    if own is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    with pytest.raises(SystemExit):
        main(["--version"])
    assert os.environ["OPENBLAS_NUM_THREADS"] == threads


def test_a_file_in_the_working_folder_is_read_and_a_profile_takes_precedence(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    project = tmp_path / "pyproject.toml"
    project.write_text("[tool.eventlog-lineage]\nkeep = 7\n\n[tool.eventlog-lineage.profile.prod]\nkeep = 400\n")
    assert run(["harvest", "logs"]) == 1
    assert asked["options"]["keep_days"] == 7
    assert run(["harvest", "logs", "--profile", "prod"]) == 1
    assert asked["options"]["keep_days"] == 400
    (tmp_path / "eventlog-lineage.toml").write_text("keep = 30\n", encoding="utf-8")
    assert run(["harvest", "logs"]) == 1
    assert asked["options"]["keep_days"] == 30
    assert run(["harvest", "logs", "--config", "pyproject.toml", "--profile", "prod"]) == 1
    assert asked["options"]["keep_days"] == 400
    assert run(["--profile", "prod", "harvest", "logs", "--config", "pyproject.toml"]) == 1
    assert asked["options"]["keep_days"] == 400
    capsys.readouterr()
    assert run(["harvest", "logs", "--profile", "test"]) == 2
    assert "no profile 'test' (eventlog-lineage.toml)" in capsys.readouterr().err
    (tmp_path / "eventlog-lineage.toml").unlink()
    project.write_text("[tool.other]\n[broken", encoding="utf-8")
    assert run(["harvest", "logs"]) == 1
    assert asked["options"]["keep_days"] is None
    assert run(["harvest", "logs", "--profile", "test"]) == 2
    assert "no settings file has the profile 'test'" in capsys.readouterr().err


def test_a_wrong_key_of_a_profile_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "night.toml"
    file.write_text("[profile.prod]\nkeeps = 4\n", encoding="utf-8")
    assert run(["harvest", "logs", "--config", str(file)]) == 2
    assert "unknown setting 'keeps'" in capsys.readouterr().err
