"""The one way a telemetry file is refused, and how single lines are."""

from dataclasses import dataclass, field

from app.domain.errors import DomainError, Message, Param, message

LISTED_LINES = 1000  # skipped lines kept one by one; beyond, they are only counted


class Rejected(DomainError):
    """The file cannot be used at all: the message says what it looks like and what is supported."""

    def __init__(self, code: str, *, line: int | None = None, **params: Param) -> None:
        super().__init__(code)
        self.message = message(code, **params)
        self.line = line


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that gave no sample, and why."""

    line: int
    reason: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedValue:
    """A cell that cannot be true and was treated as missing."""

    line: int
    gpu: int
    metric: str
    value: float
    reason: Message


@dataclass(slots=True)
class Report:
    """What the readers notice on the way: lists are bounded, counts are not."""

    skipped: list[SkippedLine] = field(default_factory=list)
    skipped_count: int = 0
    dropped: list[DroppedValue] = field(default_factory=list)
    dropped_count: int = 0
    delay_s: float | None = None  # the sampling delay of a command line seen in the log
    remarks: list[Message] = field(default_factory=list)

    def skip(self, line: int, code: str, **params: Param) -> None:
        """Notes a line that gave no sample."""
        self.skipped_count += 1
        if len(self.skipped) < LISTED_LINES:
            self.skipped.append(SkippedLine(line, message(code, **params)))

    def drop(self, value: DroppedValue) -> None:
        """Notes a cell that was not believed."""
        self.dropped_count += 1
        if len(self.dropped) < LISTED_LINES:
            self.dropped.append(value)

    def remark(self, code: str, **params: Param) -> None:
        """Notes something about the whole log, once."""
        if all(known.code != code for known in self.remarks):
            self.remarks.append(message(code, **params))
