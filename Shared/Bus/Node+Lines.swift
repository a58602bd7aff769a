import Messages
import Model

/// A raw REQ to one desk.
struct Line {
  let socket: Socket
  let descriptor: Int32
  /// The start number of who answered last over it; nil before the first answer.
  var epoch: Int64?
  /// Whether more than hellos went over it.
  var isNeeded = false
}

/// The connections to the desks of others: one each.
extension Node {
  func openLine(to node: NodeID) throws {
    guard lines[node] == nil else { return }
    let socket = try Socket(.line, bufferSize: min(tuning.bufferSize, 1 << 20))
    _ = try socket.connect(directory.desk(of: node))
    let descriptor = try socket.descriptor()
    lines[node] = Line(socket: socket, descriptor: descriptor)
    watch(descriptor) { $0.readLine(of: node) }
  }

  /// Ends the line to a node; what is still open goes out again over a fresh one, at once.
  func closeLine(to node: NodeID) {
    guard let line = lines.removeValue(forKey: node) else { return }
    ignore(line.descriptor)
    guard requests.isWaiting(for: node), !isClosed else { return }
    do { try openLine(to: node) } catch { report(LunaraError(error)) }
    requests.sendAgain(to: node, at: .now)
    reschedule()
  }

  /// Ends a line that was to a former run of a node.
  func renewLine(to node: NodeID) {
    guard let epoch = lines[node]?.epoch, epoch != roster.epoch(of: node) else { return }
    closeLine(to: node)
  }

  /// Ends a line that nobody needs: to a node that is gone it would be dialled every second for ever.
  func dropIdleLine(to node: NodeID) {
    guard !requests.isWaiting(for: node), let line = lines.removeValue(forKey: node) else { return }
    ignore(line.descriptor)
  }

  private func readLine(of node: NodeID) {
    guard let socket = lines[node]?.socket else { return }
    for _ in 0..<64 {
      let got: ()? = socket.receiveHeaded { body, header in
        guard let number = UInt32(bytes: header) else { return }
        do {
          let envelope = try Envelope(decoding: try Frame(decoding: body).body)
          guard requests.answered(number, id: envelope.id, by: node) != nil else { return }
          lines[node]?.epoch = envelope.epoch
          meter.answered += 1
          meter.heard.answers.add(body.count)
          waiting.removeValue(forKey: number)?(.success(envelope))
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }
}

extension UInt32 {
  /// Big endian.
  var bytes: [UInt8] { [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)] }

  init?(bytes: [UInt8]) {
    guard bytes.count == 4 else { return nil }
    self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
