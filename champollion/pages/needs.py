"""Where I am needed, as the home page asks it; apps register in `champollion.common.needs`."""

from champollion.common.needs import Need, needs_of, register, register_count

__all__ = ["Need", "needs_of", "register", "register_count"]
