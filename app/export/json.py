"""The sheet as JSON: the document itself, whose canonical form has the stated hash, and the same in words."""

import json
from typing import Any

from app.export.issue import Issue
from app.export.sections import sections


def write_json(issue: Issue, locale: str) -> bytes:
    """UTF-8 JSON. `document` in canonical form (sorted keys, no spaces) hashes to `sha256`."""
    sheet = issue.sheet
    content: dict[str, Any] = {
        "project": sheet.project,
        "number": sheet.number,
        "issued_at": sheet.issued_at,
        "issued_by": sheet.issued_by,
        "sha256": issue.sha256,
        "locale": locale,
        "revisions": {"catalogue": sheet.revisions.catalogue, "policy": sheet.revisions.policy, "method": sheet.revisions.method},
        "sections": [
            {"key": section.key, "title": section.title, "sentences": section.sentences, "columns": section.columns, "rows": section.rows}
            for section in sections(sheet, locale)
        ],
        "document": json.loads(issue.document),
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()
