"""What changed in the catalogue since a choice was made, ready to be set."""

from dataclasses import dataclass

from app.db.engine import Session
from app.services import catalogue_news
from app.services.catalogue import StoredRevision
from app.services.plans import ProjectPlan
from app.web.fact_form import shown_changes


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFact:
    """A row that changed: its key, how (added, changed, retired), and its cells as (label, before, after)."""

    key: str
    kind: str
    changes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownNews:
    """Changes since a revision that concern the chosen configuration, and how many do not."""

    since: StoredRevision
    facts: tuple[ShownFact, ...]
    other_count: int


def news_of(session: Session, found: ProjectPlan | None) -> ShownNews | None:
    """The news for a stored choice; None: the catalogue is as it was then."""
    choice = found.choice if found else None
    news = catalogue_news.since(session, choice.catalogue_revision, choice.gpu, choice.server) if choice else None
    if news is None:
        return None
    facts = tuple(ShownFact(key=fact.key, kind=fact.kind, changes=shown_changes(fact.changes, fact.table)) for fact in news.concerning)
    return ShownNews(since=news.since, facts=facts, other_count=news.other_count)
