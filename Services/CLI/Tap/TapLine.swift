import Bus
import Messages
import Model

extension Envelope {
  /// The shape of one of the lines of `tap`: what programs read, and what `--record` keeps.
  func json(topic: String) -> JSON {
    var members: [JSON.Member] = []
    func put(_ key: String, _ value: JSON) { members.append(JSON.Member(key: key, value: value)) }
    put("time", .text(time))
    put("node", .text(node))
    put("class", .text(delivery.rawValue))
    put("topic", .text(topic))
    put("kind", .text(kind))
    if let seq { put("seq", .count(seq)) }
    if let version { put("version", .count(version)) }
    put("payload", .raw(payload))
    put("id", .text(id))
    put("epoch", .count(epoch))
    if let journal { put("journal", .text(journal)) }
    return .object(members)
  }

  /// A line for people: when, who, what, and in a few words or as much of the payload as fits.
  func line(on console: Console) -> String {
    let style = console.style
    let look: Style.Look =
      switch delivery {
      case .fact: .good
      case .state: .plain
      case .signal: .faint
      case .request: .notable
      }
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let number = seq.map { "#\($0)" } ?? version.map { "v\($0)" } ?? ""
    let head = "\(time.localTimeOfDay)  \(padded(node.description, 18))  \(padded(kind, 26))  \(padded(number, 6))"
    let text = Printable.line(TapSummary.text(of: self) ?? String(decoding: payload, as: UTF8.self))
    let room = max(20, (console.width ?? 400) - head.count - 2)
    return
      "\(style.text(head, look))  \(style.text(Printable.fit(text, room), delivery == .signal ? .faint : .plain))\n"
  }
}
