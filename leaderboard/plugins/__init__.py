"""What languages bring of their own: analysers and plug-ins, each in a process of its own. Pure of Django.

`protocols` says what a package must offer, `finding` finds it, `opening` opens it for a scoring.
"""
