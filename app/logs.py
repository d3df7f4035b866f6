"""Logging set-up: structured events on standard error, as JSON in production. Event names are constants, facts are keys."""

import logging
import sys

import structlog

_SHARED: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


# Local variables hold what people uploaded: they stay out of the log.
_without_locals = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)


def configure(*, level: str, json: bool) -> None:
    """Sends our events and those of the libraries through one formatter."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    # The plain traceback: the pretty one prints local variables, which hold what people uploaded, and takes seconds.
    console = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer() if json else console
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=list(_SHARED),
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *([structlog.processors.ExceptionRenderer(_without_locals)] if json else []),
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("uvicorn.access").disabled = True
    for chatty in ("procrastinate", "alembic", "uvicorn"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """The logger of a module."""
    bound: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return bound
