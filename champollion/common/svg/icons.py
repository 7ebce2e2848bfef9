"""Line icons on a 20 grid; each stands beside a word, never alone."""

from champollion.common.svg.element import Element, element, glyph

PATHS = {
    "back": "M12.5 4 6.5 10 12.5 16",
    "forward": "M7.5 4 13.5 10 7.5 16",
    "down": "M4.5 7.5 10 13 15.5 7.5",
    "check": "M4 10.5 8.2 14.7 16 6.2",
    "cross": "M5 5 15 15M15 5 5 15",
    "plus": "M10 4V16M4 10H16",
    "minus": "M4 10H16",
    "undo": "M4 8.5H12A4 4 0 0 1 12 16.5H9M7.5 4.5 3.5 8.5 7.5 12.5",
    "more": "M10 3.6A.8 .8 0 1 1 9.99 3.6zM10 9.2A.8 .8 0 1 1 9.99 9.2zM10 14.8A.8 .8 0 1 1 9.99 14.8z",
    "sort": "M6.5 8 10 4.5 13.5 8M6.5 12 10 15.5 13.5 12",
    "warning": "M10 3 18 17H2zM10 8V12M10 14.5V14.6",
    "info": "M10 9V14.5M10 6V6.1M10 1.8A8.2 8.2 0 1 1 9.99 1.8z",
    "phone": "M6 2H14A1 1 0 0 1 15 3V17A1 1 0 0 1 14 18H6A1 1 0 0 1 5 17V3A1 1 0 0 1 6 2zM9 15H11",
    "download": "M10 3V12.5M6 9 10 13 14 9M3.5 17H16.5",
    "upload": "M10 13V3.5M6 7 10 3 14 7M3.5 17H16.5",
    "print": "M5.5 8V2.5H14.5V8M5.5 14H3V8H17V14H14.5M5.5 11.5H14.5V17.5H5.5z",
    "copy": "M7 7H16.5V16.5H7zM4 13H3.5V3.5H13V4",
    "clock": "M10 5.5V10.3L13.2 12.2M10 1.8A8.2 8.2 0 1 1 9.99 1.8z",
    "search": "M8.5 3A5.5 5.5 0 1 1 8.49 3zM12.7 12.7 17 17",
    "tilde": "M3.5 11.5C6 7.5 8.5 8.5 10 10C11.5 11.5 14 12.5 16.5 8.5",
    "below": "M4 4.5H16M10 8A4 4 0 1 1 9.99 8z",
}
#: Icons that point along the line of reading: mirrored from right to left.
DIRECTED = frozenset({"back", "forward", "undo"})


def icon(name: str, *, size: float = 20) -> Element:
    """Draw an icon by name.

    Raises:
        ValueError: for a name that is not there.
    """
    if name not in PATHS:
        raise ValueError(f"no such icon: {name}")
    class_ = "ch-icon ch-directed" if name in DIRECTED else "ch-icon"
    drawn = glyph(element("path", class_="ch-i-line", d=PATHS[name]), width=20, height=20, class_=class_)
    return drawn.with_attributes(width=size, height=size)
