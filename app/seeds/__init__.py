"""Facts from the files in `seed_data/`, as domain types: for the database loader, and for the command line without a database.

`load_catalogue()` is strict and cached; the revision is a hash of all cells, so equal facts give equal answers everywhere."""

from app.seeds.fx import default_fx
from app.seeds.loading import SEED_DATA, Loaded, assemble, load_catalogue, load_folder, read_catalogue

__all__ = ["SEED_DATA", "Loaded", "assemble", "default_fx", "load_catalogue", "load_folder", "read_catalogue"]
