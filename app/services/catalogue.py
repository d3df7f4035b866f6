"""The catalogue as the site knows it: seeded from the files once, then read from the database and kept in memory by revision."""

from threading import Lock

from app.db import catalogue as repository
from app.db.engine import Session
from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import DataMissing
from app.seeds import load_catalogue

_kept: dict[str, Catalogue] = {}
_lock = Lock()


def seed(session: Session, catalogue: Catalogue | None = None) -> Catalogue:
    """Brings the facts of the seed files into the database. Does nothing when it holds this revision already."""
    catalogue = catalogue or load_catalogue()
    if repository.find_revision(session) != catalogue.revision:
        with session.begin_nested():
            repository.store(session, catalogue)
    return catalogue


def current(session: Session) -> Catalogue:
    """The catalogue of the newest seeding, read once a revision. DataMissing: the database was never seeded."""
    revision = repository.find_revision(session)
    if revision is None:
        raise DataMissing("catalogue.not_seeded")
    with _lock:
        if revision not in _kept:
            found = repository.load(session, revision)
            _kept.clear()
            _kept[revision] = found
        return _kept[revision]


def names(session: Session) -> dict[str, str]:
    """The names of GPUs and servers by slug, for lines that were stored by slug."""
    facts = current(session)
    return {gpu.slug: gpu.name for gpu in facts.gpus} | {server.slug: server.name for server in facts.servers}
