"""Components of the user's own: packages that are imported before a config names what they have."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from ..errors import UserError
from ..installation import require_allennlp

if TYPE_CHECKING:
    from ..parser import Parser


def load_parser(arguments: argparse.Namespace, **options: Any) -> "Parser":
    """The model that the options of `add_model` name.

    What is imported and loaded stays until the end, so the garbage collector is kept from it: that
    would take a tenth of the time to start, and more while parsing.
    """
    gc.disable()
    try:
        import_packages(arguments.packages, arguments.model)
        from ..parser import load

        parser = load(
            arguments.model,
            device=arguments.device,
            pipeline=arguments.pipeline,
            precision=arguments.precision,
            **options,
        )
        gc.freeze()
    finally:
        gc.enable()
    if arguments.verbose:
        print(parser, file=sys.stderr)
    return parser


def import_packages(named: Sequence[str], model: Optional[str]) -> None:
    """Import the named packages, and those that `allennlp` imports by itself.

    Those are named by plugins files and by the environment variable SDP_INCLUDE_PACKAGE. The folder
    of a model may be a stranger's, so no plugins file in it is read.
    """
    require_allennlp()
    from allennlp.common.plugins import LOCAL_PLUGINS_FILENAME, discover_plugins
    from allennlp.common.util import import_module_and_submodules

    if model and os.path.exists(LOCAL_PLUGINS_FILENAME) and os.path.realpath(model) == os.getcwd():
        raise UserError(
            f"the model's own folder has a file {LOCAL_PLUGINS_FILENAME}, whose packages may be a"
            " stranger's: run the command in another folder, or remove the file"
        )
    for package in dict.fromkeys([*discover_plugins(), *named]):
        try:
            import_module_and_submodules(package)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{package}.".startswith(f"{error.name}."):
                raise
            raise UserError(
                f"there is no package {package!r}: looked for in {os.getcwd()} and where Python"
                " looks (PYTHONPATH)"
            ) from None
