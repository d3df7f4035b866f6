"""Telemetry of a project: take a log in, have it read by a job, look at its profile, take it away and bring it back.

The raw file is stored first, with the upload and its job in one transaction; the job reads it and may run any number of times."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, BinaryIO
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from app.db import files, streams, telemetry
from app.db.engine import Session
from app.db.telemetry import UploadRow
from app.domain.catalogue.hardware import Gpu
from app.domain.diagnosis import Confidence, Diagnosis, Verdict, diagnose
from app.domain.errors import Conflict, InvalidInput, Message, NotFound, message
from app.domain.telemetry import Profile, Rejected, check, read
from app.services import catalogue, jobs, projects
from app.services.runs import Run
from app.storage import PIECE_BYTES, DatabaseStorage, Storage

__all__ = ["UploadRow"]

JOB = "telemetry.profile"
HEAD_BYTES = 4 << 20
NAME_LENGTH = 120
KEY_LENGTH = 200
KEPT_AFTER_REMOVAL = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptUpload:
    """A log as it comes in. `gpu`: the board's slug where the sender knows it."""

    project_id: UUID
    name: str
    gpu: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfiledUpload:
    """An upload with what it says."""

    upload: UploadRow
    gpu: Gpu | None
    profile: Profile
    diagnoses: tuple[Diagnosis, ...]


def accept(session: Session, storage: Storage, command: AcceptUpload, file: BinaryIO) -> UploadRow:
    """Stores a log and asks for its profile. The same content, or the same key, gives the upload that is there already.

    Rejected: it cannot be read, as far as its beginning tells. NotFound: no such project or board."""
    with session.begin_nested():
        projects.get_project(session, command.project_id)
        if command.gpu:
            catalogue.current(session).gpu(command.gpu)
        if command.idempotency_key is not None and len(command.idempotency_key) > KEY_LENGTH:
            raise InvalidInput("Idempotency-Key", "form.too_long", limit=KEY_LENGTH)
        head = file.read(HEAD_BYTES)
        check(head, is_whole=len(head) < HEAD_BYTES)
        file.seek(0)
        content_hash, size = storage.put(session, _pieces(file))
        known = _known(session, command, content_hash)
        if known is not None:
            return _again(session, known, command.gpu)
        try:
            with session.begin_nested():
                upload_id = telemetry.add(
                    session,
                    project_id=command.project_id,
                    content_hash=content_hash,
                    name=_named(command.name),
                    size_bytes=size,
                    gpu=command.gpu,
                    idempotency_key=command.idempotency_key,
                )
        except IntegrityError:
            # somebody sent the same log at the same time, and was first
            known = _known(session, command, content_hash)
            if known is None:
                raise Conflict("telemetry.came_again") from None
            return known
        _ask(session, command.project_id, upload_id)
        return telemetry.get(session, command.project_id, upload_id)


def accept_all(session: Session, storage: Storage, sent: Sequence[tuple[AcceptUpload, BinaryIO, str]]) -> tuple[UploadRow, ...]:
    """Takes several logs in, all or none. InvalidInput: which of them, by its name and the form field it came from, and why."""
    with session.begin_nested():
        accepted = []
        for command, file, field in sent:
            try:
                accepted.append(accept(session, storage, command, file))
            except Rejected as error:
                if len(sent) == 1:
                    raise InvalidInput(field, error.message.code, **error.message.params) from None
                raise InvalidInput(field, "telemetry.in_file", name=_named(command.name), reason=error.message) from None
        return tuple(accepted)


def _known(session: Session, command: AcceptUpload, content_hash: str) -> UploadRow | None:
    if command.idempotency_key is not None:
        same_key = telemetry.find(session, command.project_id, idempotency_key=command.idempotency_key)
        if same_key is not None:
            if same_key.content_hash != content_hash:
                raise Conflict("telemetry.key_reused", field="Idempotency-Key")
            return same_key
    return telemetry.find(session, command.project_id, content_hash=content_hash)


def _again(session: Session, upload: UploadRow, gpu: str | None) -> UploadRow:
    """The same log came again: bring it back if it was taken away, and read it again if the board is new."""
    if upload.removed_at is not None:
        restore(session, upload.project_id, upload.id)
    if gpu and gpu != upload.gpu:
        name_board(session, upload.project_id, upload.id, gpu)
    return telemetry.get(session, upload.project_id, upload.id)


