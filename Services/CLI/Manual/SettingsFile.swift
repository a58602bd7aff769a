import ServiceKit

/// The file of settings that an installation begins with: every setting with what it means, none of them set.
enum SettingsFile {
  /// Its text.
  static var text: String {
    """
    # Settings of Lunara's services on this machine: NAME=value, read when a service starts. See lunara.env(5).
    # After a change: systemctl restart lunara.target


    """
      + Settings.known.filter { !ofUnits.contains($0.name) }.map { "# \($0.meaning)\n#\($0.name)=\n" }
      .joined(separator: "\n")
  }

  /// What the units say, and what is for tests.
  private static let ofUnits: Set = [
    "LUNARA_HOME", "LUNARA_RUN", "LUNARA_CONFIG", "LUNARA_ROOM", "LUNARA_TAKE_OVER", "LUNARA_UNDER_TEST",
    "LUNARA_AUDIO_SPEED", "LUNARA_PLEX_CLOUD",
  ]
}
