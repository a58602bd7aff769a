import CPlatform

/// Environment variables.
struct Environment: Sendable, Equatable {
  private(set) var variables: [String: String]

  /// Variables by name.
  init(_ variables: [String: String] = [:]) { self.variables = variables }

  /// What this process was started with. To be read at its start, before other threads run.
  static func ofProcess() -> Environment { Environment(reading: lunara_environment()) }

  private init(reading block: UnsafePointer<UnsafeMutablePointer<CChar>?>) {
    variables = [:]
    var next = block
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let mark = text.firstIndex(of: "=") {
        variables[String(text[..<mark])] = String(text[text.index(after: mark)...])
      }
      next += 1
    }
  }

  /// The value of a variable; nil where it is not set.
  subscript(name: String) -> String? {
    get { variables[name] }
    set { variables[name] = newValue }
  }

  /// `NAME=value` for each, sorted.
  var lines: [String] { variables.map { "\($0.key)=\($0.value)" }.sorted() }
}
