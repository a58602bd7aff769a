#!/usr/bin/env python3
"""Checks the structure of the sources and documents. Prints each fault and ends with status 1 where there is one.

What is checked:
- the layers: the table of docs/architecture.md names the modules that each module may use, and Package.swift keeps to it;
  targets import only what Package.swift lists for them
- services: none uses another, in Package.swift, whose dependencies the build holds against the imports
- C libraries: each is imported in the folders named below only
- files have at most 400 lines, folders at most 25 source files, comments 120 columns
- types: no name twice across modules, at most 25 stored properties
- properties set by position, as in `(self.a, self.b) = (a, b)`
- functions called `take`, `try?` without a reason, documentation that begins with a question word
- public declarations have documentation, but for initializers that only set what is documented at the properties, and
  names that a protocol documents
- units: a service that starts further programs goes on if the kernel ends one of them for its memory
- the page: lines of at most 120 columns, and folders that import only folders above them in the table of docs/page.md
- documents: types, files and tests that they name exist, prose of at most 120 columns, README and architecture of at most 120
  lines, each program in the diagram, 30 words in the glossary; the table of decisions agrees with their pages, and links lead
  somewhere
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

import assignments

ROOT = pathlib.Path(__file__).resolve().parents[2]
faults: list[str] = []

C_LIBRARIES = {
    "CNanomsg": ["Shared/Bus"],
    "CSodium": ["Shared/Bus"],
    "CSQLite": ["Shared/Storage"],
    "CCrypto": ["Shared/System"],
    "CCurl": ["Shared/HTTP"],
    "CMicroHTTPD": ["Shared/HTTP"],
    "CZlib": ["Shared/HTTP", "Services/CLI"],
    "CUtf8proc": ["Shared/Text"],
    "CSystemd": ["Shared/ServiceKit", "Services/NowPlaying"],
    "CMPV": ["Services/Playback"],
    "CPulse": ["Services/Playback"],
    "CTagLib": ["Services/Tags"],
    "CAVFormat": ["Services/Formats"],
    "CExpat": ["Services/Scrobble", "Shared/ListFiles"],
    "CVips": ["Services/Artwork"],
    "CJavaScriptCore": ["Services/Plugin"],
    "CXML2": ["Services/Plugin"],
    "CSeccomp": ["Shared/System"],
}


def listed(*patterns: str) -> list[pathlib.Path]:
    """The files that git tracks or would track, by patterns."""
    words = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted({ROOT / name for name in names if (ROOT / name).exists()})


def fault(title: str, places: list[str]) -> None:
    """Notes a fault with the places where it was found."""
    if places:
        faults.append(title + "\n" + "\n".join(f"  {place}" for place in places))


def name(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT))


sources = {path: path.read_text() for path in listed("Shared/*.swift", "Services/*.swift")}
tests = {path: path.read_text() for path in listed("Tests/*.swift")}


def check_layers() -> None:
    """Compares the targets of Package.swift and their imports with the tables of docs/architecture.md."""
    page = (ROOT / "docs/architecture.md").read_text()
    # A folder of its own, as a build beside this one holds the lock of `.build`.
    described = json.loads(subprocess.run(
        ["swift", "package", "--package-path", str(ROOT), "--scratch-path", str(ROOT / ".build/describe"), "describe",
         "--type", "json"], capture_output=True, text=True, check=True).stdout)
    targets = {target["name"]: target for target in described["targets"]}
    check_shared_modules(page, targets)
    check_library_modules(page, targets)
    check_target_imports(targets)
    check_diagram(page, [one for one, target in targets.items()
                         if target["type"] == "executable" and target["path"].startswith("Services/")])
    # A service may be several targets; all lie in its folder.
    folders = {one: target["path"].split("/")[1] for one, target in targets.items()
               if target["path"].startswith("Services/")}
    fault("No service uses another:",
          [f"{one} uses {other}" for one, folder in sorted(folders.items())
           for other in targets[one].get("target_dependencies", []) if folders.get(other, folder) != folder])


def check_shared_modules(page: str, targets: dict) -> None:
    """Compares the table of layers with the modules of Shared, wherever they lie: their folders, order and uses."""
    rows = [(path, set(re.findall(r"\w+", uses)) - {"nothing"})
            for path, uses in re.findall(r"^\| `(Shared/[\w/]+)` \|[^|]*\|([^|]*)\|$", page, re.M)]
    paths = {target["path"]: one for one, target in targets.items()
             if target["path"].startswith("Shared/") and not target["path"].startswith("Shared/C/")}
    fault("The layers of docs/architecture.md lack modules:", sorted(set(paths) - {path for path, _ in rows}))
    fault("The layers of docs/architecture.md name modules that Package.swift does not have:",
          sorted({path for path, _ in rows} - set(paths)))
    allowed, upwards, unlisted = {}, [], []
    for path, uses in rows:
        upwards += [f"{path} uses {other}" for other in sorted(uses - set(allowed))]
        outer = paths.get(path.rsplit("/", 1)[0])
        if outer:
            upwards += [f"{path} in the folder of {outer} uses {other}"
                        for other in sorted(uses - allowed.get(outer, set()) - {outer})]
        allowed[path.split("/")[-1]] = uses
        used = set(targets[paths[path]].get("target_dependencies", [])) & set(paths.values()) if path in paths else set()
        unlisted += [f"{path} uses {other}" for other in sorted(used - uses)]
    fault("A module uses only modules above it in the layers, and no more than the module in whose folder it lies:", upwards)
    fault("Package.swift has uses that docs/architecture.md does not allow:", unlisted)


def check_target_imports(targets: dict) -> None:
    """Compares the imports of each target with Package.swift: the build takes one through another target for granted."""
    modules = {one.replace("-", "_"): one for one in targets}
    places = set()
    for one, target in targets.items():
        for source in target["sources"]:
            path = ROOT / target["path"] / source
            for module in re.findall(r"^ *(?:@\w+ )?(?:\w+ )?import (?:\w+ )?(\w+)$", path.read_text(), re.M):
                if module in modules and modules[module] not in target.get("target_dependencies", []):
                    places.add(f"{one}: {module} ({name(path)})")
    fault("A target imports what Package.swift does not list for it:", sorted(places))


def check_diagram(page: str, programs: list[str]) -> None:
    """Looks for each program of Package.swift in the diagram of docs/architecture.md."""
    diagram = page.partition("```mermaid")[2].partition("```")[0]
    fault("The diagram of docs/architecture.md lacks programs:",
          [program for program in programs if not re.search(rf"(?<!\w){program.removeprefix('lunara-')}\b", diagram)])


def check_library_modules(page: str, targets: dict) -> None:
    """Compares the second table of docs/architecture.md with the modules of the library: their uses and lines."""
    rows = re.findall(r"^\| `Library/(\w+)` \| ([\d,]+) \|[^|]*\|([^|]*)\|$", page, re.M)
    modules = {folder.name for folder in (ROOT / "Services/Library").iterdir() if folder.is_dir()}
    fault("The table of the library's modules in docs/architecture.md lacks:", sorted(modules - {row[0] for row in rows}))
    parts = [row[0] for row in rows]
    for module, stated, uses in rows:
        if module not in modules:
            fault("docs/architecture.md names a module that the library does not have:", [module])
            continue
        lines = sum(text.count("\n") for path, text in sources.items()
                    if f"Services/Library/{module}/" in f"{path}" and "/Generated/" not in f"{path}")
        if abs(lines - int(stated.replace(",", ""))) > lines / 10:
            fault("docs/architecture.md is out of date with the lines of a module:", [f"{module}: {stated}, now {lines}"])
        if module in targets:
            used = {d for d in targets[module].get("target_dependencies", []) if d in parts}
            fault(f"{module} uses other modules of the library than docs/architecture.md says:",
                  sorted(used ^ (set(re.findall(r"\w+", uses)) & set(parts))))


def check_imports() -> None:
    for library, folders in C_LIBRARIES.items():
        places = [name(path) for path, text in sources.items()
                  if re.search(rf"^ *(public |package |internal )?import {library}$", text, re.M)
                  and not name(path).startswith(tuple(f"{folder}/" for folder in folders))]
        fault(f"{library} may be imported in {' and '.join(folders)} only:", places)


def check_sizes() -> None:
    # The recorded protocols of other servers in tests are data.
    fault("A file over 400 lines is more than one idea:",
          [f"{name(path)}: {text.count(chr(10))}" for path, text in (sources | tests).items() if text.count("\n") > 400]
          + [name(path) for path in listed("Services/*.js", "Tests/Lint/*.mjs", "Tests/Page/*.mjs", "Tests/Web/*.py") if path.read_text().count("\n") > 400])
    # The formatter keeps code at this width and leaves comments as they are.
    fault("Comments break at 120 columns:",
          [f"{name(path)}:{number}" for path, text in (sources | tests).items()
           for number, line in enumerate(text.split("\n"), 1) if len(line) > 120 and line.lstrip().startswith("//")])
    folders = collections.Counter(path.parent for path in sources)
    fault("A folder over 25 files is more than one subject:",
          [f"{name(folder)}: {count}" for folder, count in folders.items() if count > 25])


def stored_properties(text: str, start: int) -> int:
    """Counts the stored properties of the type whose body begins at `start`."""
    pattern = re.compile(
        r"\s*(?:@\w+ )*(?:(?:public|private|fileprivate|package|internal|nonisolated|lazy|weak|unowned)(?:\(\w+\))? )*(?:let|var) \w+")
    depth = count = 0
    for line in text[start:].split("\n"):
        if depth == 0 and pattern.match(line) and " static " not in f" {line}" and not re.search(r"{\s*$|{ .* }\s*$", line):
            count += 1
        depth += line.count("{") - line.count("}")
        if depth < 0:
            break
    return count


def check_types() -> None:
    types: dict[str, list[str]] = collections.defaultdict(list)
    for path, text in sources.items():
        for found in re.finditer(r"^(?:public |package |private )?(?:final )?(?:actor|struct|class|enum|protocol) (\w+)[^{\n]*{", text, re.M):
            if not found[0].startswith("private "):
                types[found[1]].append(name(path))
            if (count := stored_properties(text, found.end())) > 25:
                fault(f"{found[1]} has {count} stored properties; over 25 a type is several:", [name(path)])
    fault("A name that two types have is searched for twice:",
          [f"{kind}: {', '.join(paths)}" for kind, paths in sorted(types.items()) if len(paths) > 1 and kind != "Main"])


def check_words() -> None:
    functions, dropped, questions = [], [], []
    for path, text in sources.items():
        before = ""
        for number, line in enumerate(text.split("\n"), 1):
            place = f"{name(path)}:{number}"
            if re.search(r"\bfunc take[(<]", line):
                functions.append(place)
            if re.search(r"\btry\?", line) and not line.lstrip().startswith("//"):
                dropped.append(place)
            if re.match(r"\s*/// (What|Whether|Where|How|Who|When)\b", line) and not before.lstrip().startswith("///"):
                questions.append(place)
            before = line
    fault("`take` does not say what is done with the argument:", functions)
    fault("`try?` drops an error; catch it, and say why it may be dropped:", dropped)
    fault("Documentation is a sentence with its subject first, no question:", questions)


def check_assignments() -> None:
    """Looks for properties that are set by position, and checks the rule by its examples."""
    fault("Set properties one by one, each on its line:",
          [f"{name(path)}:{line}" for path, text in sources.items() for line in assignments.by_position(text)])
    fault("The rule about properties set by position fails for examples:", assignments.check())


def check_documentation() -> None:
    missing = []
    for path, text in sources.items():
        lines = text.split("\n")
        for number, line in enumerate(lines):
            declared = re.match(
                r"\s*(?:@\w+(?:\([^)]*\))? )*(?:public|open) (?:(?:static|final|mutating|nonisolated|indirect|private\(set\)|unowned|weak|let) )*"
                r"(func|var|let|struct|class|enum|actor|protocol|typealias|init|subscript|case)?\b\W*(\w*)", line)
            if not declared or re.match(r"\s*public (import|extension)\b", line):
                continue
            if declared[1] == "init" and "throws" not in line or declared[2] in ("kind", "description", "json"):
                continue
            above = number - 1
            while above >= 0 and lines[above].lstrip().startswith("@"):
                above -= 1
            if not lines[above].lstrip().startswith("///"):
                missing.append(f"{name(path)}:{number + 1}")
    fault("A public declaration has documentation:", missing)


def check_units() -> None:
    """A room and the library start programs that decode files of strangers, which may need more memory than there is."""
    lacking = [
        name(path) for path in listed("deploy/systemd/*.service")
        if path.name in ("lunara-library.service", "lunara-playback@.service")
        and "OOMPolicy=continue" not in path.read_text().splitlines()
    ]
    fault("These units need OOMPolicy=continue, or a damaged file stops the whole service:", lacking)


def check_page() -> None:
    """Checks the width of the page's files, and that its modules import nothing upwards."""
    page = ROOT / "Services/Web/Public"
    # The shape of an icon is one text, which is no better to read in parts.
    shape = re.compile(r"""\s*'?[\w-]+'?: (\[?'M|path\()""")
    fault("Lines of the page break at 120 columns:",
          [f"{name(path)}:{number}" for path in listed(*(f"Services/Web/Public/*.{kind}" for kind in ("js", "css", "html")),
                                                  "Tests/Lint/*.mjs", "Tests/Lint/*.d.ts", "Tests/Page/*.mjs")
           for number, line in enumerate(path.read_text().split("\n"), 1)
           if len(line) > 120 and not (path.name == "icons.js" and shape.match(line))])
    section = (ROOT / "docs/page.md").read_text().partition("## The modules of the page")[2].partition("\n## ")[0]
    order = {folder: place for place, folder in enumerate(re.findall(r"^\| `(\w+)` \|", section, re.M))}
    unknown, upwards = set(), []
    for path in listed("Services/Web/Public/*.js"):
        folder = str(path.parent.relative_to(page))
        # The modules in the folder itself start the page and may import all.
        if folder == ".":
            continue
        if folder not in order:
            unknown.add(folder)
            continue
        for target in re.findall(r"^(?:import|export)\b[\w\s{},*]*'([^']+)';", path.read_text(), re.M):
            other = str((path.parent / target).resolve().parent.relative_to(page))
            if other != folder and order.get(other, len(order)) >= order[folder]:
                upwards.append(f"{name(path)}: {target}")
    fault("The table of docs/page.md lacks folders of the page:", sorted(unknown))
    fault("A module of the page imports only from folders above its own; what is shown later is loaded with import():", upwards)


