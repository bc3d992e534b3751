"""Settings of Sphinx, which makes the documentation site (`make docs`)."""

from sphinx.application import Sphinx

from walletmodal.core.version import VERSION

project = "WalletModal"
version = release = VERSION

# The source folder is the repository's root: the pages are read where they stand, so that a link between two of them is the same there and
# on the site, and pictures of the gallery are shown without a copy.
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "bench/*.md", "examples/**.md", "loader/*.md", "sandbox/*.md"]
exclude_patterns = ["**/.*", "**/node_modules", "build", "data", "dist"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
myst_heading_anchors = 4
# Docstrings quote code as Markdown does.
default_role = "code"
autodoc_default_options = {"member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"WalletModal {VERSION}"
html_show_copyright = False
html_copy_source = False
templates_path = ["site"]
html_additional_pages = {"index": "home.html"}
html_static_path = ["site/static"]
html_css_files = ["site.css"]


def mark_code(_app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Marks the indented blocks of a docstring as code, which reStructuredText knows by a mark alone."""
    for place in range(len(lines) - 1, 0, -1):
        before = next((line for line in reversed(lines[:place]) if line), "")
        if lines[place].startswith("    ") and not lines[place - 1] and not before.startswith((" ", ":", "..")):
            lines[place:place] = ["::", ""]


def setup(app: Sphinx) -> None:
    """Lets docstrings be read before they are shown."""
    app.connect("autodoc-process-docstring", mark_code)
