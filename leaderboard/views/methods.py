"""A method's page (SPEC L-1, L-2; design 4.10)."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard import access
from leaderboard.selectors import methods


@require_safe
def method_detail(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a method: tier and who checked, people first, then runs over time and versions."""
    method = access.method_get(request.user, uid)
    standings = methods.standings_of(method)
    context = {
        "method": method,
        "standings": standings,
        "head": methods.best_known(standings),
        "runs": methods.runs_of(method, request.user),
        "versions": methods.versions_of(method, request.user),
    }
    return render(request, "leaderboard/method_detail.html", context)
