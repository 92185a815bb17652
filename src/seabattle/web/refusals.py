"""Why a request is not answered: a status, a sentence, and the answers that contradict."""

from __future__ import annotations

from typing import Any

from seabattle.enumerate.errors import SeabattleError, TooLargeError


class Refused(SeabattleError):  # noqa: N818  a refusal is no error of the program
    """A request that is not answered.

    Attributes
    ----------
    status
        The HTTP status.
    conflict
        The answers that contradict each other, as ``Conflict.document``; None for other reasons.
    """

    def __init__(
        self, text: str, status: int = 422, conflict: dict[str, Any] | None = None
    ) -> None:
        super().__init__(text)
        self.status = status
        self.conflict = conflict

    def __reduce__(self) -> tuple[Any, ...]:
        return Refused, (self.args[0], self.status, self.conflict)

    def document(self) -> dict[str, Any]:
        """The answer to the request."""
        said: dict[str, Any] = {"error": str(self)}
        if self.conflict is not None:
            said["conflict"] = self.conflict
        return said


def refusal(error: SeabattleError) -> Refused:
    """The refusal that an error of the library stands for."""
    if isinstance(error, Refused):
        return error
    return Refused(_plain(str(error)), 413 if isinstance(error, TooLargeError) else 422)


def _plain(text: str) -> str:
    """A message without advice about options of the command line.

    >>> _plain("a map needs 5 GiB, more than the limit of 2 GiB; raise --memory-limit")
    'a map needs 5 GiB, more than the limit of 2 GiB'
    """
    said, _, advice = text.rpartition("; ")
    return said if said and "--" in advice else text
