"""The distribution `sdp-pointer`; settings of the tools are in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

HERE = Path(__file__).parent
STARTUP = "sdp_pointer.pth"


class BuildPyWithStartup(build_py):
    """Puts the start-up file beside the package in site-packages: see docs/allennlp.md."""

    def run(self):
        super().run()
        if not self.editable_mode:
            self.copy_file(STARTUP, str(Path(self.build_lib, STARTUP)))


class EditableWheelWithStartup(editable_wheel):
    """The same for `pip install --editable`, which installs no data files."""

    def _run_build_commands(self, dist_name, unpacked_wheel, *args):
        shutil.copy(HERE / STARTUP, unpacked_wheel)
        return super()._run_build_commands(dist_name, unpacked_wheel, *args)


# AllenNLP 2.10.1 is missing here on purpose: its own pins cannot be met on Python 3.11 or later, so
# it is installed beside this list by `pip install --no-deps allennlp==2.10.1`.
REQUIREMENTS = [
    "torch>=2.6",  # the network; since 2.6 torch.load refuses code in weights by default
    "transformers>=5",  # BERT; AllenNLP imports it to start
    "jsonnet>=0.20",  # the language of the configs
    "overrides>=7.7",  # marks methods that implement a base class's
    "numpy>=1.26",  # the bootstrap test; AllenNLP
    "spacy>=3.8",  # splits raw text into words; AllenNLP imports it to start
    "safetensors>=0.5",  # weights that hold tensors and nothing else
    # The rest is what AllenNLP imports when it starts.
    "cached-path>=1.6",
    "huggingface-hub>=1.0",
    "h5py>=3.10",
    "lmdb>=1.4",
    "nltk>=3.9",
    "scikit-learn>=1.4",
    "scipy>=1.11",
    "tensorboardX>=2.6",
    "termcolor>=2.3",
    "tqdm>=4.66",
    "more-itertools>=10",
    "dill>=0.3.7",
    "base58>=2.1.1",
    "pytest>=8",
]

setup(
    name="sdp-pointer",
    version="0.1.0",
    description="Transition-based semantic dependency parsing with pointer networks",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    license_files=["LICENSE"],
    python_requires=">=3.11",
    packages=find_packages(include=["sdp_pointer", "sdp_pointer.*"]),
    install_requires=REQUIREMENTS,
    extras_require={
        "dev": [
            "hypothesis>=6.100",  # property tests
            "ruff>=0.9",  # lint and format
            "mypy>=1.13",  # types
        ]
    },
    entry_points={"console_scripts": ["sdp-pointer=sdp_pointer.__main__:main"]},
    cmdclass={"build_py": BuildPyWithStartup, "editable_wheel": EditableWheelWithStartup},
)
