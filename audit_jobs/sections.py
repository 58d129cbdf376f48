"""The base class of the configuration's sections."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Keys and values, of which no others are known."""

    model_config = ConfigDict(extra="forbid", frozen=True)
