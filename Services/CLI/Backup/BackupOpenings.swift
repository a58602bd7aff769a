import ServiceKit
import System

/// The parts of a backup that open this machine to others, or that name its folders, files, programs and servers. A
/// restore takes them over only if a person agrees, because a backup may be old, from another machine, or made by
/// somebody else.
struct BackupOpenings: Equatable, Sendable {
  struct Setting: Equatable, Sendable {
    var name: String
    var value: String
  }

  /// The settings whose values differ from those of this machine.
  var settings: [Setting] = []
  /// The files of plugins that are not here yet. Their permissions are in the data of the backup.
  var plugins: [String] = []
  /// The ids of plugins that have more permissions in the backup than here, or another maker or address of updates.
  var grants: [String] = []

  static let pluginFolder = "\(BackupManifest.home)/plugins/"

  var isEmpty: Bool { names.isEmpty }

  /// The names for a list.
  var names: [String] { settings.map(\.name) + plugins + widened.map { "permissions of \($0)" } }

  /// The ids in `grants` whose files are not in `plugins`.
  private var widened: [String] { grants.filter { !plugins.contains("\($0).axe") }.map(Printable.line) }

  /// The lines of the question to the person.
  var lines: [String] {
    settings.map { "  \($0.name)=\($0.value)" } + plugins.map { "  plugin \($0), with the permissions that it had" }
      + widened.map { "  plugin \($0), with permissions, a maker or an address of updates that it does not have here" }
  }
}

extension SettingsText {
  /// The settings that neither open anything nor name a folder, a file, a program or a server, beside those of
  /// `signIns`. Folders of music are only read.
  private static let harmless: Set<String> = [
    "LUNARA_ROOM", "LUNARA_MUSIC", "LUNARA_SHARES_EVERY", "LUNARA_TAG_ENCODING", "LUNARA_ARTIST_SEPARATORS",
    "LUNARA_GENRE_SEPARATORS", "LUNARA_WHOLE_NAMES", "LUNARA_LASTFM_KEY", "LUNARA_MUSICBRAINZ_CONTACT",
    "LUNARA_AUDIO_SPEED", "LUNARA_PREFETCH", "LUNARA_CACHE", "LUNARA_NOTIFY", "LUNARA_DESKTOP", "LUNARA_ART_SPACE",
    "LUNARA_JOURNAL_FACTS", "LUNARA_JOURNAL_DAYS", "LUNARA_LOG", "LUNARA_LOG_FORMAT",
  ]

  /// The ends of the names of users and secrets, for which `--with-secrets` already asked.
  private static let signIns = ["_USER", "_PASSWORD", "_TOKEN", "_SECRET"]

  /// Returns the settings that open this machine or name something on it, and whose values differ from those in
  /// `present`.
  func openings(besides present: SettingsText) -> [BackupOpenings.Setting] {
    var found: [BackupOpenings.Setting] = []
    for (name, value) in set {
      guard !Self.isHarmless(name, value), present.set.last(where: { $0.name == name })?.value != value else {
        continue
      }
      found.append(.init(name: name, value: value))
    }
    return found
  }

  private static func isHarmless(_ name: String, _ value: String) -> Bool {
    let value = value.filter { $0 != "\"" && $0 != "'" }
    switch name {
    case "LUNARA_WEB":
      do { return Loopback.isHost(try Settings.address(value, of: name).host) } catch { return false }
    case "LUNARA_AUDIO": return !value.contains("pcm")
    default: return harmless.contains(name) || signIns.contains(where: name.hasSuffix)
    }
  }
}
