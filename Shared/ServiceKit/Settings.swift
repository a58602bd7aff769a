import Glibc
import Model
import System

/// The settings of a process. Options override the environment, which overrides the configuration file, which overrides
/// credentials and defaults.
///
/// Every setting has one name in two forms: `LUNARA_PLEX_URL` in the environment and in the file, `--plex-url` as an
/// option.
public struct Settings: Sendable {
  var values: [String: String]

  /// The settings with their meanings, in the order in which `--help` shows them.
  public static let known: [(name: String, meaning: String)] = [
    ("LUNARA_HOME", "folder of databases, journals, artwork and credentials (default ~/.local/share/lunara)"),
    ("LUNARA_RUN", "folder of the ipc sockets (default $XDG_RUNTIME_DIR/lunara)"),
    ("LUNARA_CONFIG", "file of the same variables (default ~/.config/lunara/lunara.env)"),
    (
      "LUNARA_LISTEN",
      "where other machines reach this one, tcp://ADDRESS[:PORT] (default none; with seeds or discovery, tcp://*)"
    ),
    ("LUNARA_ADVERTISE", "the address by which they reach it, where that is another (behind NAT, in a container)"),
    ("LUNARA_SEEDS", "addresses or names of the household's other machines, comma-separated; one is enough"),
    ("LUNARA_DISCOVER", "find them, and be found by them, by DNS-SD through Avahi's daemon (default off)"),
    ("LUNARA_KEY_FILE", "file of the household's keys (default household.key beside lunara.env)"),
    ("LUNARA_ROOM", "the room of a playback node (default: the host's name)"),
    ("LUNARA_ROOMS", "further rooms of this machine, each NAME or NAME=OUTPUT, separated by spaces (default none)"),
    ("LUNARA_MUSIC", "folders of music, colon-separated"),
    (
      "LUNARA_SHARES_EVERY",
      "how many seconds lie between two looks for changes in folders of music on other machines (default 300)"
    ),
    (
      "LUNARA_TAG_ENCODING",
      "encoding of tags that claim to be Latin-1, such as cp1251; for some folders cp1251=/FOLDER; several with |"
    ),
    (
      "LUNARA_ARTIST_SEPARATORS",
      "what stands between two artists in one tag, with | between; + stands for the usual ones"
    ),
    ("LUNARA_GENRE_SEPARATORS", "what stands between two genres, moods or styles in one tag, likewise"),
    ("LUNARA_WHOLE_NAMES", "names with separators that are never split, likewise"),
    ("LUNARA_PLEX_URL", "address of a Plex server, where `lunara login plex` is not used"),
    ("LUNARA_PLEX_TOKEN", "its token; better in the configuration file than as an option, which others can see"),
    ("LUNARA_PLEX_CLOUD", "where one signs in at Plex (default https://plex.tv; for tests)"),
    ("LUNARA_SUBSONIC_URL", "address of an OpenSubsonic server"),
    ("LUNARA_SUBSONIC_USER", "the user there; without one the password is an API key"),
    ("LUNARA_SUBSONIC_PASSWORD", "their password; better in the configuration file than as an option"),
    ("LUNARA_LASTFM_URL", "address of a server of Last.fm's protocol (default Last.fm's own)"),
    ("LUNARA_LASTFM_KEY", "the key with which programs scrobble there, from https://www.last.fm/api/account/create"),
    ("LUNARA_LASTFM_SECRET", "the key's secret; better in the configuration file than as an option"),
    ("LUNARA_LISTENBRAINZ_URL", "address of a server of ListenBrainz's interface (default ListenBrainz's own)"),
    ("LUNARA_LISTENBRAINZ_TOKEN", "a user's token there, for who does not `lunara login listenbrainz`"),
    ("LUNARA_MUSICBRAINZ_URL", "address of a server of MusicBrainz's interface (default MusicBrainz's own)"),
    ("LUNARA_MUSICBRAINZ_CONTACT", "an address at which MusicBrainz can reach who uses this program (default none)"),
    (
      "LUNARA_WIKIPEDIA_URL",
      "address of a server of Wikipedia's interface, LANG in it for the language (default Wikipedia's own)"
    ),
    ("LUNARA_WIKIDATA_URL", "address of a server of Wikidata's interface (default Wikidata's own)"),
    ("LUNARA_COVERART_URL", "address of a server of covers of releases (default the Cover Art Archive)"),
    (
      "LUNARA_YT_DLP",
      "path of yt-dlp, with which the resolver plays what plugins find at YouTube and Bandcamp (default none)"
    ),
    ("LUNARA_SPOTIFY_URL", "where the plugin spotify signs in and plays (default Spotify's own; for tests)"),
    ("LUNARA_SOUNDCLOUD_URL", "likewise for the plugin soundcloud (default SoundCloud's own; for tests)"),
    ("LUNARA_AUDIO", "output: auto, null, pcm:FILE or a device of libmpv (default auto)"),
    (
      "LUNARA_AUDIO_SPEED",
      "how many times faster than real time the null output takes sound (1 to 100, or max; default 1; for tests)"
    ),
    ("LUNARA_PREFETCH", "how many items that come next a room fetches from servers in advance (default 5; 0 for none)"),
    ("LUNARA_CACHE", "how many MiB of disk they may use (default 1024; 0 for none, and what is there goes)"),
    (
      "LUNARA_NOTIFY",
      "show a notification of the desktop for each new track: on, or names of rooms, comma-separated (default off)"
    ),
    ("LUNARA_DESKTOP", "the name of this desktop, where several on one machine show what plays (default main)"),
    ("LUNARA_WEB", "address of the page (default 127.0.0.1:8787)"),
    ("LUNARA_WEB_NAMES", "further names by which browsers may reach the page, comma-separated"),
    ("LUNARA_WEB_CERT", "file of the certificate with which the page is encrypted, with its chain (PEM; default none)"),
    ("LUNARA_WEB_KEY", "file of its key"),
    ("LUNARA_WEB_PROXY", "addresses of proxies in front of the page, comma-separated; then a password is needed"),
    (
      "LUNARA_MPD",
      "address for MPD clients, such as 127.0.0.1:6600; rooms have the next ports in the order of `lunara rooms` (default off)"
    ),
    ("LUNARA_MPD_PASSWORD", "the password of MPD clients; needed where other machines reach the address"),
    (
      "LUNARA_MEDIA",
      "address at which lunara-media serves audio and art to other hosts (default: that of LUNARA_LISTEN, port 8788)"
    ),
    ("LUNARA_ART_SPACE", "how many MiB of disk pictures made smaller may use (default 250)"),
    ("LUNARA_JOURNAL_FACTS", "the most facts a journal keeps for services that are away (default 2000000)"),
    ("LUNARA_JOURNAL_DAYS", "how many days a journal keeps them at most (default 180)"),
    ("LUNARA_TAKE_OVER", "take this name over from another machine that has it; the option needs no value"),
    ("LUNARA_UNDER_TEST", "treat what `lunara replay` sends as messages of the household (default off; for tests)"),
    (
      Settings.debuggable,
      "let debuggers, profilers and core files see the memory of services, secrets included (default off)"
    ),
    ("LUNARA_LOG", "debug, info, warning or error (default info)"),
    ("LUNARA_LOG_FORMAT", "text or json (default text)"),
  ]

