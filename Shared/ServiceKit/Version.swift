/// The version of this build.
public enum LunaraVersion {
  /// `major.minor.patch`, as in `CHANGELOG.md`.
  public static let current = "0.1.0"
}