def check_documents() -> None:
    wide = []
    for path in listed("docs/*.md", "README.md"):
        code = False
        for number, line in enumerate(path.read_text().split("\n"), 1):
            code ^= line.lstrip().startswith("```")
            if len(line) > 120 and not code and not line.lstrip().startswith("|") and not line.startswith("    "):
                wide.append(f"{name(path)}:{number}")
    fault("Prose breaks at 120 columns:", wide)
    for page in ["README.md", "docs/architecture.md"]:
        lines = (ROOT / page).read_text().rstrip("\n").count("\n") + 1
        fault(f"{page} is a page of at most 120 lines:", [str(lines)] if lines > 120 else [])
    words = sum(line.startswith("| ") for line in (ROOT / "docs/glossary.md").read_text().split("\n")) - 1
    fault("The glossary holds at most 30 words:", [str(words)] if words > 30 else [])


def check_decisions() -> None:
    """Compares the table of docs/adr/README.md with the decisions: each once, its title, and what replaces it."""
    folder = ROOT / "docs/adr"
    pages = {int(page.name[:4]): page for page in folder.glob("[0-9]*.md")}
    texts = {number: page.read_text() for number, page in pages.items()}
    rows = re.findall(r"^\| (\d+) \| \[([^\]]+)\]\(([^)]+)\) \| ([^|]+) \|$", (folder / "README.md").read_text(), re.M)
    fault("The table of docs/adr/README.md lists each decision once, in order:",
          [f"{number:04}" for number in sorted(set(pages) ^ {int(row[0]) for row in rows})]
          or ["not in order, or one is there twice"] * ([int(row[0]) for row in rows] != sorted(pages)))
    wrong, replaced = [], []
    for number, title, link, status in rows:
        page = pages.get(int(number))
        if page is None:
            continue
        form = re.fullmatch(r"holds|holds but for [^:]+(?:: see (?P<parts>\d+(?:, \d+)*))?|replaced by (?P<whole>\d+)", status)
        if not form or link != page.name or not texts[int(number)].startswith(f"# {number}. {title}\n"):
            wrong.append(f"{number}: {title}: {status}")
            continue
        # The page says under its title what the table says, and a later page that replaces it links to it.
        note = re.match(r"# .*\n\n(\*\*(?:Replaced by|Partly replaced by|Holds but for) (?:.+\n)+)", texts[int(number)])
        named = {int(one) for one in re.findall(r"\[(\d+)\]\(\d{4}-", note[1])} if note else set()
        later = {int(one) for one in re.findall(r"\d+", form["parts"] or form["whole"] or "")}
        if named != later or bool(note) == (status == "holds") or bool(form["whole"]) != bool(note and "**Replaced" in note[1]):
            replaced.append(f"{number}: the table says {status!r}, the page {note[1].strip() if note else 'nothing'!r}")
        replaced += [f"{number}: {one} does not link to it" for one in later if f"({page.name})" not in texts.get(one, "")]
    fault("A decision `holds`, `holds but for …: see N`, or is `replaced by N`; its title and file are those of its page:", wrong)
    fault("A decision that is replaced says so under its title, and the later one links to it:", replaced)


