"""A stored project whose five questions are answered with the published retail case."""

from datetime import UTC, datetime
from uuid import UUID

from app.db.engine import Database
from app.domain.intake.draft import KEYS, Typed
from app.domain.money import Currency
from app.services import accounts, catalogue, intake, projects
from app.services.intake import SaveQuestion
from app.services.projects import SaveProject

NOW = datetime(2026, 11, 30, 21, tzinfo=UTC)
ANSWERS: dict[str, dict[str, str]] = {
    "data": {"data.total_tb": "12", "data.sample_mb": "0.6", "data.storage_gbps": "20"},
    "model": {"model.name": "llama-2-13b"},
    "training": {
        "tasks": "training",
        "training.kind": "finetune",
        "training.method": "full",
        "training.precision": "bf16-mixed",
        "training.seq_len": "512",
        "training.samples": "20M",
        "training.epochs": "1",
        "training.deadline_days": "7",
        "training.runs_per_year": "12",
    },
    "software": {"software.framework": "pytorch", "software.cuda": "12.1"},
    "operations": {"operations.environment": "production", "operations.cooling": "air"},
}


def an_answered_project(database: Database, currency: Currency = Currency.CNY, name: str = "Retail copywriter 13B") -> UUID:
    """The project, its questions answered."""
    with database.write() as session:
        facts = catalogue.current(session)
        project_id = projects.start_project(session, SaveProject(name=name, currency=currency), accounts.ensure_owner(session).id)
        for key in KEYS:
            typed = Typed(texts=ANSWERS[key])
            intake.save_question(session, SaveQuestion(project_id=project_id, question=key, typed=typed, row_version=0), facts)
    return project_id
