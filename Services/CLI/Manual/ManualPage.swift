import Model
import ServiceKit

/// The manual pages, and the settings file of a new installation. All are made from the definitions of commands and
/// settings that the programs use.
enum ManualPage {
  static var names: [String] {
    ["lunara.1", "lunara.env.5", "lunara-services.8"] + ServiceProgram.all.map { "\($0.program).8" } + ["lunara.env"]
  }

  static func text(_ name: String, root: Command) -> String? {
    switch name {
    case "lunara.1": program(root)
    case "lunara.env.5": settings
    case "lunara-services.8": services
    case "lunara.env": SettingsFile.text
    default: names.contains(name) ? ".so man8/lunara-services.8\n" : nil
    }
  }

  private static func page(_ name: String, _ section: Int, _ summary: String) -> Roff {
    var page = Roff(name, section: section, version: LunaraVersion.current, manual: "Lunara")
    page.name(name, summary)
    return page
  }

  private static func program(_ root: Command) -> String {
    var page = page("lunara", 1, "plays your own music, in whichever room you are in")
    page.section("SYNOPSIS")
    page.verbatim("lunara COMMAND [options]\nlunara --help | --version")
    page.section(
      "DESCRIPTION",
      """
      Controls a household of Lunara and runs one. Its services are described in lunara-services(8), their settings in
      lunara.env(5). Every command knows --help and prints JSON with --json.
      """)
    page.section("COMMANDS")
    for path in CommandPath.all(below: root) where path.command.action != nil && !path.words.isEmpty {
      let command = path.command
      page.part(Help(path: path.words, command: command).usage)
      page.paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
      if !command.discussion.isEmpty { page.verbatim(command.discussion) }
      if let operand = command.operand { page.item(operand.usage, operand.help) }
      for option in command.options { page.item(option.usage, option.help) }
      for (line, effect) in command.examples { page.item("Example: \(line)", effect) }
    }
    page.section("OPTIONS")
    for option in Option.common + root.options { page.item(option.usage, option.help) }
    page.section(
      "EXIT STATUS",
      items: [
        "0": "The command succeeded.",
        "1": "It was refused or failed; the message says what to do, lunara explain CODE says more.",
        "2": "The command line was wrong.",
        "3": "There was nobody to ask: no household runs, or the service of it that was asked cannot be reached.",
        "130": "It was ended by Ctrl-C.",
      ])
    page.section(
      "FILES",
      items: [
        "~/.config/lunara/lunara.env, /etc/lunara/lunara.env": "settings of a person, and of the system's services",
        "~/.local/share/lunara, /var/lib/lunara": "databases, pictures and credentials",
      ])
    page.section("SEE ALSO", "lunara.env(5), lunara-services(8)")
    return page.text
  }

  private static var settings: String {
    var page = page("lunara.env", 5, "settings of Lunara")
    page.section(
      "DESCRIPTION",
      """
      Lines of NAME=value; # begins a comment. The services of a person read ~/.config/lunara/lunara.env, those of the
      system /etc/lunara/lunara.env. Each setting is an environment variable as well, which goes before the file, and an
      option of each service, which goes before both.
      """)
    page.section("SETTINGS")
    for setting in Settings.known {
      page.item(setting.name, setting.meaning.prefix(1).uppercased() + setting.meaning.dropFirst() + ".")
    }
    page.section(
      "CREDENTIALS",
      """
      Secrets may come as credentials of systemd(1) instead, from /etc/credstore, or encrypted by systemd-creds(1); what
      is set otherwise goes before them:
      """)
    for (name, variable) in Settings.credentials { page.item(name, "For \(variable).") }
    page.section("SEE ALSO", "lunara(1), lunara-services(8), systemd.exec(5)")
    return page.text
  }

