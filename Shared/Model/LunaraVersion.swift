/// The version of this build, which programs, packages and `lunara status` show. It is defined only here; a lint checks
/// that `CHANGELOG.md` has the same.
public enum LunaraVersion {
  /// The version `major.minor.patch`.
  public static let current = "0.1.0"
}
