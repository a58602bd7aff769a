"""The manual and the completions, held against what the program says of itself with --help."""
import gzip
import re
import shutil

from checking import hold, run


def commands(program, path=()):
    """All commands with what stands below them and their options, as --help lists them."""
    text = run(program, *path, "--help")

    def listed(title):
        part = re.search(rf"^{title}\n((?:  .*\n)+)", text, re.M)
        return [line.split()[0] for line in part[1].splitlines()] if part else []

    below = listed("Commands")
    found = {path: (below, listed("Options"))}
    for name in below:
        found |= commands(program, (*path, name))
    return found


# Asks the completion as bash would, for each line of standard input: what it offers after those words.
ASK = r"""
source "$1"
compopt() { :; }
while IFS= read -r line; do
  read -r -a COMP_WORDS <<<"lunara $line"
  COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _lunara
  printf '%s\t%s\n' "$line" "${COMPREPLY[*]}"
done <"$2"
"""


def completions(whole, program):
    share = whole / "usr/share"
    tree = commands(program)
    # Where there are no files that could be offered.
    empty = whole / "empty"
    empty.mkdir()
    lines = whole / "lines"
    lines.write_text("".join(" ".join(path) + "\n" for path in tree))
    said = run("bash", "-c", ASK, "ask", share / "bash-completion/completions/lunara", lines, cwd=empty)
    offered = dict(line.split("\t") for line in said.splitlines())
    for path, (below, options) in tree.items():
        has = set(offered[" ".join(path)].split())
        hold(set(below + options) <= has, f"bash offers after “{' '.join(path)}” no {set(below + options) - has}")
        hold(
            has == set(below + options),
            f"bash offers after “{' '.join(path)}” {has - set(below + options)}, which --help does not list")
    zsh, fish = (share / "zsh/vendor-completions/_lunara").read_text(), (share / "fish/vendor_completions.d/lunara.fish").read_text()
    for path, (below, options) in tree.items():
        for name in below:
            hold(f"'{name}:" in zsh and f" -a {name} " in fish, f"zsh or fish does not know {name}")
        for option in options:
            hold(f"{option}[" in zsh and f" -l {option[2:]} " in fish, f"zsh or fish does not know {option}")
    shells = [shell for shell in ("zsh", "fish") if shutil.which(shell)]
    for shell in shells:
        run(shell, "-n", share / ("zsh/vendor-completions/_lunara" if shell == "zsh" else "fish/vendor_completions.d/lunara.fish"))
    return f"{len(tree)} commands; read by bash{''.join(' and ' + shell for shell in shells)}"


def manual(whole, program):
    pages = whole / "usr/share/man"

    def page(name):
        text = gzip.open(pages / f"man{name[-1]}" / f"{name}.gz", "rt").read()
        return text.replace("\\-", "-").replace("\\(ga", "`").replace("\\e", "\\").replace("\\(dq", '"')

    tree, text = commands(program), page("lunara.1")
    for path, (below, options) in tree.items():
        if not below or path and f'.SS "lunara {" ".join(path)}' in text:
            hold(f'.SS "lunara {" ".join(path)}' in text, f"lunara(1) does not know lunara {' '.join(path)}")
        for option in options:
            hold(option in text, f"lunara(1) does not know {option}")
    settings = page("lunara.env.5")
    known = re.findall(r"\((LUNARA_[A-Z_]+)\)$", run(whole / "usr/bin/lunara-library", "--help"), re.M)
    hold(len(known) > 20, "lunara-library --help lists no settings")
    for name in known:
        hold(f"\\fB{name}\\fR" in settings, f"lunara.env(5) does not know {name}")
    of_file = (whole / "etc/lunara/lunara.env").read_text()
    hold(not re.findall(r"^[^#\n]", of_file, re.M), "the file of settings that comes along sets something")
    services = page("lunara-services.8")
    for path in sorted((whole / "usr/bin").glob("lunara-*")):
        if path.name == "lunara-artwork":
            continue
        hold(f"\\fB{path.name}\\fR" in services, f"lunara-services(8) does not know {path.name}")
        hold(".so man8/lunara-services.8" in page(f"{path.name}.8"), f"{path.name}(8) is no page")
    if shutil.which("groff"):
        for name in ("lunara.1", "lunara.env.5", "lunara-services.8"):
            said = run("sh", "-c", f"zcat '{pages}/man{name[-1]}/{name}.gz' | groff -man -Kutf8 -Tutf8 -ww -z")
            hold(not said.strip(), f"groff says of {name}:\n{said}")
    return f"{len(tree)} commands, {len(known)} settings"