  /// Reads the settings of a process.
  ///
  /// - Parameters:
  ///   - arguments: `--name value`, `--name=value` and, for a flag, `--name`; without the program's name.
  ///   - environment: the variables of the process.
  ///   - readingFile: false to leave out the settings of the configuration file.
  /// - Throws: `settings.unknownOption`, `settings.badFile`.
  public init(arguments: [String] = [], environment: [String: String], readingFile: Bool = true) throws {
    values = environment.filter { $0.key.hasPrefix("LUNARA_") && !$0.value.isEmpty }
    for name in Self.surroundings { values[name] = environment[name] }
    let options = try Self.options(arguments)
    let file = options["LUNARA_CONFIG"] ?? values["LUNARA_CONFIG"]
    for (name, value) in readingFile ? try fileValues(file) : [] where values[name] == nil { values[name] = value }
    try readCredentials()
    values.merge(options) { $1 }
  }

  /// The value of a setting as it was given; nil if it is not set.
  public subscript(_ name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The name of the setting by which other processes of the same user may read the memory of the services.
  public static let debuggable = "LUNARA_DEBUGGABLE"

  /// The settings whose options need no value, which means on.
  public static let flags: Set<String> = ["LUNARA_DISCOVER", "LUNARA_TAKE_OVER", "LUNARA_UNDER_TEST", debuggable]

  private static func options(_ arguments: [String]) throws -> [String: String] {
    var found: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = variable(ofOption: String(parts[0]))
      guard argument.hasPrefix("--"), known.contains(where: { $0.name == name }) else {
        throw LunaraError("settings.unknownOption", "There is no option \(argument). `--help` lists those there are.")
      }
      let isFlag = flags.contains(name)
      guard let value = parts.count == 2 ? String(parts[1]) : isFlag ? "1" : rest.popFirst() else {
        throw LunaraError("settings.unknownOption", "The option \(argument) needs a value.")
      }
      found[name] = value
    }
    return found
  }

