"""Names and imports that a newcomer can rely on: one name for one thing, and no knots."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from pilotfish.browser.perception.isolated_world import ORDER

from .tree import ROOT, Module, texts
from .tree import modules as source_modules

SOURCE = ROOT / "src"
MOST_IN_CYCLES = 5
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs")
METAPHOR = re.compile(
    r"aloud|deeds?|desks?|dossiers?|dug|ears?|farewell|fates?|guests?|heeds?|hush|kin|lent|misshapen|purses?"
    r"|rulings?|shel(?:f|ves)|teller|undertaker|veil(?:ed)?|wardens?|workplaces?"
)
"""Words that once stood for concepts of the glossary: action, approval, MCP client, budget, store, reaper, policy …"""
SAME_THING = {
    "answers": "a person's answers: reading them, and the page that takes them",
    "app": "the app, and the server over it",
    "base": "what the modules of its folder build on",
    "browser": "the browser, and the tools that use it",
    "extract": "taking data, and text, out of pages",
    "files": "files over HTTP, and on the practice site",
    "host_limits": "the value, and how it is computed",
    "journal": "the journal: written by runs, and stored",
    "logins": "remembered logins",
    "machine": "this machine: its commands, and its size",
    "memory": "what is remembered of a person",
    "notices": "notices of standing work",
    "page_tools": "tools of pages: the values, and reading them",
    "practice": "the practice site: over HTTP, and its trials",
    "runs": "runs",
    "safety": "secrets, policy tests and audits",
    "schedules": "schedules",
    "settings": "settings",
    "shortcuts": "shortcuts",
    "tables": "tables of the terminal, and of the database",
    "tasks": "tasks: commands that begin them, and those of the practice site",
    "users": "users",
    "web": "the web without a browser, and the tools that use it",
    "workers": "workers",
}
"""Names that several folders use, each for its side of one thing; those are named by the folder and this."""
VAGUE = re.compile(r"heard|met|sought|told")
"""Words that say of a value only that something happened to it; a name says what the value is."""
PARTICIPLE = re.compile(
    r"(?!(?:feed|need|seed|speed)$)[a-z]+ed|begun|done|drawn|found|given|gone|heard|held|kept|known|left|made|met|said"
    r"|seen|sent|shown|taken|told|written"
)
"""Names of helpers of tests that do not say what is done, or what is returned."""
ADJECTIVE = re.compile(
    r"again|apart|back|big|deep|empty|enough|few|fresh|full|far|large|largest|last|late|later|least|light|long|longest"
    r"|loose|many|mild|more|most|narrow|near|next|odd|opaque|over|own|plain|quiet|several|shallow|short|shortest|silent"
    r"|small|still|strong|sure|together|usual|weak|wide"
)
"""With participles, what says nothing as the whole name of a constant."""
CLEAR_NUMBER = re.compile(
    r"[a-z]\w*|_?[A-Z\d]+_\w+|_?(?:ATTEMPTS|DAY|MEGABYTE|ROUNDS|SIZES|THREADS|TIMEOUT|TRIES|WIDTHS)"
)
"""Names of numbers that need no explanation."""
HELPER = re.compile(r"^(?<!\)\n)(?<!fixture\n)(?:async )?def (\w+)\(", re.M)
"""A function of a test file that is no fixture; those are called what they are."""


@cache
def modules() -> Mapping[str, ast.Module]:
    """Every module of the package by its dotted name."""
    return {module.name: module.tree for module in source_modules()}


def list_imports(tree: ast.Module) -> Iterator[str]:
    """The modules of the package that a module names in its imports, also in those for types only."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (each.name for each in node.names)
            case ast.ImportFrom(module=str(module), level=0):
                for each in node.names:
                    inner = f"{module}.{each.name}"
                    yield inner if inner in modules() else module
            case _:
                pass


def cyclic(graph: Mapping[str, set[str]]) -> set[str]:
    """The modules that import themselves by way of others."""
    reach: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        ahead = [*graph[start]]
        while ahead:
            name = ahead.pop()
            if name not in seen:
                seen.add(name)
                ahead += graph.get(name, set())
        reach[start] = seen
    return {name for name in graph if name in reach[name]}


def test_at_most_five_modules_are_in_import_cycles_types_counted() -> None:
    graph = {name: {each for each in list_imports(tree) if each in modules()} for name, tree in modules().items()}
    knotted = sorted(cyclic(graph))
    assert len(knotted) <= MOST_IN_CYCLES, knotted


def test_a_class_name_is_used_once_in_the_package() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(module)
    assert {name: where for name, where in found.items() if len(where) > 1} == {}


def test_a_module_name_that_comes_again_is_made_plain_by_its_folder() -> None:
    folders: dict[str, list[str]] = defaultdict(list)
    for name in modules():
        folder, _, stem = name.rpartition(".")
        folders[stem].append(folder)
    repeated = {stem: where for stem, where in folders.items() if len(where) > 1 and stem not in SAME_THING}
    assert repeated == {}, "name each after what it holds, or add the name with what all of them are about"


def glossary() -> list[list[str]]:
    """The rows of the glossary: concept, name in code and place are the second to the fourth field."""
    lines = (ROOT / "docs" / "glossary.md").read_text().splitlines()
    return [line.split("|") for line in lines if line.count("|") == 4 and not re.match(r"\|(---| concept \|)", line)]


