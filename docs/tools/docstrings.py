"""Docstrings as Markdown, for the reference: examples are code, parameters a list."""

import re

import griffe

EXAMPLE = re.compile(r"^>>> .*\n?(?:^(?!\s*$).*\n?)*", re.M)
PARAMETER = re.compile(r"^(\w[\w, *]*) : (.*)\n((?:    .*\n?|\n(?=    ))*)", re.M)


class Markdown(griffe.Extension):
    """What AllenNLP's style and doctest leave to the reader of plain text."""

    def on_object(self, *, obj, **kwargs):
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)


def markdown(text):
    """The docstring with fences around examples and definitions for parameters.

    >>> print(markdown("Add.\\n\\n# Parameters\\n\\na : `int`\\n    One."))
    Add.
    <BLANKLINE>
    **Parameters**
    <BLANKLINE>
    `a` : `int`
    :   One.
    <BLANKLINE>
    <BLANKLINE>
    """
    before, heading, after = text.partition("# Parameters\n")
    if heading:
        after = PARAMETER.sub(_definition, after)
        text = f"{before}**Parameters**\n{after}"
    text = re.sub("^# (.*)$", r"**\1**", text, flags=re.M)
    return EXAMPLE.sub(lambda found: f"\n```python\n{found[0].rstrip()}\n```\n", text)


def _definition(found):
    name, kind, description = found.groups()
    words = " ".join(description.split())
    return f"`{name}` : {kind}\n:   {words}\n\n" if words else f"`{name}` : {kind}\n\n"
