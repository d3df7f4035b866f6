"""The upload form."""

from pydantic import BaseModel


class UploadForm(BaseModel):
    """What stands beside the chosen files: pasted text and the board, if it is known."""

    pasted: str = ""
    gpu: str = ""
