"""One file with everything in it: a ZIP of tables, each as PostgreSQL copies it, and a manifest with their checksums, written last.

A backup is as of one moment while the site goes on. A restore is one transaction: a schema as old as the backup, its rows, the migrations since."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from app.db import copying, schema
from app.db.engine import Database, Session
from app.domain.errors import InvalidInput

FORMAT = 1
MANIFEST = "gpuplan-backup.json"
PIECE_BYTES = 1 << 20
COMPRESSION_LEVEL = 3  # logs are stored packed; more effort gains a few per cent


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """What a file says of itself."""

    made_at: str
    product: str
    revision: str
    tables: dict[str, dict[str, Any]]
    sequences: dict[str, int]


def write(database: Database, file: Path, now: datetime) -> None:
    """Writes everything into a file, which appears when it is whole."""
    part = file.with_name(f"{file.name}.part")
    try:
        with database.read() as session, part.open("xb") as stream, _archive(stream) as archive:
            part.chmod(0o600)  # it holds what people may see only when they are signed in
            copying.one_moment(session)
            tables = {table: _table_out(session, archive, table) for table in copying.tables(session)}
            manifest = {
                "format": FORMAT,
                "made_at": now.isoformat(timespec="seconds"),
                "product": version("gpuplan"),
                "revision": schema.revision(session),
                "tables": tables,
                "sequences": dict(copying.sequences(session)),
            }
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        part.replace(file)
    except FileExistsError:
        raise InvalidInput("backup", "backup.busy", file=str(part)) from None
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def check(file: Path) -> Backup:
    """What the file says of itself, after comparing every byte with its checksum. InvalidInput: it is no whole backup, or of a newer release."""
    try:
        with ZipFile(file) as archive:
            return _checked(archive)
    except (BadZipFile, KeyError, ValueError, TypeError, EOFError, zlib.error):
        raise InvalidInput("backup", "backup.damaged", file=str(file)) from None
    except OSError as error:
        raise InvalidInput("backup", "input.unreadable", reason=error.strerror or "") from None


def restore(database: Database, file: Path, backup: Backup, *, replace: bool) -> None:
    """Makes the database what the backup holds; nothing changes when anything fails. InvalidInput: the database is not empty."""
    with ZipFile(file) as archive, database.write() as session:
        if not replace and copying.is_filled(session):
            raise InvalidInput("database", "backup.not_empty")
        copying.empty(session)
        schema.rebuild(session, backup.revision)
        copying.empty(session)
        for table in copying.tables(session):
            if table in backup.tables:
                with archive.open(_member(table)) as stream:
                    copying.rows_in(session, table, backup.tables[table]["columns"], _pieces(stream))
        copying.continue_sequences(session, backup.sequences)
        copying.wake_triggers(session)
        schema.finish(session)


def _archive(stream: IO[bytes]) -> ZipFile:
    return ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=COMPRESSION_LEVEL)


def _table_out(session: Session, archive: ZipFile, table: str) -> dict[str, Any]:
    columns = copying.columns(session, table)
    told = sha256()
    with archive.open(_member(table), "w", force_zip64=True) as stream:
        for piece in copying.rows_out(session, table, columns):
            told.update(piece)
            stream.write(piece)
    return {"columns": columns, "sha256": told.hexdigest()}


def _checked(archive: ZipFile) -> Backup:
    manifest = json.loads(archive.read(MANIFEST))
    if manifest["format"] > FORMAT or not schema.knows(manifest["revision"]):
        raise InvalidInput("backup", "backup.newer", product=str(manifest["product"]))
    for table, said in manifest["tables"].items():
        told = sha256()
        with archive.open(_member(table)) as stream:
            for piece in _pieces(stream):
                told.update(piece)
        if told.hexdigest() != said["sha256"]:
            raise BadZipFile(table)
    return Backup(
        made_at=str(manifest["made_at"]),
        product=str(manifest["product"]),
        revision=manifest["revision"],
        tables=manifest["tables"],
        sequences=manifest["sequences"],
    )


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    while piece := stream.read(PIECE_BYTES):
        yield piece


def _member(table: str) -> str:
    return f"tables/{table}"