  private static func variable(ofOption option: String) -> String {
    "LUNARA_" + option.drop { $0 == "-" }.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// Returns the option that sets a variable.
  public static func option(for variable: String) -> String {
    "--" + variable.dropFirst(7).lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
  }

  /// Reads `NAME=value` lines; the default file may be missing, one that a person named may not.
  private func fileValues(_ named: String?) throws -> [(String, String)] {
    guard let path = named ?? configurationFolder.map({ $0 + "/lunara.env" }) else { return [] }
    guard let text = try Self.contents(of: path, mayBeMissing: named == nil) else { return [] }
    var found: [(String, String)] = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "="), Self.isName(line[..<equals]) else {
        throw LunaraError(
          "settings.badFile",
          "Line \(number + 1) of \(path) is no setting. Write LUNARA_NAME=value, or # before a comment.")
      }
      var value = line[line.index(after: equals)...]
      while let last = value.last, last == " " || last == "\r" || last == "\t" { value.removeLast() }
      if value.count >= 2, let quote = value.first, quote == "\"" || quote == "'", value.last == quote {
        value = value.dropFirst().dropLast()
      }
      found.append((String(line[..<equals]), String(value)))
    }
    return found
  }

  private static func isName(_ text: Substring) -> Bool {
    text.hasPrefix("LUNARA_")
      && text.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
  }

  static func contents(of path: String, mayBeMissing: Bool) throws -> String? {
    do throws(Errno) {
      return String(decoding: try Files.read(path), as: UTF8.self)
    } catch {
      if mayBeMissing, error == .noSuchFileOrDirectory { return nil }
      throw LunaraError(
        "settings.badFile",
        error == .noSuchFileOrDirectory
          ? "There is no configuration file \(path), which LUNARA_CONFIG names. Create it, or take LUNARA_CONFIG out."
          : "The configuration file \(path) cannot be read. Check its owner and mode.", cause: error)
    }
  }
}

/// Reading what systemd passes to a service: its folders, and secrets as credentials.
extension Settings {
  /// The environment variables that are read beside the settings themselves.
  static let surroundings = [
    "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "STATE_DIRECTORY", "RUNTIME_DIRECTORY",
    "CONFIGURATION_DIRECTORY", "CREDENTIALS_DIRECTORY",
  ]

  /// The settings that a credential can set, which are those whose names have certain ends. The credential is named
  /// like the option: `lunara.plex-token` for `LUNARA_PLEX_TOKEN`.
  static let secrets = known.map(\.name).filter { name in
    !secretFiles.contains(name) && ["_TOKEN", "_PASSWORD", "_KEY", "_SECRET"].contains { name.hasSuffix($0) }
  }

  /// The settings whose value is the path of a file, which may be that of a credential.
  static let secretFiles = ["LUNARA_WEB_CERT", "LUNARA_WEB_KEY"]

  /// The credentials that services accept, each with the setting that it gives: the household's key, and the secret
  /// settings.
  public static var credentials: [(name: String, variable: String)] {
    [(name: "lunara.household-key", variable: "LUNARA_KEY_FILE")]
      + (secrets + secretFiles).map { (name: "lunara.\(credentialName($0))", variable: $0) }
  }

  /// The folder of `lunara.env` and `household.key`; nil if no variable gives it.
  var configurationFolder: String? {
    if let folder = firstFolder("CONFIGURATION_DIRECTORY") { return folder }
    return (values["XDG_CONFIG_HOME"] ?? values["HOME"].map { $0 + "/.config" }).map { $0 + "/lunara" }
  }

  /// Returns the first of the folders that systemd lists in a variable.
  func firstFolder(_ name: String) -> String? { (values[name] ?? "").split(separator: ":").first.map(String.init) }

  /// Returns the path of the credential `lunara.NAME`; nil if systemd passed none.
  func credential(_ name: String) -> String? {
    guard let folder = values["CREDENTIALS_DIRECTORY"] else { return nil }
    let path = "\(folder)/lunara.\(name)"
    return access(path, R_OK) == 0 ? path : nil
  }

  /// Sets the settings that are not set yet from credentials.
  ///
  /// - Throws: `settings.badFile` if a credential cannot be read.
  mutating func readCredentials() throws {
    for name in Self.secretFiles where values[name] == nil { values[name] = credential(Self.credentialName(name)) }
    for name in Self.secrets where values[name] == nil {
      guard let path = credential(Self.credentialName(name)) else { continue }
      // The end of the line belongs to the file and not to the secret.
      let text = try Self.contents(of: path, mayBeMissing: false)?.split(whereSeparator: \.isNewline).first
      values[name] = text.map(String.init)
    }
  }

  private static func credentialName(_ variable: String) -> String { String(option(for: variable).dropFirst(2)) }
}
