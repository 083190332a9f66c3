"""Gold treebanks of the English Resource Grammar to DM: open training data.

    ERG ── treebank ─► profiles ─► notations ─► EDS ─┐
                                      └──────► words ┴─► bilexical, by rules ─► Graph
    Graphs of all profiles ─► assembly, by splits ─► edition: files and manifest

It needs the extra `redwoods`, pydelphin and simplemma.
"""
