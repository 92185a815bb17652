"""The mutants of a file, as cosmic-ray proposes them, and the sample that is drawn of them."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MUTATED = [
    "enumerate/game", "enumerate/layouts", "enumerate/counting", "enumerate/priors",
    "solver/search", "solver/search/kernels", "trees/verify.py", "trees/verify.py",
]  # fmt: skip
SEED = 20261122
KERNEL_PLACES, OTHER_PLACES = 190, 130
LEAST = 1
"""Places drawn in each file, at least."""
ALIKE = {"Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq"}


@dataclass
class Mutant:
    """One change, and what came of it."""

    file: str
    function: str
    kernel: bool
    line: int
    operator: str
    old: str
    new: str
    before: str = ""
    seconds: float = 0.0
    after: str = ""
    by: str = ""
    verdict: str = ""
    source: str = ""


def mutated_files(root: Path) -> list[Path]:
    """The files of the list, folders resolved."""
    paths = [root / name for name in MUTATED]
    return [p for path in paths for p in (sorted(path.glob("*.py")) if path.is_dir() else [path])]


def _span(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    found: Any = node
    return (found.lineno, found.col_offset), (found.end_lineno, found.end_col_offset)


class Places(ast.NodeVisitor):
    """Functions of a file, its kernels, and what is never evaluated or only a message."""

    def __init__(self, text: str) -> None:
        self.functions: list[tuple[Any, str, bool]] = []
        self.silent: list[Any] = []
        self.path: list[str] = []
        self.visit(ast.parse(text))

    def _definition(self, node: Any) -> None:
        self.path.append(node.name)
        names = [ast.unparse(d).partition("(")[0] for d in node.decorator_list]
        kernel = any(name.endswith("kernel") for name in names)
        if isinstance(node, ast.FunctionDef):
            self.functions.append((_span(node), ".".join(self.path), kernel))
            hints = [a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)]
            self.silent += [_span(hint) for hint in (*hints, node.returns) if hint]
        if kernel:
            self.silent += [((d.lineno, 0), (d.end_lineno, 999)) for d in node.decorator_list]
        self.generic_visit(node)
        self.path.pop()

    visit_FunctionDef = visit_ClassDef = _definition  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """An annotation is not evaluated."""
        self.silent.append(_span(node.annotation))
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """What an f-string says is a message."""
        self.silent.append(_span(node))

    def function_at(self, place: tuple[int, int]) -> tuple[str, bool]:
        """Name of the innermost function around a place, and whether one around it is a kernel."""
        around = [(n, k) for (a, b), n, k in self.functions if a <= place < b]
        return (around[-1][0] if around else "", any(k for _, k in around))


def candidates(root: Path, path: Path) -> Iterator[tuple[tuple[int, int], Mutant]]:
    """Every change to a file, with its place; the mutated text is worked out when it is drawn."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    text = path.read_text(encoding="utf-8")
    places, nodes = Places(text), list(ast_nodes(get_ast(text)))
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments() or name.rpartition("Operator_")[2] in ALIKE:
            continue
        spots = (start for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, start in enumerate(spots):
            if any(a <= start < b for a, b in places.silent):
                continue
            function, kernel = places.function_at(start)
            file, number = str(path.relative_to(root)), f"{name.partition('/')[2]}#{occurrence}"
            yield start, Mutant(file, function, kernel, start[0], number, "", "")


def mutate(root: Path, mutant: Mutant) -> bool:
    """Fill in the changed text; False if it does not compile or is the same program."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    name, _, occurrence = mutant.operator.partition("#")
    text = (root / mutant.file).read_text(encoding="utf-8")
    new = mutate_code(text.encode(), get_operator(f"core/{name}")(), int(occurrence))
    try:
        if new is None or ast.dump(ast.parse(new)) == ast.dump(ast.parse(text)):
            return False
        compile(new, mutant.file, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    a, b = text.splitlines(), new.splitlines()
    head = next(i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    tail = next(i for i, (x, y) in enumerate(zip(a[::-1], b[::-1], strict=False)) if x != y)
    mutant.old = "\n".join(a[head : len(a) - tail]).strip()
    mutant.new = "\n".join(b[head : len(b) - tail]).strip()
    mutant.line, mutant.source = head + 1, new
    return True


def draw(root: Path) -> list[Mutant]:
    """The sample: kernels, then the rest."""
    rng, groups = random.Random(SEED), (defaultdict(dict), defaultdict(dict))
    for path in mutated_files(root):
        for start, mutant in candidates(root, path):
            group: Any = groups[not mutant.kernel]
            group[mutant.file].setdefault(start, []).append(mutant)
    chosen = []
    for group, wanted in zip(groups, (KERNEL_PLACES, OTHER_PLACES), strict=True):
        orders = {f: rng.sample(sorted(places), len(places)) for f, places in group.items()}
        total = sum(map(len, orders.values()))
        spare = wanted - LEAST * len(orders)
        for file, order in orders.items():
            share = LEAST + round(spare * len(order) / total)
            tries = (rng.choice(group[file][place]) for place in order)
            valid = (mutant for mutant in tries if mutate(root, mutant))
            chosen += [mutant for mutant, _ in zip(valid, range(share), strict=False)]
    return chosen