def _ask(session: Session, project_id: UUID, upload_id: UUID) -> None:
    telemetry.set_job(session, upload_id, jobs.enqueue(session, JOB, _arguments(project_id, upload_id), project_id=project_id))


def read_again(session: Session, upload: UploadRow) -> None:
    """Has a log that grew read once more, by the job it has."""
    if upload.job_id is None:
        _ask(session, upload.project_id, upload.id)
    else:
        jobs.repeat(session, upload.job_id)


def _arguments(project_id: UUID, upload_id: UUID) -> Mapping[str, Any]:
    return {"project_id": str(project_id), "upload_id": str(upload_id)}


class _Grew(Exception):
    """A stream ended while its log was read: there is more of it."""


def profile_upload(run: Run) -> None:
    """The job: reads the stored log, diagnoses it, stores the profile. Rejected ends it with its reason."""
    while True:
        try:
            _profile(run)
        except _Grew:
            continue
        return


def _profile(run: Run) -> None:
    project_id, upload_id = UUID(run.arguments["project_id"]), UUID(run.arguments["upload_id"])
    with run.database.read() as session:
        upload = telemetry.get(session, project_id, upload_id)
        gpu = _board(session, upload.gpu)
    pieces = DatabaseStorage(run.database).read(upload.content_hash)
    profile = read(_reporting(pieces, upload.size_bytes, run), gpu)
    verdict = diagnose(profile, gpu)[0]
    with run.apply() as session:
        now = streams.lock(session, upload_id)
        if now is not None and now.ended_at is not None and now.size_bytes != upload.size_bytes:
            raise _Grew
        telemetry.store_profile(session, upload_id, profile, verdict, run.now())
        run.result = {
            "upload_id": str(upload_id),
            "samples": profile.summary.samples,
            "skipped": profile.skipped_count,
            "verdict": verdict.verdict.value,
            "confidence": verdict.confidence.word,
        }


def _reporting(pieces: Iterator[bytes], size: int, run: Run) -> Iterator[bytes]:
    done = 0
    for piece in pieces:
        yield piece
        done += len(piece)
        run.progress(done / max(size, 1))


def store_and_profile(session: Session, storage: Storage, command: AcceptUpload, file: BinaryIO, *, now: datetime) -> UploadRow:
    """Takes a log in and reads it at once, without a job: for what the product itself brings along."""
    with session.begin_nested():
        content_hash, size = storage.put(session, _pieces(file))
        known = _known(session, command, content_hash)
        if known is not None:
            return known
        file.seek(0)
        gpu = _board(session, command.gpu)
        profile = read(_pieces(file), gpu)
        upload_id = telemetry.add(
            session,
            project_id=command.project_id,
            content_hash=content_hash,
            name=_named(command.name),
            size_bytes=size,
            gpu=command.gpu,
            idempotency_key=command.idempotency_key,
        )
        telemetry.store_profile(session, upload_id, profile, diagnose(profile, gpu)[0], now)
        return telemetry.get(session, command.project_id, upload_id)


def uploads_of(session: Session, project_id: UUID) -> tuple[UploadRow, ...]:
    """A project's uploads, newest first."""
    return telemetry.of_project(session, project_id)


def uploads_of_project(session: Session, project_id: UUID) -> tuple[UploadRow, ...]:
    """The same. NotFound: there is no such project."""
    projects.get_project(session, project_id)
    return telemetry.of_project(session, project_id)


def get_upload(session: Session, project_id: UUID, upload_id: UUID) -> UploadRow:
    """An upload. NotFound: the project has none of this id."""
    return telemetry.get(session, project_id, upload_id)


def find_removed(session: Session, project_id: UUID, upload_id: UUID) -> UploadRow | None:
    """An upload that was taken away and can be brought back; None: it was not, or it is gone for good."""
    try:
        upload = telemetry.get(session, project_id, upload_id)
    except NotFound:
        return None
    return upload if upload.removed_at is not None else None


def profiled(session: Session, project_id: UUID, upload_id: UUID) -> ProfiledUpload:
    """An upload with its profile and the verdicts by today's rules. NotFound: no such upload, or it was not read yet."""
    return _profiled(session, telemetry.get(session, project_id, upload_id))


