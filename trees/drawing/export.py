"""Trees for other programs: a networkx graph and back, and DOT source for Graphviz.

Both hold the whole tree, or its first ``depth`` shots; the nodes keep their numbers in the tree.
networkx and graphviz are imported only here, when an export is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seabattle.enumerate.answers import answer_symbol, answer_text
from seabattle.enumerate.errors import TreeError
from seabattle.enumerate.words import plain
from seabattle.trees.drawing.selection import (
    NodeKind,
    SelectedNode,
    cost_text,
    node_words,
    rules_text,
    select_nodes,
    ships_text,
    shots_text,
)
from seabattle.trees.files import FIELDS, FORMAT, VERSION, read_document, tree_claims
from seabattle.trees.tree import Tree

if TYPE_CHECKING:
    import networkx as nx


def _node_attributes(tree: Tree, item: SelectedNode) -> dict[str, Any]:
    node = item.node
    return {
        "kind": "leaf" if node.is_leaf else "inner",
        "shot": "" if node.is_leaf else tree.rules.board.name(node.shot),
        "shots": shots_text(tree, item.shots),
        "depth": item.depth,
        "layouts": item.layouts,
        "misses": item.misses,
        "worst": item.worst,
        "ships": ships_text(node, " | "),
        "cut": item.kind is NodeKind.STUB,
    }


def to_networkx(tree: Tree, *, depth: int | None = None) -> nx.DiGraph[int]:
    """The tree as a directed graph, its edges from each shot to what follows each answer.

    The graph is an arborescence whose root is node 0. Every attribute is a text, a whole number
    or a truth value, so that any format of networkx can write it.

    Parameters
    ----------
    tree
        The tree.
    depth
        Shots to follow from the root; by default all.

    Returns
    -------
    networkx.DiGraph
        Nodes are the tree's node numbers, with the attributes

        ``kind``
            ``inner`` (a shot) or ``leaf`` (one occupancy left);
        ``shot``
            name of the cell to shoot, empty at a leaf;
        ``shots``
            shots made so far and their answers, as in ``C3 miss, A1 hit``, those before the tree
            begins included;
        ``depth``
            shots from the root to here;
        ``layouts``
            number of layouts still possible here;
        ``misses``
            misses on the way here since the tree began;
        ``worst``
            the most misses still to come;
        ``ships``
            ships of a leaf, as in ``A1:A3 C1``, its layouts separated by ``|``; empty at an
            inner node;
        ``cut``
            whether this is an inner node whose answers ``depth`` left out.

        Edges have the attributes

        ``answer``
            the answer as text: ``miss``, ``hit``, ``sunk``, ``sunk:3`` or ``hit:3#1``;
        ``symbol``
            its sign in pictures: ``.``, ``x``, ``X``, ``X3`` or ``x3#1``.

        The graph has the attributes ``board``, ``fleet``, ``contact``, ``answers``, ``announce``,
        ``reading``, ``objective``, ``status``, ``total_misses`` and ``worst_misses``, ``position``
        (shots before the tree begins), ``weights`` (of the layouts in the order of the leaves;
        empty when all are alike), and ``blocked`` where no ship can lie on some cells.

    Raises
    ------
    DrawingError
        If ``depth`` is negative.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> graph = to_networkx(greedy_tree(Rules("3x3", "3,1,1"), "hits"))
    >>> graph.nodes[0]["layouts"], sorted(graph[0][v]["symbol"] for v in graph[0])
    (4, ['.', 'x'])
    """
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph(
        **tree_claims(tree),
        position=shots_text(tree, tree.position.shots),
        weights=" ".join(map(str, tree.weights.tolist())),
    )
    selected = select_nodes(tree, depth=depth)
    for item in selected:
        graph.add_node(item.node.index, **_node_attributes(tree, item))
        if item.parent >= 0:
            graph.add_edge(
                selected[item.parent].node.index,
                item.node.index,
                answer=answer_text(item.code),
                symbol=answer_symbol(item.code),
            )
    return graph


def from_networkx(graph: nx.DiGraph[Any]) -> Tree:
    """The tree of a graph with the attributes that ``to_networkx`` gives.

    Of the nodes ``kind``, ``shot`` and ``ships`` are read, of the edges ``answer``. Nodes are
    whole numbers, as such or as text; the least is the root. What the graph claims is not checked:
    ``verify`` does that. Shots before the tree are taken to be in order.

    Raises
    ------
    TreeError, or another SeabattleError
        If an attribute is missing or wrong, or a subtree was left out.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> from seabattle.trees.verify import verify
    >>> verify(from_networkx(to_networkx(greedy_tree(Rules("3x3", "3,1,1"))))).total_misses
    6
    """
    nodes: list[dict[str, Any]] = []
    try:
        numbers = {name: number for number, name in enumerate(sorted(graph, key=int))}
        for name in numbers:
            node = graph.nodes[name]
            if node["kind"] == "leaf":
                nodes.append({"layouts": [ships.split() for ships in node["ships"].split("|")]})
            else:
                below = {edge["answer"]: numbers[kid] for kid, edge in graph.adj[name].items()}
                nodes.append({"shot": node["shot"], "next": below})
        game = {name: graph.graph[name] for name in FIELDS if name in graph.graph}
        shots, weights = game.pop("position"), game.pop("weights")
        document = {"format": FORMAT, "version": VERSION, **game, "nodes": nodes}
        document["position"] = [shot.split() for shot in shots.split(",") if shot]
        if weights:
            document["weights"] = [int(weight) for weight in weights.split()]
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise TreeError(f"the graph is not a whole tree: {error}") from None
    return read_document(document)


def to_dot(tree: Tree, *, depth: int | None = None, title: str | None = None) -> str:
    """The tree as DOT source, in words: shots as boxes, leaves as rounded boxes.

    Parameters
    ----------
    tree
        The tree.
    depth
        Shots to write from the root; subtrees after that many become dashed boxes with their
        numbers. By default all.
    title
        Label of the graph; by default the rules and the cost.

    Returns
    -------
    str
        A ``digraph`` that Graphviz reads. Node names are the tree's node numbers.

    Raises
    ------
    DrawingError
        If ``depth`` is negative.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> print(to_dot(greedy_tree(Rules("3x3", "3,1,1"), "hits")).splitlines()[0])
    digraph seabattle {
    """
    import graphviz

    if title is None:
        title = f"{rules_text(tree)}\n{cost_text(tree)}"
    label = "\n".join(plain(line) for line in title.split("\n"))
    graph = graphviz.Digraph(
        "seabattle",
        graph_attr={
            "label": _escaped(label),
            "labelloc": "t",
            "fontname": "Helvetica",
            "ordering": "out",
        },
        node_attr={"shape": "box", "fontname": "Helvetica"},
        edge_attr={"fontname": "Helvetica"},
    )
    styles = {NodeKind.INNER: "solid", NodeKind.LEAF: "rounded", NodeKind.STUB: "dashed"}
    selected = select_nodes(tree, depth=depth)
    for item in selected:
        name, label = str(item.node.index), _escaped("\n".join(node_words(tree, item, "\n")))
        graph.node(name, label=label, style=styles[item.kind])
        if item.parent >= 0:
            above = str(selected[item.parent].node.index)
            graph.edge(above, name, label=_escaped(answer_symbol(item.code)))
    return str(graph.source)


def _escaped(text: str) -> str:
    """Escape a text so that Graphviz shows it verbatim, with its lines centred."""
    import graphviz

    # Labels interpret backslash sequences and entities; nohtml marks a label between < and >, which
    # Graphviz would read as HTML.
    escaped = text.replace("\\", "\\\\").replace("&", "&amp;").replace("\n", "\\n")
    marked: str = graphviz.nohtml(escaped)
    return marked
