import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Connections of strangers to a node, and of peers beside them.
  @Suite struct RemoteListenerTests {
    /// A client of its own making, as a stranger has.
    private final class Stranger {
      let number: Int32
      private var isOpen = true

      /// Connects to an address from a loopback address.
      init(to address: String, from: String = "127.0.0.1") throws {
        let target = try #require(TCPAddress(address))
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(number >= 0)
        let isBound = try Self.with(from, 0) { bind(number, $0, $1) == 0 }
        try #require(isBound)
        let isConnected = try Self.with(target.host, target.port) { connect(number, $0, $1) == 0 }
        try #require(isConnected)
      }

      private static func with(
        _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
      ) throws -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        try #require(inet_pton(AF_INET, host, &address.sin_addr) == 1)
        return withUnsafePointer(to: address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
      }

      deinit { close() }

      /// Closes the connection. Bytes that were not read make the kernel reset it, so that the other side cannot send.
      func close() {
        if isOpen { Glibc.close(number) }
        isOpen = false
      }

      func send(_ bytes: [UInt8]) {
        _ = Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }

      /// True once the other side has closed the connection.
      var isClosed: Bool {
        var byte = [UInt8](repeating: 0, count: 4096)
        while true {
          let count = recv(number, &byte, byte.count, Int32(MSG_DONTWAIT))
          if count > 0 { continue }
          return count == 0 || errno != EAGAIN
        }
      }
    }

    /// The start of a message of 256 KiB to a socket of a kind, without its end.
    private func unfinished(to kind: SPSocketKind) -> [UInt8] {
      var bytes = kind.counterpart.greeting
      bytes.append(bigEndian: UInt64(Frame.sizeLimit))
      return bytes + [UInt8](repeating: 97, count: 30_000)
    }

    @Test func sevenHundredUnfinishedMessagesAreMostlyClosedAndKeepNoPeerOut() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      await meter.serve(Strike.self) { request, _ in request.number }
      let target = try #require(await meter.endpoints)
      var strangers: [Stranger] = []
      for number in 0..<700 {
        let isInbox = number.isMultiple(of: 2)
        let stranger = try Stranger(
          to: isInbox ? target.inbox : target.requests, from: "127.0.0.\(2 + number / 10 % 100)")
        // Half announce a length beyond a stranger's, the others one that is allowed, and never finish it.
        var bytes = unfinished(to: isInbox ? .subscriber : .answerer)
        if number % 4 > 1 { bytes[8..<16] = [0, 0, 0, 0, 0, 0, 0x7f, 0xff] }
        stranger.send(bytes)
        strangers.append(stranger)
      }
      // Half announce too much, and each of the others holds at most the 32 KiB that a stranger may send: 2 MiB a port.
      #expect(
        await eventually {
          let (held, closed) = await meter.look { ($0.transport.strangers, $0.transport.closedStrangers) }
          return held <= 2 * StrangerPlaces.limit && closed > 0
        })
      let web = try await cellar.node(
        "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      let stream = await web.states(Level.self)
      await meter.publish(Level(value: 7))
      #expect(await eventually(equals: 7) { await web.snapshot(of: Level.self).last?.value.value })
      #expect(try await web.request(Strike(number: 3), to: meter.id) == 3)
      // Those that are left are closed in time, and the peer's connections stay.
      #expect(await eventually(equals: 0) { strangers.count { !$0.isClosed } })
      #expect(try await web.request(Strike(number: 4), to: meter.id) == 4)
      _ = stream
      for node in [web, meter] { await node.close() }
    }

    @Test func anIdleConnectionIsClosedAndAPeersIsNot() async throws {
      let household = try TestHousehold()
      let (attic, cellar) = (try TestBus(), try TestBus())
      let meter = try await attic.node("meter@main", network: household.network(host: "attic"))
      let web = try await cellar.node(
        "web@main", network: household.network(host: "cellar", seeds: [household.seed]))
      #expect(await eventually(equals: [[meter.id], [web.id]]) { [web.nodes(), meter.nodes()] })
      let idle = try Stranger(to: try #require(await meter.endpoints).inbox)
      idle.send(SPSocketKind.publisher.greeting)
      #expect(await eventually { idle.isClosed })
      let (closed, broken) = await meter.look {
        ($0.transport.closedStrangers, $0.transport.remotePublishers.values.contains { !$0.socket.isConnected })
      }
      #expect(closed >= 1 && !broken)
      #expect(await web.look { $0.roster.presences.map(\.away) } == [false])
      for node in [web, meter] { await node.close() }
    }

    /// Makes a listener of a kind at a free port.
    private func listener(_ kind: SPSocketKind) throws -> (RemoteListener, address: String) {
      for _ in 0..<50 {
        let address = TCPAddress(host: "127.0.0.1", port: .random(in: 20_000...32_000))
        if let listener = try RemoteListener(kind, at: address, bufferSize: 1 << 20) {
          return (listener, address.description)
        }
      }
      throw LunaraError("test.noPort", "no port is free")
    }

    /// Sends a message on a connection of a publisher, and returns its length once the listener has passed it on; nil
    /// if the listener closed the connection instead.
    private func receipt(
      of length: Int, isProof: Bool = true, from stranger: Stranger, by listener: RemoteListener
    ) -> Int? {
      var bytes = SPMessageReader.encode(header: [UInt8](), [UInt8](repeating: 97, count: length))[...]
      var received: Int?
      while received == nil, !stranger.isClosed {
        stranger.send(Array(bytes.prefix(4096)))
        bytes = bytes.dropFirst(4096)
        listener.receive(at: .now) { message, _ in
          received = message.count
          return isProof
        }
      }
      return received
    }

    @Test func theFirstMessageOfAPeerMayBeLongAndThatOfAStrangerMayNot() throws {
      let (listener, address) = try listener(.subscriber)
      listener.list(peers: [try #require(HostPrefix("127.0.0.2"))])
      func greeted(from host: String) throws -> Stranger {
        let connection = try Stranger(to: address, from: host)
        connection.send(SPSocketKind.publisher.greeting)
        return connection
      }
      #expect(receipt(of: 200_000, from: try greeted(from: "127.0.0.2"), by: listener) == 200_000)
      let stranger = try greeted(from: "127.0.0.3")
      #expect(receipt(of: 40_000, from: stranger, by: listener) == nil)
      // An address that has proven itself is that of a peer from then on, on other connections too.
      let known = try greeted(from: "127.0.0.4")
      #expect(receipt(of: 1000, from: known, by: listener) == 1000)
      #expect(listener.provenHosts.contains(try #require(HostPrefix("127.0.0.4"))))
      #expect(receipt(of: 200_000, from: try greeted(from: "127.0.0.4"), by: listener) == 200_000)
      // Nobody may send more than a frame has.
      #expect(receipt(of: Frame.sizeLimit + 1000, from: known, by: listener) == nil)
    }

    @Test func theRestOfAConnectionThatEndedAtAnAnswerIsNotRead() throws {
      let (listener, address) = try listener(.answerer)
      let asker = try Stranger(to: address)
      let question = SPMessageReader.encode(header: [0x80, 0, 0, 1] as [UInt8], [1, 2, 3])
      asker.send(SPSocketKind.asker.greeting + question + question)
      var handled = 0
      while handled == 0 || listener.count > 0 {
        listener.receive(at: .now) { _, header in
          handled += 1
          asker.close()
          #expect(!listener.send([4, 5, 6], header: header))
          return true
        }
      }
      #expect(handled == 1)
      #expect(listener.strangers == 0 && listener.provenHosts.isEmpty)
    }

    @Test func whoSpeaksAnotherProtocolIsClosedAtOnce() throws {
      let (listener, address) = try listener(.subscriber)
      let stranger = try Stranger(to: address)
      stranger.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
      while !stranger.isClosed { listener.receive(at: .now) { _, _ in false } }
      #expect(listener.count == 0)
    }
  }
}
