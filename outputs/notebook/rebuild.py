"""Run the example notebook and keep its outputs: ``python outputs/notebook/rebuild.py``.

Needs nbclient and ipykernel (``pip install 'seabattle[notebook]'``). No output holds a time or the
name of a machine, so the same version writes the same file.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parent / "seabattle.ipynb"


def run(path: Path = NOTEBOOK) -> nbformat.NotebookNode:
    """The notebook with the outputs of a fresh kernel; a cell that fails raises."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, record_timing=False)
    client.execute()
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
