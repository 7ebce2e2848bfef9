"""A small tree of SVG elements and its serialisation, with no style attribute and no script anywhere."""

from dataclasses import dataclass, field
from html import escape

Attribute = str | int | float


@dataclass(frozen=True)
class Element:
    """One SVG element; `children` are elements or plain text, `attributes` keep the order they were given in."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple["Element | str", ...] = field(default=())

    def with_attributes(self, **attributes: Attribute | None) -> "Element":
        """Return a copy with more attributes; one that is there already is replaced, None is left out."""
        merged = {**dict(self.attributes), **_attributes(attributes)}
        return Element(self.name, tuple(merged.items()), self.children)


def element(name: str, *children: Element | str, **attributes: Attribute | None) -> Element:
    """Build an element. `class_` stands for `class`, an inner underscore for a hyphen; None leaves an attribute out.

    Raises:
        ValueError: for `style` and event handlers, which the content security policy would refuse.
    """
    return Element(name, tuple(_attributes(attributes).items()), children)


def number(value: float) -> str:
    """Write a number for an attribute: a dot, at most two decimals, no trailing zeros, never `-0`."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def percent(share: float) -> str:
    """Write a share (0 to 1, held to that range) as a percentage for an attribute: 0.825 is `82.5%`."""
    return f"{number(100 * min(1.0, max(0.0, share)))}%"


def render(node: Element | str) -> str:
    """Serialise an element and all below it, escaped."""
    if isinstance(node, str):
        return escape(node)
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes)
    if not node.children:
        return f"<{node.name}{attributes}/>"
    inner = "".join(render(child) for child in node.children)
    return f"<{node.name}{attributes}>{inner}</{node.name}>"


def glyph(*children: Element, width: float, height: float, class_: str) -> Element:
    """Build a sign that a word stands beside: hidden from screen readers, never focusable."""
    return element(
        "svg",
        *children,
        class_=class_,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        aria_hidden="true",
        focusable="false",
    )


def picture(*children: Element, title: str, description: str = "", **attributes: Attribute | None) -> Element:
    """Build a picture that speaks for itself: `role="img"`, named by its title, described by its description."""
    words = [element("title", title)]
    if description:
        words.append(element("desc", description))
    return element("svg", *words, *children, role="img", focusable="false", **attributes)


def _attributes(attributes: dict[str, Attribute | None]) -> dict[str, str]:
    written: dict[str, str] = {}
    for key, value in attributes.items():
        if value is None:
            continue
        name = key.rstrip("_").replace("_", "-")
        if name == "style" or name.startswith("on"):
            raise ValueError(f"{name} is not allowed in a picture")
        written[name] = value if isinstance(value, str) else number(value)
    return written
