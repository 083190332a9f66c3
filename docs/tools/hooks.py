"""What MkDocs does beside: links between pages, and pages of the files that stand beside docs."""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def on_files(files, config):
    for name in BESIDE:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        for other in BESIDE:
            text = text.replace(f"]({other})", f"]({other.lower()})")
        files.append(File.generated(config, name.lower(), content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    """`docs/parsing.md` becomes a link to that page, with its title, and `SECURITY.md` too."""
    return re.sub(
        r"(?<!\[)`(?:docs/)?([\w-]+\.md)`", lambda found: _link(found, page, files), markdown
    )


def _link(found, page, files):
    path = found[1].lower() if found[1] in BESIDE else found[1]
    target = files.get_file_from_path(path)
    if target is None:
        return found[0]
    text = re.search("^# (.*)$", target.content_string, re.M)[1]
    up = "../" * page.file.src_uri.count("/")
    return f"[{text}]({up}{path})"
