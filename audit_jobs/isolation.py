"""Isolation: a failure with one table stays with that table.

Tables, their files and the queries that read them are other people's, and the libraries that read
them raise errors of any kind. So each step of an audit that is made for one table, one scan or one
file is an `attempt`, and its error is the outcome of that one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from prunescope.audit_jobs.errors import InternalError, OutOfMemory
from prunescope.collectors.errors import PrunescopeError

P = ParamSpec("P")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Failed:
    """The reason of a failure: a stable code, and a message for people."""

    code: str
    message: str | None

    @staticmethod
    def of(error: PrunescopeError) -> Failed:
        """The code and the message of an error."""
        return Failed(error.code, str(error))


def attempt(
    doing: str, function: Callable[P, _Result], *args: P.args, **kwargs: P.kwargs
) -> _Result | PrunescopeError:
    """The result of a function, or the error that it raised.

    The error is an OutOfMemory, or an InternalError, whose message names the step (`doing`), for
    all that is not raised on purpose. SystemExit is an error as well (a library that a table names
    can ask for the end), and so are the panics of libraries in Rust, which are no Exceptions; an
    interrupt by the user is none. The message holds only the type of an error: its text could quote
    rows or literals.
    """
    try:
        return function(*args, **kwargs)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except PrunescopeError as error:
        return _alone(error)
    except MemoryError:
        return OutOfMemory(f"no memory was left (MemoryError) while {doing}; give the process more")
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is this one's
        return InternalError(
            f"{type(error).__name__} in prunescope while {doing}; please report this"
        )


def _alone(error: PrunescopeError) -> PrunescopeError:
    """The error without the frames that raised it, which hold on to a table's data."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
