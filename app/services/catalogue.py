"""The catalogue as the site knows it: read from the database once a revision, and kept in memory. Other processes see a change with their next request."""

from collections import OrderedDict
from threading import Lock

from app.db import catalogue as repository
from app.db.catalogue import StoredRevision
from app.db.engine import Session
from app.domain.catalogue.catalogue import Catalogue
from app.domain.errors import DataMissing, NotFound
from app.services.catalogue_rows import loaded
from app.services.seeding import Difference, seed

__all__ = ["Difference", "StoredRevision", "at", "change_of", "current", "names", "seed"]
KEPT_COUNT = 4
_kept: OrderedDict[str, Catalogue] = OrderedDict()
_lock = Lock()


def current(session: Session) -> Catalogue:
    """The catalogue as it stands. DataMissing: the database was never seeded."""
    revision = repository.find_revision(session)
    if revision is None:
        raise DataMissing("catalogue.not_seeded")
    return _loaded(session, revision, None)


def at(session: Session, revision: str) -> Catalogue:
    """The catalogue as it was at a revision. NotFound: it never had this one."""
    return _loaded(session, revision, change_of(session, revision).id)


def change_of(session: Session, revision: str) -> StoredRevision:
    """By whom and when the catalogue came to a revision. NotFound: it never did."""
    change = repository.find_change(session, revision)
    if change is None:
        raise NotFound("catalogue.no_revision", field="revision", revision=revision[:40])
    return change


def names(session: Session) -> dict[str, str]:
    """The names of GPUs and servers by slug, for lines that were stored by slug."""
    facts = current(session)
    return {gpu.slug: gpu.name for gpu in facts.gpus} | {server.slug: server.name for server in facts.servers}


def _loaded(session: Session, revision: str, as_of: int | None) -> Catalogue:
    with _lock:
        if revision not in _kept:
            found = loaded(repository.rows(session, as_of)).catalogue
            if not found.row_count:
                raise DataMissing("catalogue.not_seeded")
            _kept[revision] = found
            while len(_kept) > KEPT_COUNT:
                _kept.popitem(last=False)
        _kept.move_to_end(revision)
        return _kept[revision]
