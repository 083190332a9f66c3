# mypy: allow-untyped-defs
"""Runs whenever Python starts where sdp-pointer is installed: keep it small, and import nothing.

`sdp_pointer.pth` imports this module (docs/allennlp.md says why). It adds a finder to Python's that
does nothing until a program imports AllenNLP, whose modules `sdp_pointer.allennlp_compat` then
executes. It stands beside the package, so that Python starts without any `sdp_pointer`.
"""

import sys

NOT_INSTALLED = "AllenNLP is not installed: run pip install --no-deps allennlp==2.10.1"


class AllenNLPFinder:
    """Finds AllenNLP's modules, and no others, and replaces their loader by a `PatchingLoader`.

    It must not import anything: Python holds a lock for all imports while a finder works.
    """

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] != "allennlp":
            return None
        for finder in sys.meta_path:
            if finder is not cls and hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    if hasattr(spec.loader, "exec_module"):
                        spec.loader = PatchingLoader(spec.loader)  # type: ignore[assignment]
                    return spec
        if name == "allennlp" and sys.argv[:1] == ["-m"]:  # python -m allennlp
            raise ModuleNotFoundError(NOT_INSTALLED, name=name)
        return None


class PatchingLoader:
    """The loader of a module, except that `sdp_pointer.allennlp_compat` executes the module."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def exec_module(self, module):
        from sdp_pointer.allennlp_compat import execute

        module.__loader__ = module.__spec__.loader = self.loader  # as without us
        execute(module, self.loader)


sys.meta_path.insert(0, AllenNLPFinder)
