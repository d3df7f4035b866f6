"""The contract's intake document as the question pages would hold it: text as a person would type it."""

import json
from collections.abc import Mapping
from typing import Any

from app.domain.errors import InvalidInput
from app.domain.intake.draft import MODEL_CONFIG, MODEL_NAME, MODEL_PARAMETERS, QUESTIONS, TASK_CHOICES, TASKS, Typed

MODEL_KEYS = {"name": MODEL_NAME, "params_b": MODEL_PARAMETERS, "hf_config": MODEL_CONFIG}


def typed_document(document: Mapping[str, Any]) -> Mapping[str, Typed]:
    """One page's texts by question, of a document that `parse_intake` accepts. InvalidInput: model dimensions, which no page asks for."""
    texts = {**_model(document.get("model") or {}), **_tasks(document)}
    for key, value in document.items():
        entries = value if isinstance(value, Mapping) and key != "model" else {}
        texts |= {f"{key}.{name}": _text(entry) for name, entry in entries.items() if entry is not None}
    texts["years"] = "" if document.get("years") is None else _text(document["years"])
    return {question.key: Typed(texts={path: texts[path] for path in question.paths if texts.get(path)}) for question in QUESTIONS}


def _model(model: Mapping[str, Any]) -> dict[str, str]:
    for key, value in model.items():
        if key not in MODEL_KEYS and value is not None:
            raise InvalidInput(f"model.{key}", "intake.not_on_page")
    return {MODEL_KEYS[key]: json.dumps(value) if key == "hf_config" else str(value) for key, value in model.items() if value is not None}


def _tasks(document: Mapping[str, Any]) -> dict[str, str]:
    """Training and serving are asked for where their section is empty on purpose or says something."""
    asked = [task for task in TASK_CHOICES if (section := document.get(task)) == {} or any(v is not None for v in (section or {}).values())]
    return {TASKS: ",".join(asked)}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(value)
    if isinstance(value, Mapping):
        return f"{value['amount']} {value['currency']}"
    return repr(value) if isinstance(value, float) else str(value)