  private static var services: String {
    var page = page("lunara-services", 8, "the services of Lunara")
    page.section("SYNOPSIS")
    page.verbatim(
      ServiceProgram.all.map { "\($0.program) [--SETTING VALUE]…" }.joined(separator: "\n") + "\n--help | --version")
    page.section(
      "DESCRIPTION",
      """
      Small programs that meet on a message bus, each of which can be ended and started again at any moment while the
      others go on. lunara up runs them in a terminal, lunara enable for a person, and lunara.target for the system.
      All take each setting of lunara.env(5) as an option.
      """)
    for service in ServiceProgram.all { page.item(service.program, service.summary) }
    page.section(
      "UNITS",
      items: [
        "lunara.target": "All of them on this machine.",
        "lunara-media.path": "Starts lunara-media.service once another machine has asked for music or pictures.",
        "lunara-resolver.path": "Starts lunara-resolver.service once there is a folder of plugins.",
        "lunara-discovery.path": "Starts lunara-discovery.service once somebody has asked for a wall.",
        "lunara-providers.path": "Starts lunara-providers.service once a provider of lists is linked.",
        "lunara-playback@ROOM.service": "One a room. The others are called like their programs.",
      ])
    page.section(
      "SIGNALS",
      items: [
        "SIGTERM, SIGINT": "Store what is to be stored and end, within 2 s.",
        "SIGHUP": "Read the household's key again; the library looks for changes in its sources.",
      ])
    page.section(
      "JOURNAL", "Each entry has fields that journalctl(1) can be asked for:",
      items: [
        "LUNARA_SERVICE, LUNARA_NODE, LUNARA_ROOM": "Who says it, as in journalctl LUNARA_ROOM=kitchen.",
        "LUNARA_CODE": "The code of an error, which lunara explain knows.",
      ])
    page.section("SEE ALSO", "lunara(1), lunara.env(5), systemctl(1), journalctl(1)")
    return page.text
  }
}

struct Roff {
  private(set) var text: String

  /// Creates a page. It has no date, so that the same program always makes the same page.
  init(_ name: String, section: Int, version: String, manual: String) {
    text =
      ".TH \(Self.argument(name.uppercased())) \(section) \"\" \(Self.argument("Lunara \(version)")) \(Self.argument(manual))\n"
  }

  mutating func section(_ title: String, _ words: String? = nil, items: KeyValuePairs<String, String> = [:]) {
    text += ".SH \(Self.argument(title))\n"
    if let words { paragraph(words) }
    for (term, meaning) in items { item(term, meaning) }
  }
  mutating func part(_ title: String) { text += ".SS \(Self.argument(title))\n" }
  mutating func paragraph(_ words: String) { text += ".PP\n\(Self.body(words))\n" }
  mutating func verbatim(_ lines: String) { text += ".PP\n.nf\n\(Self.body(lines))\n.fi\n" }
  mutating func item(_ term: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.inline(term))\\fR\n\(Self.body(meaning))\n"
  }
  /// Adds the NAME section, which `apropos` searches.
  mutating func name(_ name: String, _ summary: String) {
    section("NAME")
    text += "\(Self.inline(name)) \\- \(Self.inline(summary))\n"
  }

  private static func argument(_ words: String) -> String { "\"\(inline(words).replacing("\"", with: "\\(dq"))\"" }

  /// Returns words in which the characters that `man` interprets are escaped.
  private static func inline(_ words: String) -> String {
    words.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("`", with: "\\(ga")
  }

  private static func body(_ words: String) -> String {
    words.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = inline(String(line))
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
    }.joined(separator: "\n")
  }
}

/// The settings file of a new installation: every setting with its meaning, commented out.
enum SettingsFile {
  static var text: String {
    """
    # Settings of Lunara's services on this machine: NAME=value, read when a service starts. See lunara.env(5).
    # After a change: systemctl restart lunara.target


    """
      + Settings.known.filter { !ofUnits.contains($0.name) }.map { "# \($0.meaning)\n#\($0.name)=\n" }
      .joined(separator: "\n")
  }

  /// The settings that the systemd units set, and those for tests: they are left out.
  private static let ofUnits: Set = [
    "LUNARA_HOME", "LUNARA_RUN", "LUNARA_CONFIG", "LUNARA_ROOM", "LUNARA_TAKE_OVER", "LUNARA_UNDER_TEST",
    "LUNARA_AUDIO_SPEED", "LUNARA_PLEX_CLOUD", "LUNARA_SPOTIFY_URL", "LUNARA_SOUNDCLOUD_URL", Settings.debuggable,
  ]
}
