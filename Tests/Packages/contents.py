"""Checks the contents of the packages, also against the program's own words."""
import os
import re
from pathlib import Path

import words
from checking import Failure, hold, run

UNITS = ["lunara-library", "lunara-media", "lunara-playback@", "lunara-router", "lunara-scrobble", "lunara-web", "lunara-resolver",
         "lunara-discovery", "lunara-providers", "lunara-mpd"]
ROOM = {
    "usr/bin/lunara", "usr/bin/lunara-playback", "usr/bin/lunara-nowplaying", "usr/lib/lunara/libswiftCore.so",
    "usr/lib/systemd/system/lunara-playback@.service", "usr/lib/systemd/system/lunara.target",
    "usr/lib/systemd/user/lunara-playback@.service", "usr/lib/systemd/user/lunara-nowplaying.service",
    "usr/lib/systemd/user/lunara.target", "usr/lib/sysusers.d/lunara.conf", "usr/lib/tmpfiles.d/lunara.conf",
    "usr/share/man/man1/lunara.1.gz", "usr/share/man/man5/lunara.env.5.gz", "usr/share/man/man8/lunara-services.8.gz",
    "usr/share/man/man8/lunara-playback.8.gz", "usr/share/bash-completion/completions/lunara",
    "usr/share/zsh/vendor-completions/_lunara", "usr/share/fish/vendor_completions.d/lunara.fish",
    "etc/lunara/lunara.env", "usr/share/doc/lunara-room/copyright", "usr/share/doc/lunara-room/changelog.gz"}
REST = {
    "usr/bin/lunara-library", "usr/bin/lunara-media", "usr/bin/lunara-tags", "usr/bin/lunara-formats", "usr/bin/lunara-artwork",
    "usr/bin/lunara-router", "usr/bin/lunara-scrobble", "usr/bin/lunara-web", "usr/bin/lunara-resolver", "usr/bin/lunara-discovery",
    "usr/bin/lunara-providers", "usr/bin/lunara-mpd", "usr/lib/systemd/system/lunara-mpd.service",
    "usr/lib/systemd/user/lunara-mpd.service", "usr/share/man/man8/lunara-mpd.8.gz", "usr/lib/systemd/system/lunara-providers.path",
    "usr/lib/systemd/user/lunara-providers.path",
    "usr/lib/systemd/system/lunara-media.path", "usr/lib/systemd/user/lunara-media.path", "usr/share/man/man8/lunara-media.8.gz",
    "usr/lib/systemd/system/lunara-discovery.path", "usr/lib/systemd/user/lunara-discovery.path",
    "usr/bin/lunara-plugin", "usr/lib/systemd/system/lunara-resolver.path", "usr/lib/systemd/user/lunara-resolver.path",
    "usr/lib/systemd/system/lunara-library.service", "usr/lib/systemd/system/lunara-router.service",
    "usr/lib/systemd/system/lunara-scrobble.service", "usr/lib/systemd/system/lunara-web.service",
    "usr/lib/systemd/user/lunara-library.service", "usr/share/man/man8/lunara-library.8.gz",
    "usr/share/doc/lunara/copyright", "usr/share/doc/lunara/changelog.gz", "usr/share/lunara/web/index.html",
    "usr/share/doc/lunara/examples/plugins/ask.axe", "usr/share/doc/lunara/examples/plugins/concerts.axe",
    "usr/share/lunara/web/app.js", "usr/share/lunara/web/api/openapi.json", "usr/share/applications/lunara.desktop",
    "usr/share/icons/hicolor/scalable/apps/lunara.svg"}
