"""An application that only those may ask who have a token, or are this machine's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from prunescope.audit_jobs.receiver.callers import check_caller
from prunescope.audit_jobs.receiver.limits import Refused


class OnlyCallers:
    """Passes requests on to an application, or refuses them (see `check_caller`); all while there
    are too many connections."""

    def __init__(
        self, app: ASGIApp, tokens: Sequence[bytes], is_crowded: Callable[[], bool]
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._is_crowded = is_crowded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "http":
            try:
                check_caller(Headers(scope=scope), self._tokens)
                if self._is_crowded():
                    raise Refused("full")  # noqa: TRY301
            except Refused as refused:
                answer = JSONResponse(refused.document, refused.status, headers=refused.headers)
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)
