import Glibc
import Model

/// What systemd tells a service of its unit: its folders, and secrets as credentials.
extension Settings {
  /// What is read of the environment beside the settings themselves.
  static let surroundings = [
    "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "STATE_DIRECTORY", "RUNTIME_DIRECTORY",
    "CONFIGURATION_DIRECTORY", "CREDENTIALS_DIRECTORY",
  ]

  /// The settings that a credential can give, which is called like the option: `lunara.plex-token` for
  /// `LUNARA_PLEX_TOKEN`.
  static let secrets = [
    "LUNARA_PLEX_TOKEN", "LUNARA_SUBSONIC_PASSWORD", "LUNARA_LASTFM_KEY", "LUNARA_LASTFM_SECRET",
    "LUNARA_LISTENBRAINZ_TOKEN",
  ]

  /// The settings that name a file which a credential can be.
  static let secretFiles = ["LUNARA_WEB_CERT", "LUNARA_WEB_KEY"]

  /// The credentials that services know, by name: the household's key, and secrets that are settings as well.
  public static var credentials: [String] {
    ["lunara.household-key"] + (secrets + secretFiles).map { "lunara.\(credentialName($0))" }
  }

  /// The setting for which a credential stands.
  public static func variable(ofCredential name: String) -> String {
    if name == "lunara.household-key" { return "LUNARA_KEY_FILE" }
    return (secrets + secretFiles).first { "lunara.\(credentialName($0))" == name } ?? ""
  }

  /// The folder in which `lunara.env` and `household.key` lie; nil where nothing tells.
  static func configurationFolder(_ values: [String: String]) -> String? {
    if let folder = firstFolder(values["CONFIGURATION_DIRECTORY"]) { return folder }
    return (values["XDG_CONFIG_HOME"] ?? values["HOME"].map { $0 + "/.config" }).map { $0 + "/lunara" }
  }

  /// The first of the folders that systemd lists in a variable.
  func firstFolder(_ name: String) -> String? { Self.firstFolder(values[name]) }

  private static func firstFolder(_ list: String?) -> String? {
    (list ?? "").split(separator: ":").first.map(String.init)
  }

  /// The file of a credential, called `lunara.NAME` there; nil where systemd passed none.
  func credential(_ name: String) -> String? {
    guard let folder = values["CREDENTIALS_DIRECTORY"] else { return nil }
    let path = "\(folder)/lunara.\(name)"
    return access(path, R_OK) == 0 ? path : nil
  }

  /// Takes from credentials what nobody has set otherwise.
  ///
  /// - Throws: `settings.badFile` for one that cannot be read.
  mutating func readCredentials() throws {
    for name in Self.secretFiles where values[name] == nil { values[name] = credential(Self.credentialName(name)) }
    for name in Self.secrets where values[name] == nil {
      guard let path = credential(Self.credentialName(name)) else { continue }
      // The line's end belongs to the file and not to the secret.
      let text = try Self.contents(of: path, mayBeMissing: false)?.split(whereSeparator: \.isNewline).first
      values[name] = text.map(String.init)
    }
  }

  private static func credentialName(_ variable: String) -> String { String(option(for: variable).dropFirst(2)) }
}
