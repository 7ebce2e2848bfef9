"""Pictures as plain SVG: geometry in pure Python, attributes and classes only, the same bytes for the same values.

Nothing here knows Django, a request, a language or a colour: colour comes from the classes in the style sheets, words
come from the caller. Source: design 5; SPEC Q-4.
"""
