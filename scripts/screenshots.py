"""Take pictures of pages at 360 and 1280 wide, light and dark, to look at them.

    python scripts/screenshots.py --base http://127.0.0.1:8000 --out pictures / /help/ /leaderboard/
    python scripts/screenshots.py --base … --out … --sign-in http://127.0.0.1:8000/demo/sign-in/TOKEN/ /governance/

Prints what a person should know of each page: sideways scrolling, messages of the browser, addresses that failed.
"""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
SIZES = {"360": (360, 640), "1280": (1280, 800)}


def name_of(path: str) -> str:
    return path.strip("/").replace("/", "_").replace("?", "_").replace("&", "_").replace("=", "-") or "home"


def take(page: Page, address: str, file: Path) -> list[str]:
    """Open a page, save its picture and return what is wrong with it."""
    wrong: list[str] = []
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: wrong.append(str(e)))
    answer = page.goto(address, wait_until="load")
    if answer is None or answer.status >= 400:
        wrong.append(f"answered {answer.status if answer else 'nothing'}")
    too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if too_wide > 0:
        wrong.append(f"scrolls sideways by {too_wide} px: {wide_parts(page)}")
    page.screenshot(path=file, full_page=True)
    return wrong


def wide_parts(page: Page) -> str:
    """Name the innermost elements that reach over the end of the window."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('main *, header *, footer *')]
            .filter(e => e.checkVisibility())
            .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .slice(-3).map(e => e.tagName.toLowerCase() + '.' + (e.getAttribute('class') || ''))"""
    )
    return ", ".join(found)


def pictures(browser: Browser, arguments: argparse.Namespace) -> int:
    problems = 0
    for theme in arguments.themes.split(","):
        for size in arguments.sizes.split(","):
            width, height = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=theme if theme in ("light", "dark") else "light",
                forced_colors="active" if theme == "forced" else "none",
                locale=arguments.language,
                bypass_csp=False,
            )
            for cookie in arguments.cookie:
                name, _, value = cookie.partition("=")
                context.add_cookies([{"name": name, "value": value, "url": arguments.base}])
            if arguments.sign_in:
                context.new_page().goto(arguments.sign_in)
            for path in arguments.paths:
                page = context.new_page()
                wrong = take(page, arguments.base + path, arguments.out / f"{name_of(path)}-{size}-{theme}.png")
                problems += len(wrong)
                for text in wrong:
                    print(f"{path} {size} {theme}: {text}")
                page.close()
            context.close()
    return problems


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--base", default="http://127.0.0.1:8000")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sign-in", default="", help="an address that signs in, opened first")
    parser.add_argument("--cookie", action="append", default=[], help="name=value, such as a session's")
    parser.add_argument("--sizes", default="360,1280")
    parser.add_argument("--themes", default="light,dark", help="light, dark, forced")
    parser.add_argument("--language", default="en")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-background-networking"]
        )
        problems = pictures(browser, arguments)
        browser.close()
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
