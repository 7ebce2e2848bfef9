"""Home, help, the style page, and the switches of how pages look."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from champollion.common.needs import needs_of
from champollion.pages import flow, guides, look, navigation, samples

#: Rows of "where I am needed" on the home page; the rest is a line.
MOST_NEEDS = 5


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the flow with its counts and the languages; to whoever is signed in, first where they are needed."""
    needs = needs_of(request.user)
    context = {
        "steps": flow.steps(),
        "languages": flow.languages(),
        "needs": needs[:MOST_NEEDS],
        "more_needs": max(0, len(needs) - MOST_NEEDS),
        "guides": guides.GUIDES,
        "board_url": "/leaderboard/" if navigation.exists("/leaderboard/") else "",
    }
    return render(request, "pages/home.html", context)


@require_GET
def help_index(request: HttpRequest) -> HttpResponse:
    """List the guides."""
    return render(request, "pages/help_index.html", {"guides": guides.GUIDES})


@require_GET
def help_guide(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the guide of a role."""
    guide = next((one for one in guides.GUIDES if one.slug == slug), None)
    if guide is None:
        raise Http404("no such guide")
    return render(request, f"pages/guide_{slug}.html", {"guide": guide, "guides": guides.GUIDES})


@require_GET
def style(request: HttpRequest) -> HttpResponse:
    """Show every token, sign, component and script, in both themes."""
    return render(request, "pages/style.html", samples.everything())


@require_POST
def look_change(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme or text size on this device and go back to the page."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure()):
        target = "/"
    response = HttpResponseRedirect(target)
    chosen = (
        (look.THEME_COOKIE, request.POST.get("theme", ""), look.THEMES),
        (look.TEXT_SIZE_COOKIE, request.POST.get("text_size", ""), look.TEXT_SIZES),
    )
    for cookie, value, allowed in chosen:
        if value in allowed:
            response.set_cookie(
                cookie, value, max_age=look.COOKIE_SECONDS, samesite="Lax", secure=request.is_secure(), httponly=True
            )
    return response
