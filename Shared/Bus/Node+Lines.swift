import Messages
import Model

/// A raw REQ to one desk.
struct Line {
  let socket: Socket
  let descriptor: Int32
  /// Whether it leads to another machine, so that what goes over it is sealed.
  let isRemote: Bool
  /// The start number of who answered last over it; nil before the first answer.
  var epoch: Int64?
  /// Whether more than hellos went over it.
  var isNeeded = false
}

/// Which way a node is reached.
enum Route: Equatable {
  /// In the runtime directory of this machine.
  case local
  /// At the desk with this address on another machine.
  case remote(String)
}

/// The connections to the desks of others: one each.
extension Node {
  /// The way to a node; nil where none is known. One that can be reached both ways is reached on this machine.
  func route(to node: NodeID) -> Route? {
    if let address = detours[node] { return .remote(address) }
    if NodeLock.isHeld(directory.lock(of: node)) { return .local }
    guard let desk = roster.peers[node]?.endpoints?.desk, let address = TCPAddress(desk), mayDial(address) else {
      return nil
    }
    return .remote(desk)
  }

  /// Opens a line, unless there is one. To a desk with a name it is opened when that was looked up and something is sent.
  func openLine(to node: NodeID) throws {
    guard lines[node] == nil else { return }
    // One that is not there yet may come on this machine.
    let (address, isRemote): (String?, Bool) =
      switch route(to: node) ?? .local {
      case .local: (directory.desk(of: node), false)
      case .remote(let desk): (numeric(desk), true)
      }
    guard let address else { return }
    let socket = try Socket(.line, bufferSize: min(tuning.bufferSize, 1 << 20))
    _ = try socket.connect(address)
    let descriptor = try socket.descriptor()
    lines[node] = Line(socket: socket, descriptor: descriptor, isRemote: isRemote)
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

  /// Dials everything to a node on another machine afresh.
  func redial(_ node: NodeID) {
    if let desk = roster.peers[node]?.endpoints?.desk { turn(desk) }
    closeLine(to: node)
    guard var remote = remoteVoices[node], let dialled = numeric(remote.address) else { return }
    remote.socket.disconnect(remote.endpoint)
    do {
      remote.endpoint = try remote.socket.connect(dialled)
      remoteVoices[node] = remote
    } catch {
      remoteVoices[node] = nil
      report(LunaraError(error))
    }
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
    guard let line = lines[node] else { return }
    for _ in 0..<64 {
      let got: ()? = line.socket.receiveHeaded { body, header in
        guard let number = UInt32(bytes: header), let pending = requests.pending[number] else { return }
        do {
          let envelope: Envelope
          if line.isRemote {
            let (frame, opened) = try opened(body, on: .line, answering: pending.id)
            envelope = try Envelope(decoding: frame.body)
            guard envelope.node == node, opened.map({ $0.sender.node == node }) ?? true else { return }
          } else {
            envelope = try Envelope(decoding: try Frame(decoding: body).body)
          }
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
