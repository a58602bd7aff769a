/// The two datagrams by which a machine that is to join finds the one that shows a code, on the same network. They hold
/// nothing but a number to tell answers by.
public enum PairingSearch {
  /// Where `lunara pair` listens, by TCP for talks and by UDP for who seeks: beside the ports of the nodes.
  public static let port: UInt16 = 7699

  private static let question = Array("lunara-seek".utf8) + [PairingWire.version]
  private static let reply = Array("lunara-here".utf8) + [PairingWire.version]
  private static let numberSize = StartNonce.count
  /// The port and the door's number.
  private static let tailSize = 2 + 8

  /// Where talks are held.
  public struct Place: Hashable, Sendable {
    /// The port.
    public var port: UInt16
    /// A number drawn by the machine that shows a code, the same on each of its networks.
    public var door: UInt64

    /// Makes one.
    public init(port: UInt16, door: UInt64) { (self.port, self.door) = (port, door) }
  }

  /// A question with a number of its own. It is as long as the answer, so that it cannot be used to flood a third.
  public static func ask() -> [UInt8] {
    question + StartNonce.random().bytes + [UInt8](repeating: 0, count: tailSize)
  }

  /// The answer to a question; nil for any other bytes.
  ///
  /// - Parameters:
  ///   - question: what arrived.
  ///   - place: where talks are held.
  public static func answer(_ question: [UInt8], _ place: Place) -> [UInt8]? {
    guard question.count == Self.question.count + numberSize + tailSize, question.starts(with: Self.question) else {
      return nil
    }
    var bytes = reply + question[Self.question.count...].prefix(numberSize)
    bytes.append(bigEndian: place.port)
    bytes.append(bigEndian: place.host)
    return bytes
  }

  /// What an answer to this question names; nil for any other bytes.
  public static func place(in answer: [UInt8], to question: [UInt8]) -> Place? {
    guard answer.count == reply.count + numberSize + tailSize, answer.starts(with: reply),
      answer[reply.count...].prefix(numberSize).elementsEqual(question[Self.question.count...].prefix(numberSize))
    else { return nil }
    let start = reply.count + numberSize
    return answer.withUnsafeBytes { bytes in
      let port = bytes.bigEndian(UInt16.self, at: start)
      return port == 0 ? nil : Place(port: port, host: bytes.bigEndian(UInt64.self, at: start + 2))
    }
  }
}
