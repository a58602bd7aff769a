/// The version of this build: what every program says of itself, what the packages are called, and what `lunara status`
/// shows of each node. It is written down here and nowhere else; a lint holds `CHANGELOG.md` against it.
public enum LunaraVersion {
  /// `major.minor.patch`, as in `CHANGELOG.md`.
  public static let current = "0.1.0"
}
