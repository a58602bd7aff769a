import Glibc

/// The folder of recorded answers of real servers, which lies outside of the project.
public enum RecordedAnswers {
  /// The folder that `LUNARA_RECORDINGS` names, absolute; a relative path begins at the project's root. Nil where the
  /// variable is not set.
  public static let folder = folder(of: "LUNARA_RECORDINGS")

  /// The folder of plugins that other people wrote, as files `ID.axe`: that which `LUNARA_TEST_PLUGINS` names, as
  /// above. Nil where the variable is not set.
  public static let plugins = folder(of: "LUNARA_TEST_PLUGINS")

  private static func folder(of variable: String) -> String? {
    guard let value = getenv(variable).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    guard !value.hasPrefix("/") else { return value }
    // This file is `Tests/Support/RecordedAnswers.swift`.
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/\(value)"
  }
}