def check_links() -> None:
    """Looks for the files and headings to which documents link."""
    pages = {path: path.read_text() for path in listed("*.md")}
    anchors = {path: headings(text) for path, text in pages.items()}
    missing = []
    for path, text in pages.items():
        for target in re.findall(r"\]\((?![a-z]+:)([^()\s]+)\)", re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)):
            file, _, anchor = target.partition("#")
            other = (path.parent / file).resolve() if file else path
            if not other.exists() or anchor and other in anchors and anchor not in anchors[other]:
                missing.append(f"{name(path)}: {target}")
    fault("Documents link to what does not exist:", missing)


def headings(text: str) -> set[str]:
    """The anchors of the headings of a page."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    counts: dict[str, int] = collections.Counter()
    anchors = set()
    for title in titles:
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        anchors.add(f"{slug}-{counts[slug]}" if counts[slug] else slug)
        counts[slug] += 1
    return anchors


def check_names() -> None:
    """Looks for the types and files of the project that documents name."""
    code = "\n".join([*sources.values(), *tests.values()])
    known = set(re.findall(r"\w+", code)) | set(re.findall(r"\w+", "\n".join(
        path.read_text(errors="replace") for path in listed("Tests/*.py", "Services/*.js", "Shared/C/*", "deploy/*") if path.is_file())))
    known |= {path.stem for path in [*sources, *tests]}
    tracked = [name(path) for path in listed("*")]
    missing = []
    for path in listed("docs/*.md", "README.md"):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            for word in re.findall(r"`([^`]+)`", line):
                if re.fullmatch(r"(Shared|Services|Tests|deploy|docs)/[\w+./@-]+", word):
                    if not (ROOT / word).exists() and not (ROOT / f"{word}.swift").exists():
                        missing.append(f"{name(path)}:{number}: {word}")
                elif re.fullmatch(r"[\w./+-]+\.(js|py|sql|swift)", word):
                    if not any(f"/{file}".endswith(f"/{word}") for file in tracked):
                        missing.append(f"{name(path)}:{number}: {word}")
                elif found := re.fullmatch(r"(\w+Tests)/(\w+)", word):
                    if not {found[1], found[2]} <= known:
                        missing.append(f"{name(path)}:{number}: {word}")
                elif re.fullmatch(r"[A-Z][a-z]+(?:[A-Z]+[a-z]+)+(\.\w+)?", word) and word.split(".")[0] not in known:
                    missing.append(f"{name(path)}:{number}: {word}")
    fault("Documents name what does not exist:", missing)


for check in [check_names, check_layers, check_imports, check_sizes, check_types, check_words, check_assignments, check_documentation, check_units, check_page, check_documents, check_decisions, check_links]:
    check()
for one in faults:
    print(f"lint: {one}", file=sys.stderr)
sys.exit(1 if faults else 0)
