"""Agents on nodes: their streams, piece by piece."""

import gzip
import json
import zlib
from io import BytesIO
from typing import Annotated, Any, BinaryIO
from uuid import UUID

from fastapi import APIRouter, Header, Path, Query
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.errors import InvalidInput
from app.services import agents
from app.services.agents import PIECE_LIMIT_BYTES, TakePiece
from app.web.access import SignedIn
from app.web.database import Now, Write
from app.web.uploads import Body

router = APIRouter(prefix="/agents", tags=["telemetry"])
Word = Annotated[str, Field(max_length=200)]
FACTS_LIMIT = 16_384


class NodeGpu(BaseModel):
    """A GPU as nvidia-smi names it."""

    model_config = ConfigDict(extra="ignore")

    index: Word
    uuid: Word
    name: Word
    memory_mib: Word = ""
    power_limit_w: Word = ""
    pcie_gen: Word = ""
    pcie_width: Word = ""


class Node(BaseModel):
    """What an agent knows of its machine. `clock_offset_s`: how far our clock is ahead of the node's."""

    model_config = ConfigDict(extra="ignore")

    agent: Word = ""
    host: Word = ""
    driver: Word | None = None
    gpus: Annotated[list[NodeGpu], Field(max_length=64)] = []
    utc_offset_s: int | None = None
    clock_offset_s: float | None = None


@router.post("/{name}/chunks", name="api.agents.take")
def take(
    name: Annotated[str, Path(min_length=1, max_length=120)],
    body: Body,
    caller: SignedIn,
    session: Write,
    now: Now,
    upload_id: Annotated[UUID, Header()],
    chunk_seq: Annotated[int, Header(ge=0, lt=2**31)],
    project: Annotated[UUID | None, Query()] = None,
    content_encoding: Annotated[str, Header(max_length=40)] = "",
    agent_facts: Annotated[str, Header()] = "",
) -> dict[str, Any]:
    """A chunk of the stream `Upload-Id`, numbered `Chunk-Seq`; sent again it counts once. An empty body ends the stream.

    The token's project, or `project`, gets it. 409: begin a new stream and send the chunk there."""
    project_id = agents.project_of(session, caller, project)
    command = TakePiece(upload_id=upload_id, agent=name, number=chunk_seq, content=_plain(body, content_encoding), node=_node(agent_facts))
    is_new = agents.take(session, project_id, command, now=now)
    return {"upload_id": str(upload_id), "chunk_seq": chunk_seq, "is_new": is_new, "server_time": now.timestamp()}


def _plain(body: BinaryIO, encoding: str) -> bytes:
    packed = body.read(PIECE_LIMIT_BYTES + 1)
    match encoding.strip().casefold():
        case "" | "identity":
            content = packed
        case "gzip":
            try:
                with gzip.GzipFile(fileobj=BytesIO(packed)) as file:
                    content = file.read(PIECE_LIMIT_BYTES + 1)
            except (OSError, EOFError, zlib.error):
                raise InvalidInput("Content-Encoding", "telemetry.encoding_mismatch", encoding="gzip") from None
        case other:
            raise InvalidInput("Content-Encoding", "agent.encoding", encoding=other)
    if len(content) > PIECE_LIMIT_BYTES:
        raise InvalidInput("body", "agent.piece_too_large", limit_bytes=float(PIECE_LIMIT_BYTES))
    return content


def _node(text: str) -> dict[str, Any] | None:
    if not text:
        return None
    try:
        if len(text) > FACTS_LIMIT:
            raise ValueError
        return Node.model_validate(json.loads(text)).model_dump()
    except (ValueError, ValidationError, RecursionError):
        raise InvalidInput("Agent-Facts", "agent.facts") from None
