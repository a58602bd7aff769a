import Messages
import Model
import Testing

/// A value and the JSON that it must have in every version.
struct Golden: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The kind of the message, or of the request that it answers.
  let kind: String
  let delivery: Delivery
  let topic: String
  let isAnswer: Bool
  let isCommand: Bool
  let text: String
  /// The value's JSON as it is written now.
  let encoded: @Sendable () throws -> String
  /// Parses a text as the value and writes it again.
  let through: @Sendable (String) throws -> String

  /// A message. Its text may have line breaks between the members.
  init<M: Message>(_ value: M, _ text: String) {
    let isCommand = (M.self as? any Request.Type)?.isCommand ?? false
    self.init(
      value, kind: M.kind, delivery: Delivery(of: M.self), topic: M.topic(ofNode: "main"), isAnswer: false,
      isCommand: isCommand, text)
  }

  /// The answer of a request.
  init<R: Request>(to request: R.Type, _ value: R.Answer, _ text: String) {
    self.init(
      value, kind: R.kind, delivery: .request, topic: R.topic(ofNode: "main"), isAnswer: true, isCommand: R.isCommand,
      text)
  }

  private init<Value: Codable & Sendable>(
    _ value: Value, kind: String, delivery: Delivery, topic: String, isAnswer: Bool, isCommand: Bool,
    _ text: String
  ) {
    testDescription = isAnswer ? "answer of \(kind)" : kind
    self.kind = kind
    self.delivery = delivery
    self.topic = topic
    self.isAnswer = isAnswer
    self.isCommand = isCommand
    self.text = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    encoded = { String(decoding: try MessageCoding.encode(value), as: UTF8.self) }
    through = { text in
      let value = try MessageCoding.decode(Value.self, from: text.utf8)
      return String(decoding: try MessageCoding.encode(value), as: UTF8.self)
    }
  }

  /// The text with an unknown field added to each of its objects, except for those that map names to texts.
  var withUnknownFields: String {
    var result = ""
    var isInString = false
    var previous: Character = " "
    for character in text {
      result.append(character)
      if character == "\"", previous != "\\" { isInString.toggle() }
      if character == "{", !isInString, !result.hasSuffix("\"headers\":{"), !result.hasSuffix("\"parameters\":{") {
        result += #""aNewField":[{"x":1},"}"],"#
      }
      previous = character
    }
    return result.replacing(",}", with: "}")
  }
}

extension Delivery {
  /// The class that the bus gives to messages of a type.
  fileprivate init(of type: any Message.Type) {
    if type is any Signal.Type {
      self = .signal
    } else if type is any Request.Type {
      self = .request
    } else {
      self = type is any Fact.Type ? .fact : .state
    }
  }
}
