/// A pattern of addresses that a plugin opens, such as `open.spotify.com/intl-*/track/*`.
///
/// `*.` at the beginning stands for any hosts before a dot, `*` within the pattern for characters of one segment, and
/// `*` at its end for one character or more. Case does not matter.
public struct URLPattern: Hashable, Sendable {
  private enum Element: Hashable {
    case character(Unicode.Scalar)
    /// One character or more; within a segment any but a slash.
    case any(isInSegment: Bool)
  }

  /// The longest addresses and patterns, in characters. Longer addresses match nothing.
  static let lengthLimit = 4096

  /// The pattern as the plugin's file has it.
  public let text: String
  private let elements: [Element]
  private let hasQuery: Bool

  public init(_ text: String) {
    self.text = text
    let plain = Array(Self.plain(text).lowercased().unicodeScalars.prefix(Self.lengthLimit))
    hasQuery = plain.contains("?")
    elements = plain.indices.map { index in
      guard plain[index] == "*" else { return .character(plain[index]) }
      return .any(isInSegment: index + 1 < plain.count)
    }
  }

  /// Returns true if the pattern fits an address. Of its query only a pattern with a question mark sees anything.
  public func matches(_ address: String) -> Bool {
    var address = Self.plain(address)
    if !hasQuery, !Self.isURI(address) { address = String(address.prefix { $0 != "?" }) }
    let scalars = address.lowercased().unicodeScalars
    guard scalars.count <= Self.lengthLimit else { return false }
    return matches(scalars)
  }

  /// Follows all ways through the pattern at once, so that no pattern takes more time than its length times that of the
  /// address.
  private func matches(_ scalars: String.UnicodeScalarView) -> Bool {
    // A state is the index of the element for the next character. One for several characters stays, or is left.
    var states = Set([0])
    for scalar in scalars {
      var next = Set<Int>()
      for state in states where state < elements.count {
        switch elements[state] {
        case .character(let expected): if scalar == expected { next.insert(state + 1) }
        case .any(let isInSegment):
          if isInSegment, scalar == "/" { continue }
          next.insert(state)
          next.insert(state + 1)
        }
      }
      guard !next.isEmpty else { return false }
      states = next
    }
    return states.contains(elements.count)
  }

  /// Returns an address or a pattern without its scheme and one slash at its end; an address of the scheme `spotify` as
  /// it is.
  private static func plain(_ text: String) -> String {
    if isURI(text) { return text }
    var rest = text[...]
    for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      break
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    return String(rest)
  }

  private static func isURI(_ text: String) -> Bool { text.hasPrefix("spotify:") }
}

/// The patterns of several plugins. The first one that fits, in the order in which the plugins were loaded, says which
/// plugin opens an address.
public struct URLMatcher: Sendable {
  private var patterns: [(plugin: String, patterns: [URLPattern])] = []

  public init() {}

  /// Sets the patterns of a plugin. One that is known keeps its place in the order.
  public mutating func set(_ texts: [String], of plugin: String) {
    let made = texts.map { URLPattern($0) }
    if let index = patterns.firstIndex(where: { $0.plugin == plugin }) {
      patterns[index].patterns = made
    } else {
      patterns.append((plugin, made))
    }
  }

  /// Takes a plugin and its patterns out.
  public mutating func remove(_ plugin: String) { patterns.removeAll { $0.plugin == plugin } }

  /// Returns the plugin that opens an address; nil if none does.
  public func plugin(for address: String) -> String? {
    patterns.first { $0.patterns.contains { $0.matches(address) } }?.plugin
  }
}
