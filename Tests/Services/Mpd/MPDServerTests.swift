import CPlatform
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import Mpd

/// The service over real sockets: what clients send, and what nobody should.
@Suite struct MPDServerTests {
  private func served(
    password: String? = nil, _ body: (ServedClients, MPDTestClient) async throws -> Void
  ) async throws {
    let served = try await ServedClients(password: password)
    do {
      try await body(served, try await served.client())
    } catch {
      await served.close()
      throw error
    }
    await served.close()
  }

  @Test func songsAreAddedPlayedMovedAndRemoved() async throws {
    try await served { served, client in
      #expect(await client.ask("add Ann").last == "OK")
      #expect(await client.ask("addid \"Bo/Second/03 Three\" 0") == ["Id: 3", "OK"])
      #expect(served.items.map(\.track.title) == ["Three", "One", "Two"])
      #expect(await client.ask("play 1") == ["OK"])
      let status = await client.ask("status")
      #expect(status.contains("state: play") && status.contains("song: 1") && status.contains("songid: 1"))
      #expect(status.contains("partition: default") && status.contains("playlistlength: 3"))
      #expect(await client.ask("currentsong").first == "file: Ann/First (1999)/01 One")
      #expect(await client.ask("move 0:2 1") == ["OK"])
      #expect(served.items.map(\.track.title) == ["Two", "Three", "One"])
      #expect(await client.ask("delete 1:") == ["OK"])
      #expect(served.items.map(\.track.title) == ["Two"])
    }
  }

  @Test func errorsAreThoseOfTheProtocol() async throws {
    try await served { _, client in
      #expect(await client.ask("play 99") == ["ACK [2@0] {play} Bad song index"])
      #expect(await client.ask("playid 999") == ["ACK [50@0] {playid} No such song"])
      #expect(await client.ask("next") == ["ACK [55@0] {next} Not playing"])
      #expect(await client.ask("setvol 200") == ["ACK [2@0] {setvol} Number too large: 200"])
      #expect(await client.ask("dance") == ["ACK [5@0] {} unknown command \"dance\""])
      #expect(await client.ask("add \"x") == ["ACK [5@0] {} Missing closing '\"'"])
      #expect(await client.ask("lsinfo nowhere") == ["ACK [50@0] {lsinfo} No such directory"])
      #expect(await client.ask("add http://127.0.0.1/x.mp3").first?.hasPrefix("ACK [50@0] {add}") == true)
      #expect(await client.ask("playlistinfo 4000000000:") == ["OK"])
      #expect(await client.ask("ping") == ["OK"])
    }
  }

  @Test func aListRunsAtItsEndAndStopsAtTheFirstError() async throws {
    try await served { served, client in
      client.send("command_list_ok_begin\nadd Bo\nplay 7\nadd Ann\n")
      #expect(served.items.isEmpty)
      client.send("command_list_end\n")
      #expect(await client.answer() == ["list_OK", "ACK [2@1] {play} Bad song index"])
      #expect(served.items.count == 1)
      #expect(await client.ask("command_list_begin\ncommand_list_end") == ["OK"])
    }
  }

  @Test func aWaitingClientLearnsOfAChangeAndMissesNoneBetween() async throws {
    try await served { served, client in
      client.send("idle mixer\n")
      await served.change { $0.volume = 30 }
      #expect(await client.answer() == ["changed: mixer", "OK"])
      await served.change { $0.modes.repeats = .all }
      let isKnown = await eventually {
        await served.household.receivedState(of: RoomName(from: "kitchen"))?.modes?.repeats == .all
      }
      #expect(isKnown)
      client.send("idle options\n")
      #expect(await client.answer() == ["changed: options", "OK"])
      client.send("idle sticker\nnoidle\n")
      #expect(await client.answer() == ["OK"])
      client.send("noidle\n")
      #expect(await client.ask("ping") == ["OK"])
      client.send("idle sticker\nping\n")
      #expect(await client.closes())
    }
  }

