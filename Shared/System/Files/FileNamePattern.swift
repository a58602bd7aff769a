import Glibc

/// Patterns of file names as shells have them: `*`, `?` and sets such as `[0-9]`; a backslash takes the next character
/// as it is.
public enum FileNamePattern {
  /// Returns true if a pattern stands for a whole name. Both are UTF-8, in which `?` stands for one character; the
  /// bytes of other texts are compared.
  public static func matches(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
    guard let characters = utf8.locale else { return fnmatch(cString(pattern), cString(name), 0) == 0 }
    let before = uselocale(characters)
    defer { uselocale(before) }
    return fnmatch(cString(pattern), cString(name), 0) == 0
  }

  private static func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// The characters of UTF-8, whatever the environment says.
  ///
  /// `@unchecked Sendable` is safe because (1) the locale is made once, never changed and never freed; (2) uselocale(3)
  /// sets it for the calling thread alone.
  private final class Characters: @unchecked Sendable {
    // LC_CTYPE_MASK, a macro that Swift cannot import.
    let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
  }

  private static let utf8 = Characters()
}
