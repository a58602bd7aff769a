"""Compares the manual and the completions with the program's --help."""
import gzip
import os
import pty
import re
import select
import shutil
import time

from checking import hold, run


def commands(program, path=()):
    """All commands with their subcommands and options, as --help lists them."""
    text = run(program, *path, "--help")

    def listed(title):
        part = re.search(rf"^{title}\n((?:  .*\n)+)", text, re.M)
        return [line.split()[0] for line in part[1].splitlines()] if part else []

    below = listed("Commands")
    found = {path: (below, listed("Options"))}
    for name in below:
        found |= commands(program, (*path, name))
    return found


# Calls the completion as bash does, for each line of standard input, and prints what it offers.
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


# Makes zsh write its offers to a file, and a line when it has written all.
NOTE = r"""
fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -d {folder}/dump
compadd() {{ local -a offered; builtin compadd -A offered "$@"; print -rl -- $offered >> {said}; builtin compadd "$@" }}
finish() {{ print END >> {said} }}
begin() {{ compprefuncs=(begin); comppostfuncs=(finish) }}
compprefuncs=(begin); LISTMAX=10000
print READY >> {said}
"""


class Zsh:
    """A zsh in a terminal, whose completion works as for a person."""

    def __init__(self, folder):
        self.said = folder / "said"
        self.said.touch()
        (folder / "note").write_text(NOTE.format(folder=folder, said=self.said))
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvpe("zsh", ["zsh", "-f"], os.environ | {"TERM": "dumb"})
        self._type(f"source {folder}/note\n")
        self._wait("READY")

    def offered(self, line):
        """The words that are offered at the end of a line."""
        self._type(line + "\t")
        words = self._wait("END")
        self._type("\x15")
        return {word.strip() for word in words}

    def close(self):
        self._type("\x15exit\n")
        os.close(self.terminal)
        os.waitpid(self.pid, 0)

    def _type(self, text):
        os.write(self.terminal, text.encode())

    def _wait(self, mark):
        end = time.monotonic() + 60
        while mark not in (words := self.said.read_text().splitlines()):
            hold(time.monotonic() < end, "zsh does not complete")
            if select.select([self.terminal], [], [], 0.01)[0]:
                os.read(self.terminal, 65536)
        self.said.write_text("")
        return words


def completions(whole, program):
    share = whole / "usr/share"
    tree = commands(program)
    # A folder without files, which would be offered as well.
    empty = whole / "empty"
    empty.mkdir()
    lines = whole / "lines"
    lines.write_text("".join(" ".join(path) + "\n" for path in tree))
    said = run("bash", "-c", ASK, "ask", share / "bash-completion/completions/lunara", lines, cwd=empty)
    offered = dict(line.split("\t") for line in said.splitlines())
    for path, (below, options) in tree.items():
        has = set(offered[" ".join(path)].split())
        hold(set(below + options) <= has, f"bash offers after “{' '.join(path)}” no {set(below + options) - has}")
        # Other words are values of an operand, such as rooms.
        unknown = {word for word in has - set(below + options) if word.startswith("-")}
        hold(not unknown, f"bash offers after “{' '.join(path)}” {unknown}, which --help does not list")
    zsh, fish = (share / "zsh/vendor-completions/_lunara").read_text(), (share / "fish/vendor_completions.d/lunara.fish").read_text()
    for path, (below, options) in tree.items():
        for name in below:
            hold(f"'{name}:" in zsh and f" -a {name} " in fish, f"zsh or fish does not know {name}")
        for option in options:
            hold(f"{option}[" in zsh and f" -l {option[2:]} " in fish, f"zsh or fish does not know {option}")
    shells = [shell for shell in ("zsh", "fish") if shutil.which(shell)]
    if "zsh" in shells:
        folder = whole / "zsh"
        folder.mkdir()
        shutil.copy(share / "zsh/vendor-completions/_lunara", folder)
        zsh = Zsh(folder)
        for path, (below, options) in tree.items():
            line = " ".join(["lunara", *path, ""])
            if below:
                hold(set(below) <= (has := zsh.offered(line)), f"zsh offers after “{line}” no {set(below) - has}")
            hold(set(options) <= (has := zsh.offered(line + "--")), f"zsh offers after “{line}--” no {set(options) - has}")
        zsh.close()
    if "fish" in shells:
        script = share / "fish/vendor_completions.d/lunara.fish"
        for path, (below, options) in tree.items():
            line = " ".join(["lunara", *path, ""])
            said = run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'; complete -C '{line}--'", cwd=empty)
            has = {row.split("\t")[0] for row in said.splitlines()}
            hold(set(below + options) <= has, f"fish offers after “{line}” no {set(below + options) - has}")
    for shell in shells:
        run(shell, "-n", share / ("zsh/vendor-completions/_lunara" if shell == "zsh" else "fish/vendor_completions.d/lunara.fish"))
    absent = [shell for shell in ("zsh", "fish") if shell not in shells]
    note = f"; NOT read by {' and '.join(absent)}, which `deploy/setup deb` installs" if absent else ""
    return f"{len(tree)} commands; read by bash{''.join(' and ' + shell for shell in shells)}{note}"


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
        if path.name in ("lunara-artwork", "lunara-formats", "lunara-plugin", "lunara-tags"):
            continue
        hold(f"\\fB{path.name}\\fR" in services, f"lunara-services(8) does not know {path.name}")
        hold(".so man8/lunara-services.8" in page(f"{path.name}.8"), f"{path.name}(8) is no page")
    hold(shutil.which("groff"), "groff is missing. `deploy/setup test` installs it.")
    for name in ("lunara.1", "lunara.env.5", "lunara-services.8"):
        said = run("sh", "-c", f"zcat '{pages}/man{name[-1]}/{name}.gz' | groff -man -Kutf8 -Tutf8 -ww -z")
        hold(not said.strip(), f"groff says of {name}:\n{said}")
    return f"{len(tree)} commands, {len(known)} settings"
