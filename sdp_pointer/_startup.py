"""Runs whenever Python starts in an environment where sdp-pointer is installed: keep it tiny.

A `.pth` file imports this module (see docs/allennlp.md for why). It only makes sure that AllenNLP,
should anybody ever import it, is mended on the way in.
"""

import sys


class AllenNLPFinder:
    """Hands imports of AllenNLP's modules, and nothing else, to `allennlp_compat`."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: ignore[no-untyped-def]
        if not name.startswith("allennlp") or name.partition(".")[0] != "allennlp":
            return None
        from . import allennlp_compat

        return allennlp_compat.find_spec(name, path)


if AllenNLPFinder not in sys.meta_path:
    sys.meta_path.insert(0, AllenNLPFinder)