def leading_upload(session: Session, project_id: UUID) -> UploadRow | None:
    """The upload whose verdict stands for the project: the newest that says something and is not unsure of it, else the newest that says
    something, else the newest that was read."""
    return leading(telemetry.of_project(session, project_id))


def leading(uploads: Sequence[UploadRow]) -> UploadRow | None:
    """The same, of uploads that were loaded already."""
    read_ones = [upload for upload in uploads if upload.is_profiled]
    saying = [upload for upload in read_ones if upload.verdict not in (Verdict.INCONCLUSIVE.value, Verdict.IDLE.value)]
    sure = [upload for upload in saying if upload.confidence is not None and upload.confidence > Confidence.LOW]
    return next(iter([*sure, *saying, *read_ones]), None)


@dataclass(frozen=True, slots=True)
class Said:
    """The project's evidence in one line."""

    answer: Message
    remark: Message
    has_verdict: bool


def said(session: Session, project_id: UUID) -> Said | None:
    """What the rail shows; None without uploads."""
    uploads = telemetry.of_project(session, project_id)
    if not uploads:
        return None
    remark = message("telemetry.rail.one") if len(uploads) == 1 else message("telemetry.rail.uploads", uploads_count=len(uploads))
    first = leading(uploads)
    if first is None or first.verdict is None or first.confidence is None:
        return Said(message("telemetry.rail.waiting"), remark, has_verdict=False)
    verdict, confidence = message(f"verdict.{first.verdict}"), message(f"confidence.{first.confidence.word}")
    return Said(message("telemetry.rail", verdict=verdict, confidence=confidence), remark, has_verdict=True)


def leading_diagnosis(session: Session, project_id: UUID) -> Diagnosis | None:
    """The project's verdict; None when nothing was measured."""
    upload = leading_upload(session, project_id)
    return None if upload is None else _profiled(session, upload, with_series=False).diagnoses[0]


def rename_board(session: Session, project_id: UUID, upload_id: UUID, gpu: str | None, seen: str | None) -> None:
    """As `name_board`, for somebody who saw `seen` as the name. Conflict: another one was given meanwhile."""
    if get_upload(session, project_id, upload_id).gpu not in (gpu, seen):
        raise Conflict("telemetry.board_stale")
    name_board(session, project_id, upload_id, gpu)


def name_board(session: Session, project_id: UUID, upload_id: UUID, gpu: str | None) -> None:
    """Names the board, or takes the name back, and reads the log again: its limits decide what is believed and what is meant."""
    with session.begin_nested():
        if gpu:
            catalogue.current(session).gpu(gpu)
        telemetry.set_gpu(session, project_id, upload_id, gpu or None)
        _ask(session, project_id, upload_id)


def remove(session: Session, project_id: UUID, upload_id: UUID, *, now: datetime) -> None:
    """Takes an upload away; it can be brought back for a day."""
    with session.begin_nested():
        telemetry.set_removed(session, project_id, upload_id, now)
        telemetry.purge(session, now - KEPT_AFTER_REMOVAL)
        files.forget_unused(session, now - KEPT_AFTER_REMOVAL)


def restore(session: Session, project_id: UUID, upload_id: UUID) -> None:
    """Brings an upload back. Conflict: the same log came again meanwhile."""
    try:
        with session.begin_nested():
            telemetry.set_removed(session, project_id, upload_id, None)
    except IntegrityError:
        raise Conflict("telemetry.came_again") from None


def _profiled(session: Session, upload: UploadRow, *, with_series: bool = True) -> ProfiledUpload:
    profile = telemetry.load_profile(session, upload.project_id, upload.id, with_series=with_series)
    if profile is None:
        raise NotFound("telemetry.no_profile")
    gpu = _board(session, upload.gpu)
    return ProfiledUpload(upload=upload, gpu=gpu, profile=profile, diagnoses=diagnose(profile, gpu))


def _board(session: Session, slug: str | None) -> Gpu | None:
    if slug is None:
        return None
    return next((gpu for gpu in catalogue.current(session).gpus if gpu.slug == slug), None)


def _named(name: str) -> str:
    printable = "".join(sign if sign.isprintable() else " " for sign in name.replace("\\", "/").rsplit("/", 1)[-1])
    return " ".join(printable.split())[:NAME_LENGTH] or "log"


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE_BYTES):
        yield piece