  @Test func aMessageReachesTheClientsThatSubscribed() async throws {
    try await served { served, client in
      let other = try await served.client()
      #expect(
        await client.ask("sendmessage lamp on") == ["ACK [50@0] {sendmessage} nobody is subscribed to this channel"])
      #expect(await other.ask("subscribe lamp") == ["OK"])
      #expect(await other.ask("subscribe lamp").last?.hasPrefix("ACK [56@0]") == true)
      #expect(await client.ask("channels") == ["channel: lamp", "OK"])
      other.send("idle message\n")
      #expect(await client.ask("sendmessage lamp \"on now\"") == ["OK"])
      #expect(await other.answer() == ["changed: message", "OK"])
      #expect(await other.ask("readmessages") == ["channel: lamp", "message: on now", "OK"])
      #expect(await other.ask("readmessages") == ["OK"])
    }
  }

  @Test func withoutThePasswordNothingIsAnswered() async throws {
    try await served(password: "secret") { _, client in
      #expect(await client.ask("status") == ["ACK [4@0] {status} you don't have permission for \"status\""])
      #expect(await client.ask("idle") == ["ACK [4@0] {idle} you don't have permission for \"idle\""])
      #expect(await client.ask("password wrong") == ["ACK [3@0] {password} incorrect password"])
      #expect(await client.ask("password secret") == ["OK"])
      #expect(await client.ask("status").last == "OK")
    }
  }

  @Test(arguments: ["POST / HTTP/1.1\r\n", "\n", "\u{16}\u{3}\u{1}\n", " status\n"])
  func whatIsNoCommandClosesTheConnection(text: String) async throws {
    try await served { _, client in
      client.send(text)
      #expect(await client.closes())
    }
  }

  @Test func tenMegabytesWithoutAnEndOfLineCloseOnlyTheirConnection() async throws {
    try await served { served, client in
      let other = try await served.client()
      let part = [UInt8](repeating: 97, count: 1 << 16)
      var sent = 0
      let isClosed = await eventually {
        if sent < 10 << 20 { sent += client.send(part) }
        client.receive()
        return client.isClosed
      }
      #expect(isClosed && sent < 10 << 20)
      #expect(await other.ask("ping") == ["OK"])
    }
  }

  @Test func aListWithoutAnEndIsBounded() async throws {
    try await served { _, client in
      client.send("command_list_begin\n")
      let line = Array(String(repeating: "ping\n", count: 1000).utf8)
      var sent = 0
      let isClosed = await eventually {
        if sent < 20 << 20 { sent += client.send(line) }
        client.receive()
        return client.isClosed
      }
      #expect(isClosed)
    }
  }

  @Test func aListBeforeThePasswordIsShort() async throws {
    try await served(password: "secret") { _, client in
      client.send("command_list_begin\n" + String(repeating: "ping\n", count: 1000))
      #expect(await client.closes())
    }
  }

  @Test func anEmptyPasswordIsNone() throws {
    #expect(throws: LunaraError.self) {
      try MPDProcess.Setup(
        try .init(arguments: ["--mpd-password", ""], environment: ["LUNARA_MPD": "0.0.0.0:6600"], readingFile: false))
    }
  }

  @Test func aThousandIdleConnectionsLeaveRoomForAnother() async throws {
    lunara_allow_descriptors()
    try await served { served, client in
      var idle: [MPDTestClient] = []
      for _ in 0..<1000 {
        let one = try await MPDTestClient(port: served.port)
        one.send("idle sticker\n")
        idle.append(one)
      }
      let areServed = await eventually { await served.household.connectionCount == 1001 }
      #expect(areServed)
      #expect(await client.ask("status").last == "OK")
      await served.household.publish([.sticker])
      for one in idle.prefix(3) + idle.suffix(3) {
        #expect(await one.answer() == ["OK MPD 0.23.5"])
        #expect(await one.answer() == ["changed: sticker", "OK"])
      }
      for one in idle { one.close() }
      let areGone = await eventually { await served.household.connectionCount == 1 }
      #expect(areGone)
    }
  }

  @Test func settingsNeedAnAddressAndAPasswordBeyondThisMachine() throws {
    func setup(_ values: [String: String]) throws -> MPDProcess.Setup {
      try MPDProcess.Setup(try .init(environment: values, readingFile: false))
    }
    #expect(try setup(["LUNARA_MPD": "6600"]).host == "127.0.0.1")
    #expect(try setup(["LUNARA_MPD": "0.0.0.0:6600", "LUNARA_MPD_PASSWORD": "x"]).password == "x")
    func code(_ values: [String: String]) -> String? {
      do {
        _ = try setup(values)
        return nil
      } catch {
        return LunaraError(error).code
      }
    }
    #expect(code([:]) == "mpd.off")
    #expect(code(["LUNARA_MPD": "0.0.0.0:6600"]) == "mpd.passwordNeeded")
  }
}
