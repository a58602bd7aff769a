import Bus
import Messages
import Model

extension Envelope {
  /// The shape of one of the lines of `tap`: what programs read, and what `--record` keeps.
  func json(topic: String) -> JSON {
    var members: [JSON.Member] = []
    func put(_ key: String, _ value: JSON) { members.append(JSON.Member(key: key, value: value)) }
    put("time", .text(time))
    put("node", .text(author))
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
}