def test_the_glossary_has_each_concept_once() -> None:
    concepts = [name.strip() for row in glossary() for name in row[1].partition(":")[0].split(",")]
    assert len(concepts) > 80 and [name for name, times in Counter(concepts).items() if times > 1] == []


def test_every_name_in_the_glossary_exists() -> None:
    defined = {
        name
        for tree in modules().values()
        for node in ast.walk(tree)
        for name in (
            [node.name]
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            else [node.id]
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            else []
        )
    }
    names = {name for row in glossary() for name in re.findall(r"`(\w+)`", row[2])}
    places = {place for row in glossary() for place in re.findall(r"`([\w/.]+)`", row[3])}
    assert names and names - defined == set()
    assert {place for place in places if not (SOURCE / "pilotfish" / place).exists()} == set()


def sentences(tree: ast.Module) -> Iterator[str]:
    """The docstrings of a module, and of everything in it."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text
            case _:
                pass


def identifiers(tree: ast.Module) -> Iterator[str]:
    """Every name that a module defines or uses."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case _:
                pass


def find_words(pattern: re.Pattern[str], text: str) -> set[str]:
    """The words of a sentence or of a name, in any case, that fit."""
    return {word for word in set(re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)) if pattern.fullmatch(word.lower())}


@pytest.mark.parametrize("name", ["desk", "_warden", "FAREWELL", "AguiTeller", "VeiledPage"])
def test_a_metaphor_is_recognised_in_any_case(name: str) -> None:
    assert find_words(METAPHOR, name)


def test_no_name_is_a_bare_participle() -> None:
    found = {
        module: sorted(used)
        for module, tree in modules().items()
        if (used := {name for name in identifiers(tree) if find_words(VAGUE, name)})
    }
    assert found == {}


def find_unexplained(module: Module) -> Iterator[str]:
    """The numbers of a module that are named by one word which says nothing, and that no line explains."""
    lines, waiting = module.text.splitlines(), list[str]()
    for node in [*module.tree.body, None]:
        if isinstance(node, ast.Assign) and is_number(node.value):
            comment = "#" in lines[node.lineno - 1] or lines[node.lineno - 2].startswith("#")
            names = re.findall(r"\w+", ast.unparse(node.targets[0]))
            waiting += [] if comment else [name for name in names if not CLEAR_NUMBER.fullmatch(name)]
        elif isinstance(node, ast.Expr):
            waiting = []
        elif not isinstance(node, ast.Assign | ast.AnnAssign):
            yield from waiting
            waiting = []


def is_number(node: ast.expr) -> bool:
    values = node.elts if isinstance(node, ast.Tuple) else [node]
    return all(isinstance(each, ast.Constant) and isinstance(each.value, int | float) for each in values)


def test_a_number_has_a_name_of_two_words_or_a_line_that_explains_it() -> None:
    found = {module.name: names for module in source_modules() if (names := list(find_unexplained(module)))}
    assert found == {}


def test_no_constant_is_a_bare_participle_or_adjective() -> None:
    found = {
        name: bare
        for name, tree in modules().items()
        if (bare := [each for each in list_constants(tree) if is_bare(each.strip("_").lower())])
    }
    assert found == {}, "say in two words what it is: LARGEST_FILE, not LARGEST"


def list_constants(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id.isupper())


def is_bare(word: str) -> bool:
    return bool(PARTICIPLE.fullmatch(word) or ADJECTIVE.fullmatch(word))


def test_no_helper_of_the_tests_is_called_by_a_bare_participle() -> None:
    files = {str(path): HELPER.findall(text) for path, text in texts(".py") if path.parts[0] in ("tests", "bench")}
    found = {path: [name for name in names if PARTICIPLE.fullmatch(name)] for path, names in files.items()}
    assert sum(map(len, files.values())) > 2000 and {path: names for path, names in found.items() if names} == {}


def test_no_document_uses_a_metaphor_of_its_own() -> None:
    words = {str(path): find_words(METAPHOR, text) for path, text in texts(".md") if path.parts[0] in DOCUMENTS}
    assert len(words) > 30 and {path: found for path, found in words.items() if found} == {}


def test_no_name_and_no_docstring_uses_a_metaphor_of_its_own() -> None:
    files = {str(path): text for path, text in texts(".py")}
    # Parsing takes long, and hardly any file has such a word at all.
    trees = {path: ast.parse(text) for path, text in files.items() if find_words(METAPHOR, text)}
    found = {
        path: sorted(used)
        for path, tree in trees.items()
        if (used := {word for text in (*sentences(tree), *identifiers(tree)) for word in find_words(METAPHOR, text)})
    }
    assert len(files) > len(modules()) and found == {}


SCRIPTS = SOURCE / "pilotfish" / "browser" / "js"
DEFINITION = re.compile(r"^(?:async function|function|const|let|class) (\w+)", re.M)


def test_no_page_script_uses_a_metaphor_of_its_own() -> None:
    found = {path.name: sorted(find_words(METAPHOR, path.read_text())) for path in SCRIPTS.rglob("*.js")}
    assert {name: words for name, words in found.items() if words} == {}


def test_a_name_is_defined_once_in_the_page_scripts_that_run_together() -> None:
    defined = [name for script in ORDER for name in DEFINITION.findall((SCRIPTS / f"{script}.js").read_text())]
    assert [name for name, times in Counter(defined).items() if times > 1] == []
    assert [name for name in defined if find_words(VAGUE, name)] == []
