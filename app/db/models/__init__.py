"""The tables, one module a noun. Only `app.db` imports them."""

from importlib import import_module
from pkgutil import iter_modules

from sqlalchemy import MetaData

from app.db.models.base import Base


def metadata() -> MetaData:
    """All tables, for the migrations: imports every module of this package."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return Base.metadata
