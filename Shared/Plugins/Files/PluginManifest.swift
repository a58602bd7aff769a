import Messages
public import Model

/// A plugin's description of itself. All of it is a stranger's text: it is shown as text, never as markup.
public struct PluginManifest: Hashable, Sendable {
  /// The kinds of plugins.
  public enum Kind: String, TolerantName {
    /// Finds music.
    case resolver
    /// Serves something beside it: concerts, biographies, a chat.
    case metaService = "meta-service"
    case unknown
  }

  /// The id: 1 to 64 letters and digits of ASCII, `_` and `-`.
  public var id: String
  /// The name for people; the id where it has none.
  public var name: String
  /// The version; `0` where it has none.
  public var version: SemanticVersion
  /// The author; nil if unknown.
  public var author: String?
  /// Its purpose; nil if it says nothing.
  public var summary: String?
  /// A picture character.
  public var icon: String
  /// The colour of its badge as `#rrggbb`.
  public var color: String
  /// The https address of its page; nil if it has none.
  public var homepage: String?
  /// The kind.
  public var kind: Kind
  /// The hosts that it asks, in lower case and sorted; nil if the manifest does not say.
  public var hosts: [String]?

  /// Reads a manifest. Throws `plugin.badFile`.
  init(_ view: JSONView) throws(LunaraError) {
    guard let id = view["id"]?.string, Self.isID(id) else {
      throw Self.refused("its id is missing, or is not 1 to 64 letters, digits, hyphens and underscores")
    }
    self.id = id
    func text(_ value: JSONView?, _ length: Int) -> String? {
      value?.string.flatMap { Self.cleaned($0, length) }
    }
    name = text(view["name"], 100) ?? id
    version = SemanticVersion(text(view["version"], 64) ?? "")
    author = text(view["author"], 200)
    summary = text(view["description"], 2000)
    icon = text(view["icon"], 8) ?? "🎵"
    color = view["color"]?.string.flatMap(Self.color) ?? "#888888"
    homepage = text(view["homepage"], 500).flatMap { $0.hasPrefix("https://") ? $0 : nil }
    kind = Kind(rawValue: view["type"]?.string ?? Kind.resolver.rawValue) ?? .unknown
    hosts = view["hosts"].map { list in
      PluginHosts.sorted(list.elements.compactMap { $0.string.flatMap(PluginHosts.valid) })
    }
  }

  /// Returns true for a text that can be a plugin's id.
  public static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Returns a stranger's text in one line, without control and formatting characters, of at most `length` characters;
  /// nil if nothing is left.
  public static func cleaned(_ text: String, _ length: Int) -> String? {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: " "
      // A character that turns the direction of text would change the lines around it. The joiner belongs to pictures.
      case .format where scalar != "\u{200D}": " "
      default: scalar
      }
    }
    let words = String(String.UnicodeScalarView(scalars)).split(separator: " ")
    let line = String(words.joined(separator: " ").prefix(length))
    return line.isEmpty ? nil : line
  }

  /// Returns a colour as six digits; nil for any other text.
  private static func color(_ text: String) -> String? {
    let digits = text.dropFirst()
    guard text.hasPrefix("#"), digits.count == 3 || digits.count == 6,
      digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    return "#" + (digits.count == 6 ? String(digits) : digits.map { "\($0)\($0)" }.joined()).lowercased()
  }

  static func refused(_ reason: String) -> LunaraError {
    LunaraError("plugin.badFile", "The file is no plugin that can be used: \(reason).")
  }
}
