"""Facts from the files in `seed_data/`, as domain types: for the database loader, and for the command line without a database.

`load_catalogue()` is strict and cached; the revision is a hash of the folder's content, so equal files give equal answers everywhere."""

from app.seeds.fx import default_fx
from app.seeds.loading import SEED_DATA, Loaded, load_catalogue, read_catalogue

__all__ = ["SEED_DATA", "Loaded", "default_fx", "load_catalogue", "read_catalogue"]
