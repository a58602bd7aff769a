/// Writes the help of a command, and the short hint after a wrong command line.
struct Help {
  let path: [String]
  let command: Command

  func text(_ style: Style) -> String {
    var text = command.summary + "\n"
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    text += "\n\(style.strong("Usage"))\n  \(usage)\n"
    if !command.commands.isEmpty {
      text += "\n\(style.strong("Commands"))\n" + Self.columns(command.commands.map { ($0.name, $0.summary) })
    }
    if let operand = command.operand {
      text += "\n\(style.strong("Arguments"))\n" + Self.columns([(operand.usage, operand.help)])
    }
    text += "\n\(style.strong("Options"))\n" + Self.columns(command.allOptions.map { ($0.usage, $0.help) })
    if !command.examples.isEmpty {
      text += "\n\(style.strong("Examples"))\n" + Self.columns(command.examples.map { ($0.key, $0.value) })
    }
    return text
  }

  var usage: String {
    var words = ["lunara"] + path
    if command.action == nil {
      words.append("COMMAND")
    } else if let operand = command.operand {
      words.append(
        operand.count.lowerBound > 1 && !operand.name.contains(" ")
          ? (1...operand.count.lowerBound).map { _ in operand.name }.joined(separator: " ") : operand.usage)
    }
    let options = command.options.map { "[\($0.usage)]\($0.repeats ? "…" : "")" }
    return (words + (options.isEmpty ? ["[options]"] : options)).joined(separator: " ")
  }

  /// The text that follows the error message of a wrong command line.
  var hint: String {
    "Usage: \(usage)\nSee: \((["lunara"] + path + ["--help"]).joined(separator: " "))\n"
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)\n" }.joined()
  }
}
