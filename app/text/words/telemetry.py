"""Sentences about telemetry files: why one is refused, why a line gave no sample, what was not believed."""

from app.text.words import _

WORDS = {
    "telemetry.empty": _("The file is empty."),
    "telemetry.binary": _("This is no text but {looks_like}. Supported: {supported}, as text, also compressed with gzip or zstd."),
    "telemetry.unknown_format": _("No telemetry was recognised. It looks like {looks_like}. Supported: {supported}."),
    "telemetry.no_rows": _("The file begins like {format}, but holds not a single row with values."),
    "telemetry.corrupt": _("The {compression} stream is damaged: compress the log again, or send it as it is."),
    "telemetry.too_large": _("Unpacked, the file passes the limit of {limit_bytes}: send it in parts."),
    "telemetry.compression_bomb": _(
        "The file unpacks to more than {ratio_count} times its size, which no log does. It was not read further."
    ),
    "telemetry.too_many_tables": _("The columns change more than {limit_count} times: this is not one log."),
    "telemetry.no_upload": _("There is no such upload in this project."),
    "telemetry.no_profile": _("The upload has not been read yet, or could not be read."),
    "telemetry.no_file": _("Choose a file, or paste a log."),
    "telemetry.encoding": _("Content-Encoding “{encoding}” is not supported. Supported: gzip, zstd, identity."),
    "telemetry.encoding_mismatch": _("The body is not {encoding}, as its Content-Encoding says."),
    "telemetry.key_reused": _("This Idempotency-Key was used for another log."),
    "telemetry.came_again": _("The same log was uploaded again meanwhile; it is in the list."),
    "telemetry.rail": _("{verdict}, {confidence}"),
    "telemetry.rail.waiting": _("no result yet"),
    "telemetry.rail.one": _("1 upload"),
    "telemetry.rail.uploads": _("{uploads_count} uploads"),
    "telemetry.skipped.cut": _("Row cut off after {have_count} of {want_count} cells."),
    "telemetry.skipped.too_many": _("{have_count} cells under a header of {want_count}."),
    "telemetry.skipped.not_a_number": _("Cell {have_count} of {want_count} is not a number."),
    "telemetry.skipped.no_header": _("Numbers without a header above them: the columns are unknown."),
    "telemetry.skipped.text": _("Not part of the table: other text."),
    "telemetry.skipped.fence": _("Not part of the table: a code fence."),
    "telemetry.skipped.command": _("Not part of the table: a command or a prompt."),
    "telemetry.skipped.elision": _("Not part of the table: rows were left out here."),
    "telemetry.skipped.other_table": _("The header of another tool’s table."),
    "telemetry.skipped.second_table": _("A second table in the same line."),
    "telemetry.dropped.above_link": _("No PCIe link carries this: the limit is {link_bytes_per_s}."),
    "telemetry.remark.compressed_cut": _("The compressed stream ends early; what was there is used."),
    "telemetry.remark.long_line": _("Line {line} is longer than 1 MiB and was cut."),
    "telemetry.remark.clock_back": _("The clock goes back at line {line}; order, not the clock, decides there."),
    "telemetry.remark.too_many_columns": _("Only the first {limit_count} different columns are kept."),
    "telemetry.remark.too_many_gpus": _("Only the first {limit_count} GPUs are kept."),
}
