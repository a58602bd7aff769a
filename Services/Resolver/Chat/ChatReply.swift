import Messages
import Model
import Text

/// The answer of a plugin in a conversation. All of it is a stranger's: texts are cleaned and bounded, and what is no
/// call of a tool is left out.
struct ChatReply: Hashable, Sendable {
  /// A tool that the plugin wants to use.
  struct Call: Hashable, Sendable {
    var id: String
    var name: String
    var arguments: PluginValue
  }

  /// The most letters of a text.
  static let textLimit = 8000
  /// The most calls of one answer.
  static let callLimit = 8
  private static let nameLimit = 64

  var text: String
  var calls: [Call]

  /// Reads an answer: an object with `content` and `toolCalls`, or a bare text.
  init(_ value: PluginValue) {
    text = Self.cleaned((value["content"] ?? value).string ?? "")
    let elements = (value["toolCalls"] ?? value["tool_calls"])?.elements ?? []
    var ids: Set<String> = []
    calls = elements.prefix(Self.callLimit).enumerated().compactMap { index, element in
      guard let name = (element["name"] ?? element["function"]?["name"])?.string, !name.isEmpty else { return nil }
      var id = String((element["id"]?.string ?? "").prefix(Self.nameLimit))
      if id.isEmpty || !ids.insert(id).inserted {
        id = "call-\(index + 1)"
        ids.insert(id)
      }
      return Call(
        id: id, name: String(Self.cleaned(name).prefix(Self.nameLimit)),
        arguments: Self.arguments(element["arguments"] ?? element["function"]?["arguments"]))
    }
  }

  /// The answer as it stands in the messages of the conversation.
  var message: PluginValue {
    .members([
      "role": .text("assistant"), "content": .text(text),
      "tool_calls": calls.isEmpty
        ? nil
        : .list(
          calls.map { .object(["id": .text($0.id), "name": .text($0.name), "arguments": $0.arguments]) }),
    ])
  }

  /// Returns the arguments of a call: an object, or one that is written as a text.
  private static func arguments(_ value: PluginValue?) -> PluginValue {
    if let value, value.isObject { return value.size <= 32 << 10 ? value : .object([:]) }
    guard let text = value?.string, text.utf8.count <= 32 << 10, let parsed = PluginValue(json: Array(text.utf8)),
      parsed.isObject
    else { return .object([:]) }
    return parsed
  }

  /// Returns a text without control characters but line breaks, of bounded length.
  static func cleaned(_ text: String) -> String {
    let scalars = text.unicodeScalars.lazy.filter { $0 == "\n" || $0.value >= 32 && !(127...159).contains($0.value) }
    var cleaned = String.UnicodeScalarView()
    for scalar in scalars.prefix(textLimit) { cleaned.append(scalar) }
    return String(cleaned).trimmed
  }
}
