"""Cursor pagination: stable while rows arrive (SPEC I-4)."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class CreatedCursorPagination(CursorPagination):
    """Newest first."""

    ordering: str | tuple[str, ...] = ("-created_at", "-pk")
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return a page; a cursor that no page of ours gave is an address that does not exist."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError, OverflowError, DataError) as error:
            raise NotFound(_("This cursor leads nowhere. Start with the first page.")) from error


class PositionCursorPagination(CreatedCursorPagination):
    """In the order of the file."""

    ordering = "position"


class SequenceCursorPagination(CreatedCursorPagination):
    """The latest record first."""

    ordering = "-sequence"


class BoardCursorPagination(CreatedCursorPagination):
    """The best first; rows without a rank last."""

    ordering = ("board_place", "pk")


class KeyCursorPagination(CreatedCursorPagination):
    """In the order in which rows were made."""

    ordering = "pk"
