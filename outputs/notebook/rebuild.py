"""Run the example notebook and keep its outputs: ``python outputs/notebook/rebuild.py``.

Needs nbclient and ipykernel (``pip install seabattle[test]``). Times and machine names are left
out, so that the same version writes the same file.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parent / "seabattle.ipynb"


def run(path: Path = NOTEBOOK) -> nbformat.NotebookNode:
    """The notebook with the outputs of a fresh kernel; a cell that fails raises."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, record_timing=False)
    client.execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            plain = output["data"]["text/plain"]
            output["data"]["text/plain"] = re.sub(r"(search_seconds=)[^,]+", r"\g<1>...", plain)
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        }
    )
    return notebook


if __name__ == "__main__":
    executed = run()
    nbformat.validate(executed)
    nbformat.write(executed, NOTEBOOK)
    print(f"{NOTEBOOK.name} written, {NOTEBOOK.stat().st_size / 1000:.0f} kB")
