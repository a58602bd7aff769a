import Messages
import Model

/// A raw REQ to one desk.
struct Line {
  let socket: Socket
  let descriptor: Int32
  /// Where the desk is.
  let address: String
  /// A second one, over which pages of facts come while a journal is read: an answer waits for none of them.
  var pages: (socket: Socket, descriptor: Int32)?
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
    guard let desk = roster.peers[node]?.endpoints?.requests, let address = TCPAddress(desk), mayDial(address) else {
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
    let (socket, descriptor) = try dial(address) { $0.readLine(of: node) }
    lines[node] = Line(socket: socket, descriptor: descriptor, address: address, isRemote: isRemote)
  }

  private func dial(_ address: String, _ ready: @escaping @Sendable (isolated Node) -> Void) throws -> (Socket, Int32) {
    let socket = try Socket(.line, bufferSize: min(tuning.bufferSize, 1 << 20))
    _ = try socket.connect(address)
    let descriptor = try socket.descriptor()
    watch(descriptor, ready)
    return (socket, descriptor)
  }

  /// The connection over which a node sends pages of facts; nil where there is no line to it.
  func pageSocket(of node: NodeID) throws -> Socket? {
    guard let line = lines[node] else { return nil }
    if let pages = line.pages { return pages.socket }
    let (socket, descriptor) = try dial(line.address) { $0.readPages(of: node) }
    lines[node]?.pages = (socket, descriptor)
    return socket
  }

  /// Ends the connections for pages that nobody waits for any more.
  func dropIdlePages() {
    for (node, line) in lines where !requests.isWaitingForPage(of: node) {
      guard let pages = line.pages else { continue }
      ignore(pages.descriptor)
      lines[node]?.pages = nil
    }
  }

  /// Takes a line away; what it holds is closed when the last use of it ends.
  private func removeLine(to node: NodeID) -> Bool {
    guard let line = lines.removeValue(forKey: node) else { return false }
    ignore(line.descriptor)
    if let pages = line.pages { ignore(pages.descriptor) }
    return true
  }

  /// Ends the line to a node; what is still open goes out again over a fresh one, at once.
  func closeLine(to node: NodeID) {
    guard removeLine(to: node), requests.isWaiting(for: node), !isClosed else { return }
    do { try openLine(to: node) } catch { report(LunaraError(error)) }
    requests.sendAgain(to: node, at: .now)
    reschedule()
  }

  /// Dials everything to a node on another machine afresh.
  func redial(_ node: NodeID) {
    if let desk = roster.peers[node]?.endpoints?.requests { turn(desk) }
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
    if !requests.isWaiting(for: node) { _ = removeLine(to: node) }
  }

  private func readLine(of node: NodeID) {
    if let line = lines[node] { read(line.socket, of: node, isRemote: line.isRemote) }
  }

  private func readPages(of node: NodeID) {
    if let line = lines[node], let pages = line.pages { read(pages.socket, of: node, isRemote: line.isRemote) }
  }

  private func read(_ socket: Socket, of node: NodeID, isRemote: Bool) {
    for _ in 0..<64 {
      let got: ()? = socket.receiveHeaded { body, header in
        guard let number = UInt32(bytes: header), let pending = requests.pending[number] else { return }
        do {
          let envelope: Envelope
          if isRemote {
            let (frame, opened) = try opened(body, on: .connection, answering: pending.id)
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
