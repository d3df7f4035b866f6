"""The sheet as PDF: A4, set by Typst, with a Chinese font embedded so that it looks the same everywhere."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pylopdf_fonts_zh_cn
import typst

from app.export.glyphs import printable
from app.export.issue import Issue
from app.export.sections import sections
from app.export.texts import said
from app.text.render import render

TEMPLATE = Path(__file__).parent / "sheet.typ"
PAGE, PAGES = "⟨page⟩", "⟨pages⟩"  # put in by the template, which alone knows them
LANGUAGES = {"en": ("en", "US"), "zh_CN": ("zh", "CN")}


def write_pdf(issue: Issue, locale: str) -> bytes:
    """The bytes of the PDF. The same issue makes the same file: its date is that of the issue, no system font takes part."""
    pdf: bytes = typst.compile(
        TEMPLATE,
        font_paths=[Path(pylopdf_fonts_zh_cn.sans_path()).parent],
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs={"data": json.dumps(printable(_content(issue, locale)), ensure_ascii=False)},
        timestamp=int(datetime.fromisoformat(issue.sheet.issued_at).astimezone(UTC).timestamp()),
    )
    return pdf


def _content(issue: Issue, locale: str) -> dict[str, Any]:
    sheet = issue.sheet
    language, region = LANGUAGES[locale]
    return {
        "lang": language,
        "region": region,
        "title": said("sheet.title", locale),
        "project": sheet.project,
        "issue": issue_line(issue, locale),
        "sha256": issue.sha256,
        "hash_label": "SHA-256",
        "page": said("sheet.page", locale, page=PAGE, pages=PAGES),
        "legend": said("sheet.legend", locale),
        "sections": [
            {
                "key": section.key,
                "title": section.title,
                "sentences": section.sentences,
                "columns": section.columns,
                "rows": section.rows,
                "widths": section.widths,
                "right": section.right,
                "strong": section.strong,
            }
            for section in sections(sheet, locale)
        ],
        "revisions": {"title": said("sheet.section.revisions", locale), "rows": revision_rows(issue, locale)},
        "sign_off": {
            "title": said("sheet.section.sign_off", locale),
            "columns": [said(f"sheet.head.{key}", locale) for key in ("role", "name", "signature", "date")],
            "roles": [render(role, locale) for role in sheet.sign_off],
        },
    }


def issue_line(issue: Issue, locale: str) -> str:
    """Which issue this is."""
    sheet = issue.sheet
    return said("sheet.issue", locale, number=sheet.number, on=sheet.issued_at[:10], by=sheet.issued_by)


def revision_rows(issue: Issue, locale: str) -> list[tuple[str, str]]:
    """What made the sheet, and what its document hashes to."""
    made = issue.sheet.revisions
    pairs = (("catalogue", made.catalogue), ("policy", made.policy), ("method", made.method), ("document", issue.sha256))
    return [(said(f"sheet.revision.{key}", locale), value) for key, value in pairs]
