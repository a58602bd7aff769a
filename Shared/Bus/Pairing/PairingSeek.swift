/// The two datagrams by which a machine that is to join finds the one that shows a code, on the same network. They hold
/// nothing but a number to tell answers by.
public enum PairingSeek {
  /// Where `lunara pair` listens, by TCP for talks and by UDP for who seeks: beside the ports of the nodes.
  public static let port: UInt16 = 7699

  private static let question = Array("lunara-seek".utf8) + [PairingWire.version]
  private static let reply = Array("lunara-here".utf8) + [PairingWire.version]
  private static let numberSize = StartNonce.count

  /// A question with a number of its own. It is as long as the answer, so that it cannot be used to flood a third.
  public static func ask() -> [UInt8] { question + StartNonce.random().bytes + [0, 0] }

  /// The answer to a question; nil for any other bytes.
  ///
  /// - Parameters:
  ///   - question: what arrived.
  ///   - port: where talks are held.
  public static func answer(_ question: [UInt8], port: UInt16) -> [UInt8]? {
    guard question.count == Self.question.count + numberSize + 2, question.starts(with: Self.question) else {
      return nil
    }
    var bytes = reply + question[Self.question.count...].prefix(numberSize)
    bytes.append(bigEndian: port)
    return bytes
  }

  /// The port that an answer to this question names; nil for any other bytes.
  public static func port(in answer: [UInt8], to question: [UInt8]) -> UInt16? {
    guard answer.count == reply.count + numberSize + 2, answer.starts(with: reply),
      answer[reply.count...].prefix(numberSize).elementsEqual(question[Self.question.count...].prefix(numberSize))
    else { return nil }
    let port = UInt16(answer[answer.count - 2]) << 8 | UInt16(answer[answer.count - 1])
    return port == 0 ? nil : port
  }
}
