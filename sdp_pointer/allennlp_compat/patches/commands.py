"""What the user types and reads: configs, components, errors, predictions."""

import sys
from typing import Any, Optional

from ...errors import UserError
from ..mechanism import after, is_installed


@after("common.params")
def environment_as_json(module: Any) -> None:
    """Jsonnet cannot ask whether a variable is set: give it all of them as one JSON object."""
    import json

    variables = module._environment_variables

    def with_all() -> dict[str, str]:
        return {**variables(), "SDP_ENVIRONMENT": json.dumps(variables())}

    module._environment_variables = with_all


@after("common.params")
def required_jsonnet(module: Any) -> None:
    """Without jsonnet, AllenNLP takes configs for JSON and fails at the first comment."""
    if is_installed("_jsonnet"):
        return

    def evaluate_file(filename: str, **kwargs: Any) -> str:
        import json

        with open(filename, encoding="utf-8") as file:
            text = file.read()
        try:
            json.loads(text)
        except ValueError as error:
            raise UserError(
                f"jsonnet is needed to read {filename}: run pip install jsonnet"
            ) from error
        return text

    module.evaluate_file = evaluate_file


@after("common.params")
def importable_configs(module: Any) -> None:
    """A config outside of the repository cannot import sdp.libsonnet, which comes with us."""
    from functools import partial

    from ...configs import FOLDER

    if is_installed("_jsonnet"):
        module.evaluate_file = partial(module.evaluate_file, jpathdir=[str(FOLDER)])


@after("common.params")
def warnings_of_configs(module: Any) -> None:
    """Jsonnet cannot warn: what a config has under `warning` is printed when it is read."""
    import os

    from_file = module.Params.from_file.__func__

    def from_file_with_warning(cls: Any, params_file: Any, *args: Any, **kwargs: Any) -> Any:
        params = from_file(cls, params_file, *args, **kwargs)
        warning = params.params.pop("warning", None)
        if warning is not None:
            print(f"{os.fspath(params_file)}: warning: {warning}", file=sys.stderr)
        return params

    module.Params.from_file = classmethod(from_file_with_warning)


@after("common.plugins")
def own_components(module: Any) -> None:
    """Our registered components are found from any directory, without `--include-package`."""
    module.DEFAULT_PLUGINS += ("sdp_pointer.components",)


@after("common.plugins")
def packages_of_the_environment(module: Any) -> None:
    """A plugins file holds for a folder or a user: SDP_INCLUDE_PACKAGE names packages for a run."""
    import os
    from collections.abc import Iterator

    discover_plugins = module.discover_plugins

    def discover_all() -> Iterator[str]:
        yield from discover_plugins()
        yield from filter(None, os.environ.get("SDP_INCLUDE_PACKAGE", "").split(","))

    module.discover_plugins = discover_all


@after("commands")
def one_line_errors(module: Any) -> None:
    """What the user can mend is printed without a traceback, unless ALLENNLP_DEBUG is set."""
    import os
    from functools import wraps

    from allennlp.common.checks import ConfigurationError

    main = module.main

    @wraps(main)
    def main_with_one_line_errors(prog: Optional[str] = None) -> None:
        try:
            main(prog)
        except Exception as error:
            expected = isinstance(error, (UserError, ConfigurationError, OSError))
            # Jsonnet's, and that of use_amp.
            known = ("RUNTIME ERROR", "STATIC ERROR", "Using AMP requires a cuda device")
            message = str(error).strip()
            if not (expected or message.startswith(known)):
                message = message_of_child_process(error)
            if not message or os.environ.get("ALLENNLP_DEBUG"):
                raise
            print(f"{prog or 'allennlp'}: error: {message}", file=sys.stderr)
            sys.exit(2)

    module.main = main_with_one_line_errors


def message_of_child_process(error: Exception) -> str:
    """What the user can mend, if a process that reads data or trains has failed because of it.

    All that comes from there is the text of its traceback.
    """
    if type(error).__name__ not in ("WorkerError", "ProcessRaisedException"):
        return ""
    last = str(error).strip().splitlines()[-1]
    kind, _, message = last.strip().partition(": ")
    return message if kind.endswith((".UserError", ".ConfigurationError")) else ""


@after("commands.evaluate")
def evaluations(module: Any) -> None:
    """Scores may be written over their data; and a model's config says how data are loaded."""
    add_subparser, evaluate_from_args = module.Evaluate.add_subparser, module.evaluate_from_args

    def evaluate(arguments: Any) -> Any:
        from ...archives.strangers import registered_names
        from ...graphs.formats.targets import check_target

        sources = [*arguments.input_file.split(","), arguments.archive_file]
        for targets in (arguments.output_file, arguments.predictions_output_file):
            for target in targets.split(",") if targets else ():
                check_target(target, *sources)
        with registered_names():
            return evaluate_from_args(arguments)

    def add_with_check(self: Any, parser: Any) -> Any:
        subparser = add_subparser(self, parser)
        subparser.set_defaults(func=evaluate)
        return subparser

    module.Evaluate.add_subparser = add_with_check


@after("commands.predict")
def outputs_of_predict(module: Any) -> None:
    """A bad line ends the run and loses what was parsed; batches do not look at lengths.

    And without `--batch-size` they have one sentence each, which ours need not. An output file that
    cannot be written, or is the input, is found out after the model is loaded, or not at all.
    """
    original, add_subparser = module._PredictManager, module.Predict.add_subparser
    original_predict = module._predict

    def predict(arguments: Any) -> None:
        from ...graphs.formats.targets import check_target

        if arguments.output_file is not None:
            check_target(arguments.output_file, arguments.input_file, arguments.archive_file)
        original_predict(arguments)

    def manager(
        predictor: Any, source: Any, target: Any, batch_size: Optional[int], *rest: Any
    ) -> Any:
        from ...predictors import Manager, SdpPointerPredictor

        if isinstance(predictor, SdpPointerPredictor):
            return Manager(predictor, source, target, batch_size, *rest)
        return original(predictor, source, target, 1 if batch_size is None else batch_size, *rest)

    def add_with_our_default(self: Any, parser: Any) -> Any:
        subparser = add_subparser(self, parser)
        subparser.set_defaults(batch_size=None, func=predict)
        return subparser

    module._PredictManager = manager
    module.Predict.add_subparser = add_with_our_default
