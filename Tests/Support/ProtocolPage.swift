import FoundationEssentials

/// The sections of `docs/bus-messages.md` and of the pages in `docs/protocol`, so that tests can compare them with the
/// messages.
public struct ProtocolPage: Sendable {
  /// The page's entry about one message or value.
  public struct Section: Sendable {
    /// `fact`, `state`, `signal`, `request` or `command`; empty for a value.
    public var delivery = ""
    /// The topic as it is written.
    public var topic = ""
    /// The fields of the message.
    public var fields: Set<String> = []
    /// The fields of the answer.
    public var answerFields: Set<String> = []
    /// True if it describes the answer in words instead of fields.
    public var namesItsAnswer = false
  }

  /// The sections by title: the kind of a message, or the name of a value.
  public let sections: [String: Section]

  /// The text of all pages.
  public let text: String

  /// Reads the pages of this source tree.
  public init() throws {
    let pages = try files(in: "docs/protocol").map { String(decoding: $0.bytes, as: UTF8.self) }
    self.init(([try page("bus-messages")] + pages).joined(separator: "\n"))
  }

  init(_ text: String) {
    var sections: [String: Section] = [:]
    var title: String?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#") {
        title = line.hasPrefix("### ") ? line.dropFirst(4).filter { $0 != "`" } : nil
        if let title { sections[title] = Section() }
      }
      guard let title, var section = sections[title] else { continue }
      let parts = line.split(separator: " · ")
      if section.delivery.isEmpty, parts.count >= 3, parts[2].hasPrefix("since ") {
        section.delivery = String(parts[0])
        section.topic = parts[1].filter { $0 != "`" }
      }
      if line.hasPrefix("| `") || line.hasPrefix("| → `") {
        let cell = line.dropFirst(2).prefix { $0 != "|" }
        // Names stand between backticks.
        for (index, name) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where !index.isMultiple(of: 2) {
          if cell.hasPrefix("→") {
            section.answerFields.insert(String(name))
          } else {
            section.fields.insert(String(name))
          }
        }
      }
      if line.contains("The answer is") { section.namesItsAnswer = true }
      sections[title] = section
    }
    self.sections = sections
    self.text = text
  }
}

let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

/// A page of the documentation, `docs/NAME.md`, as text.
public func page(_ name: String) throws -> String {
  String(decoding: try Data(contentsOf: URL(filePath: "\(root)/docs/\(name).md")), as: UTF8.self)
}

/// The sources in a folder of this tree and in the folders within, as text.
public func sources(in folder: String) throws -> [String] {
  let path = "\(root)/\(folder)"
  return try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }.map {
    String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\($0)")), as: UTF8.self)
  }
}

/// The files of a folder of this tree, by name, with what they hold.
public func files(in folder: String) throws -> [(name: String, bytes: [UInt8])] {
  let path = "\(root)/\(folder)"
  return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map {
    ($0, Array(try Data(contentsOf: URL(filePath: "\(path)/\($0)"))))
  }
}
