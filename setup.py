"""The distribution `sdp-pointer`; settings of the tools are in pyproject.toml."""

import re
import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

HERE = Path(__file__).parent
STARTUP = ("sdp_pointer.pth", "_sdp_pointer_startup.py")
VERSION = re.findall(r'__version__ = "(.*)"', (HERE / "sdp_pointer" / "__init__.py").read_text())[0]


class BuildPyWithStartup(build_py):
    """Puts the start-up files beside the package in site-packages: see docs/allennlp.md."""

    def run(self):
        super().run()
        if not self.editable_mode:
            for name in STARTUP:
                self.copy_file(name, str(Path(self.build_lib, name)))

    def get_source_files(self):
        return [*super().get_source_files(), *STARTUP]


class EditableWheelWithStartup(editable_wheel):
    """The same for `pip install --editable`, which installs no data files."""

    def _run_build_commands(self, dist_name, unpacked_wheel, *args):
        for name in STARTUP:
            shutil.copy(HERE / name, unpacked_wheel)
        return super()._run_build_commands(dist_name, unpacked_wheel, *args)


# AllenNLP 2.10.1 is missing here on purpose: its own pins cannot be met on Python 3.11 or later, so
# `pip install --no-deps allennlp==2.10.1` installs it beside this list (docs/allennlp.md).
REQUIREMENTS = [
    "torch>=2.6",  # the network; since 2.6 torch.load refuses code in weights by default
    "transformers>=5",  # transformers of all kinds, and the training of BERT
    "tokenizers>=0.20",  # the pieces of BERT, without importing transformers
    "jsonnet>=0.20",  # the language of the configs
    "safetensors>=0.4",  # weights that cannot hold code; transformers needs it, too
    "overrides>=7.7",  # marks methods that implement a base class's
    "numpy>=1.26",  # the bootstrap test; AllenNLP
    "spacy>=3.8",  # splits raw text into words; AllenNLP imports it to start
    # What AllenNLP imports beside, most of it when it starts.
    "base58>=2.1.1",  # names of cached files
    "cached-path>=1.6",  # files by path or address
    "dill>=0.3.7",  # hashes of objects
    "h5py>=3.10",  # embeddings in HDF5
    "huggingface-hub>=1.0",  # models from a hub
    "lmdb>=1.4",  # the cache of word vectors; AllenNLP's cached tensors
    "more-itertools>=10",  # schedulers of several tasks
    "nltk>=3.9",  # trees of the evalb metric
    "scikit-learn>=1.4",  # the AUC metric
    "scipy>=1.11",  # the Spearman metric
    "tensorboardX>=2.6",  # the tensorboard callback
    "termcolor>=2.3",  # allennlp diff
    "tqdm>=4.66",  # progress bars
]

SERVE = [
    "fastapi>=0.115",  # the page and the JSON interface of `sdp-pointer serve`
    "pydantic>=2.8",  # checks options of requests, and describes requests and answers
    "uvicorn>=0.32",  # the HTTP server under it
    "httptools>=0.6",  # reads HTTP for uvicorn, part by part, so that each part can be limited
]

REDWOODS = [
    "pydelphin>=1.11",  # reads the analyses of treebanks
    "simplemma>=1.1",  # lemmas that know nothing of the treebank
]

DOCS = [
    "mkdocs-material>=9.6",  # the site: its theme and its search
    "mkdocstrings[python]>=1.0",  # the reference, from docstrings
    "nbclient>=0.10",  # executes the notebook
    "ipykernel>=6.29",  # the Python of the notebook
]

PANDAS = ["pandas>=2.2"]  # tables of graphs: `Graph.to_pandas`
NETWORKX = ["networkx>=3.2"]  # its algorithms on graphs: `Graph.to_networkx`

setup(
    name="sdp-pointer",
    version=VERSION,
    description="Transition-based semantic dependency parsing with pointer networks",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    license_files=["LICENSE"],
    python_requires=">=3.11",
    classifiers=[f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)],
    packages=find_packages(include=["sdp_pointer", "sdp_pointer.*"]),
    install_requires=REQUIREMENTS,
    package_data={
        "sdp_pointer": ["py.typed", "english_dm/*", "english_dm/*/*"],
        "sdp_pointer.configs": ["jsonnet/*"],
        "sdp_pointer.redwoods": ["beyond_dm.cfg"],
        "sdp_pointer.server": ["static/*"],
    },
    extras_require={
        "serve": SERVE,
        "redwoods": REDWOODS,
        "pandas": PANDAS,
        "networkx": NETWORKX,
        "docs": DOCS,
        "dev": [
            *SERVE,
            *REDWOODS,
            *PANDAS,
            *NETWORKX,
            *DOCS,
            "build>=1.2",  # `make dist`: the wheel and the source distribution
            "twine>=6",  # checks them
            "uv>=0.9",  # tests of the installation
            "httpx>=0.27",  # asks the server
            "selenium>=4.30",  # drives Debian's chromium, for tests of the page
            "hypothesis>=6.100",  # property tests
            "pytest>=8",  # tests
            "filelock>=3.12",  # lets tests of several processes share a trained model
            "pytest-xdist>=3.6",  # tests on several cores
            "pytest-randomly>=3.16",  # tests in another order each time, by a seed that is printed
            "ruff>=0.9",  # lint and format
            "mypy>=1.13",  # types
            "import-linter>=2.6",  # layers
            "setuptools>=70.1",  # tests of the installation, and `make dist`
            # `make fuzz`: libFuzzer for Python; it is built for this platform alone.
            "atheris>=3; sys_platform == 'linux' and platform_machine == 'x86_64'",
        ],
    },
    entry_points={
        "console_scripts": ["sdp-pointer=sdp_pointer.__main__:main"],
        "spacy_factories": ["sdp_pointer=sdp_pointer.spacy_component:make_component"],
    },
    cmdclass={"build_py": BuildPyWithStartup, "editable_wheel": EditableWheelWithStartup},
)
