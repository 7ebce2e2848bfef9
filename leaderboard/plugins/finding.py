"""Which plug-in serves a language: a look at the metadata of installed packages; nothing of them is loaded.

Source: SPEC M-1.
"""

from importlib.metadata import EntryPoint, entry_points

from leaderboard.metrics.tools import ToolFacts
from leaderboard.plugins.protocols import Group


def plugin_find(group: Group, language: str) -> ToolFacts | None:
    """Return the plug-in of a group for a language (a BCP 47 tag), or None.

    One for the very tag goes before one for its language subtag alone (`crk-Cans`, then `crk`); of several packages the
    first by name is taken, so that every worker takes the same.
    """
    for tag in dict.fromkeys((language, language.partition("-")[0])):
        found = plugin_named(group, tag)
        if found is not None:
            return found
    return None


def plugin_named(group: Group, name: str) -> ToolFacts | None:
    """Return the plug-in whose entry point has a name, in any case, or None."""
    offered = [one for one in entry_points(group=group.value) if one.name.lower() == name.lower() and one.dist]
    if not offered:
        return None
    chosen = min(offered, key=_package)
    assert chosen.dist is not None  # noqa: S101 - filtered above
    return ToolFacts(kind="plugin", name=f"{_package(chosen)}:{chosen.name}", version=chosen.dist.version)


def _package(entry_point: EntryPoint) -> str:
    return entry_point.dist.name if entry_point.dist is not None else ""