EXPOSURE = 30
# The system calls by which the programs that a service starts confine themselves. No group of systemd 252 has them.
LANDLOCK = {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"}
CONFINING = {
    "lunara-library": {"seccomp"}, "lunara-playback@": {"seccomp", *LANDLOCK}, "lunara-resolver": {"seccomp", *LANDLOCK}}


def checks(packages, folder):
    """Unpacks two packages and returns the checks of their contents."""
    rest, room = sorted(packages, key=lambda path: "lunara-room" in path)
    trees = {"lunara": folder / "lunara", "lunara-room": folder / "lunara-room"}
    whole = folder / "whole"

    def unpack():
        for package, tree in ((rest, trees["lunara"]), (room, trees["lunara-room"])):
            run("dpkg-deb", "--raw-extract", package, tree)
            run("dpkg-deb", "--extract", package, whole)
        return "side by side, and as one system"

    program = whole / "usr/bin/lunara"
    return [
        ("They unpack", unpack),
        ("Each file is in one package, and none is missing", lambda: files(trees)),
        ("What a package says of itself is whole", lambda: control(rest, room, trees)),
        ("Programs find their libraries, and depend on their packages", lambda: libraries(whole, rest, room)),
        ("All programs are of one version, that of CHANGELOG.md", lambda: versions(whole)),
        ("Units pass systemd-analyze verify", lambda: units(whole, folder)),
        (f"Each unit of the system is exposed by {EXPOSURE / 10} at most", lambda: exposure(whole, folder)),
        ("Completions offer what --help lists", lambda: words.completions(whole, program)),
        ("The manual tells of all that --help does", lambda: words.manual(whole, program)),
    ]


def paths(tree):
    return {
        str(path.relative_to(tree)) for path in tree.rglob("*")
        if (path.is_file() or path.is_symlink()) and "DEBIAN" not in path.relative_to(tree).parts}


def files(trees):
    room, rest = paths(trees["lunara-room"]), paths(trees["lunara"])
    hold(not room & rest, f"both packages have {sorted(room & rest)}")
    hold(ROOM <= room, f"lunara-room lacks {sorted(ROOM - room)}")
    hold(REST <= rest, f"lunara lacks {sorted(REST - rest)}")
    return f"{len(room)} and {len(rest)} files"


def control(rest, room, trees):
    architecture = run("dpkg", "--print-architecture").strip()
    for package, path in (("lunara", rest), ("lunara-room", room)):
        def field(name):
            return run("dpkg-deb", "--field", path, name).strip()
        for name in ("Version", "Maintainer", "Description", "Depends", "Installed-Size"):
            hold(field(name) and "@LIB" not in field(name), f"{package} has no {name}")
        hold(field("Architecture") == architecture, f"{package} is for {field('Architecture')}")
        for script in ("postinst", "prerm", "postrm"):
            hold(os.access(trees[package] / "DEBIAN" / script, os.X_OK), f"{package} has no {script}")
    version = run("dpkg-deb", "--field", rest, "Version").strip()
    hold(f"lunara-room (= {version})" in run("dpkg-deb", "--field", rest, "Depends"), "lunara does not need its lunara-room")
    conffiles = (trees["lunara-room"] / "DEBIAN/conffiles").read_text().split()
    hold(conffiles == ["/etc/lunara/lunara.env"], f"conffiles are {conffiles}")
    return f"version {version}, {architecture}"


def libraries(whole, rest, room):
    """Checks that every library a program is linked with comes from a package that its package depends on."""
    needed = set()
    for path in list((whole / "usr/bin").iterdir()) + list((whole / "usr/lib/lunara").iterdir()):
        dynamic = run("readelf", "-d", path)
        runpath = re.search(r"R(?:UN)?PATH.*\[(.*)\]", dynamic)
        if path.parent.name == "bin":
            hold(runpath and runpath[1] == "$ORIGIN/../lib/lunara", f"{path.name} looks for libraries in {runpath and runpath[1]}")
        found = run("ldd", path)
        hold("not found" not in found, f"{path.name} lacks a library:\n{found}")
        wanted = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        for name, where in re.findall(r"^\s*(\S+) => (\S+)", found, re.M):
            if name not in wanted:
                continue
            if "swift" in name or "dispatch" in name or "Foundation" in name or "BlocksRuntime" in name:
                hold(str(whole) in os.path.realpath(where), f"{path.name} takes {name} from {where}")
            else:
                needed.add(os.path.realpath(where))
    # Few households need the engine of plugins, so its package is recommended only.
    recommends = run("dpkg-deb", "--field", rest, "Recommends")
    hold("libjavascriptcoregtk" in recommends, "lunara does not recommend the engine of plugins")
    depends = "\n".join(run("dpkg-deb", "--field", path, "Depends") for path in (rest, room)) + recommends
    hold("libjavascriptcoregtk" not in depends.removesuffix(recommends), "lunara depends on the engine of plugins")
    named = set(re.findall(r"[a-z0-9][a-z0-9+.-]+", depends))
    owners = set(re.findall(r"^([^:,]+)", run("dpkg", "-S", *sorted({f"*/{Path(path).name}" for path in needed})), re.M))
    # A package that is depended on may bring the library through another package.
    brought = set(re.findall(r"[a-z0-9][a-z0-9+.-]+", run("dpkg-query", "-W", "-f", "${Depends} ", *(named & installed()))))
    hold(owners <= named | brought, f"the packages do not name {sorted(owners - named - brought)}")
    for name in ("libmpv", "libpulse"):
        hold(any(word.startswith(name) for word in named), f"the packages do not name {name}, which is loaded by name")
    return f"{len(owners)} packages of libraries"


def installed():
    return set(run("dpkg-query", "-W", "-f", "${Package}\n").split())


def versions(whole):
    said = {path.name: run(path, "--version").split() for path in sorted((whole / "usr/bin").iterdir())}
    for name, line in said.items():
        hold(len(line) == 2 and line[0] == name, f"{name} --version says {' '.join(line)}")
    numbers = {line[1] for line in said.values()}
    hold(len(numbers) == 1, f"versions differ: {said}")
    newest = re.search(r"^## (\d\S*)", Path("CHANGELOG.md").read_text(), re.M)[1]
    hold(numbers == {newest}, f"programs are of {numbers}, CHANGELOG.md is at {newest}")
    return f"{len(said)} programs at {newest}"


def placed(whole, folder, kind):
    """The units of a kind, with the paths of an installation replaced by those of the unpacked programs."""
    target = folder / f"units-{kind}"
    target.mkdir(exist_ok=True)
    for unit in (whole / "usr/lib/systemd" / kind).iterdir():
        text = unit.read_text()
        hold("@" not in re.sub(r"@(system-service|privileged|resources)|lunara-playback@", "", text), f"{unit.name} holds a mark")
        (target / unit.name).write_text(text.replace("/usr/bin/", f"{whole}/usr/bin/"))
    return target


def units(whole, folder):
    count = 0
    for kind, options in (("system", []), ("user", ["--user"])):
        target = placed(whole, folder, kind)
        names = sorted(target.iterdir())
        # The manual is not installed here.
        said = run(
            "systemd-analyze", *options, "--man=no", "--recursive-errors=no", "verify", *names,
            env={**os.environ, "XDG_RUNTIME_DIR": str(folder), "SYSTEMD_LOG_LEVEL": "warning"})
        hold(not said.strip(), f"systemd-analyze verify says:\n{said}")
        count += len(names)
        for name, calls in CONFINING.items():
            lines = re.findall(r"^SystemCallFilter=(?!~)(.*)$", (target / f"{name}.service").read_text(), re.M)
            lacking = calls - set(" ".join(lines).split())
            hold(not lacking, f"the {kind} unit {name} does not allow {sorted(lacking)}, so its programs are not confined")
    return f"{count} units"


def exposure(whole, folder):
    target = placed(whole, folder, "system")
    levels = []
    for name in UNITS:
        said = run(
            "systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", "--no-pager",
            target / f"{name}.service", check=False)
        level = re.search(r"Overall exposure level for .*?: ([0-9.]+)", said)
        if not level:
            raise Failure(f"systemd-analyze security says of {name}:\n{said}")
        hold(float(level[1]) * 10 <= EXPOSURE, f"{name} is exposed by {level[1]}")
        levels.append(f"{name} {level[1]}")
    return ", ".join(levels)
