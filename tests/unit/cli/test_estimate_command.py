"""`gpuplan estimate`."""

import json
from pathlib import Path

from typer.testing import CliRunner

from app.cli.main import cli

RUN = CliRunner()
GOOD = {"model": {"name": "llama-2-7b"}, "gpu": "a100-sxm4-80gb"}


def test_json_and_yaml_are_answered_alike(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(GOOD), encoding="utf-8")
    (tmp_path / "a.yaml").write_text("model: {name: llama-2-7b}\ngpu: a100-sxm4-80gb\n", encoding="utf-8")
    answers = [RUN.invoke(cli, ["estimate", str(tmp_path / name)]) for name in ("a.json", "a.yaml")]
    assert [answer.exit_code for answer in answers] == [0, 0]
    assert answers[0].stdout == answers[1].stdout
    assert json.loads(answers[0].stdout)["memory"]["fits"] in ("yes", "tight", "no")


def test_lines_are_answered_in_place() -> None:
    lines = [json.dumps(GOOD), "{", json.dumps(GOOD | {"n_gpus": -1}), json.dumps(GOOD | {"model": {"name": "dlrm-nvidia-small"}})]
    answer = RUN.invoke(cli, ["estimate", "--jsonl", "-"], input="\n".join(lines) + "\n")
    assert answer.exit_code == 0
    documents = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [document.get("field") for document in documents] == [None, "line", "n_gpus", "model.name"]
    assert all(document["error"] for document in documents[1:])


def test_bad_input_is_one_line_and_status_two(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(GOOD | {"train": {"tp": 7}}), encoding="utf-8")
    answer = RUN.invoke(cli, ["estimate", str(tmp_path / "a.json")])
    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith("n_gpus: ")
    assert len(answer.stderr.splitlines()) == 1


def test_missing_file_is_named() -> None:
    answer = RUN.invoke(cli, ["estimate", "nowhere.json"])
    assert answer.exit_code == 2
    assert "nowhere.json" in answer.stderr
