"""What every page knows: where one can go, who one is, and how pages look on this device."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, get_language_info

import champollion
from champollion.pages import look, navigation


def frame(request: HttpRequest) -> dict[str, object]:
    """Return `frame`, the one variable of `base.html`: no page hides a part of the frame by a name of its own.

    It is not called `site`, because the sign-in pages have a `site` of their own. Counts and roles are asked only if a
    page shows the bar.
    """
    user: Any = getattr(request, "user", None)
    facts: dict[str, object] = {
        "nav": SimpleLazyObject(lambda: navigation.main_navigation(user, request.path)),
        "account": SimpleLazyObject(lambda: navigation.account_links(user)),
        "foot_links": SimpleLazyObject(navigation.foot_links),
        "sign_in_url": "/account/login/" if navigation.exists("/account/login/") else "",
        "sign_out_url": "/account/logout/" if navigation.exists("/account/logout/") else "",
        "theme": look.theme_of(request.COOKIES),
        "text_size": look.text_size_of(request.COOKIES),
        "languages_offered": _languages(),
        "language_now": _language_now(),
        "here": request.get_full_path(),
        "demo": settings.DEMO,
        "version": champollion.__version__,
    }
    return {"frame": facts}


def _languages() -> list[dict[str, object]]:
    now = _language_now()["code"]
    return [{"code": code, "name": _local_name(code), "current": code == now} for code, _name in settings.LANGUAGES]


def _language_now() -> dict[str, str]:
    code = get_language() or settings.LANGUAGE_CODE
    offered = dict(settings.LANGUAGES)
    shown = code if code in offered else code.split("-")[0]
    return {"code": shown, "name": _local_name(shown)}


def _local_name(code: str) -> str:
    name = str(get_language_info(code)["name_local"])
    return name[:1].upper() + name[1:]
