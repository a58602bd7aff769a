import FoundationEssentials
import Glibc
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// A file on a disk that does not answer until it is told to: writing into a named pipe waits for a reader.
private struct HungFile {
  let path: String

  /// Blocks the next write of a file.
  init(at path: String) throws {
    self.path = "\(path).\(getpid())"
    try #require(mkfifo(self.path, 0o600) == 0)
  }

  /// Ends the block; the write then fails, as a pipe cannot be synced.
  func release() throws {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(descriptor >= 0)
    // The writer has opened the pipe once this end is readable.
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 20_000) == 1)
    close(descriptor)
  }
}

/// A state whose last value is kept by other nodes.
private struct Pitch: State {
  static let kind = "meter.pitch"
  static let isKept = true
  var value: Int
}

extension Nodes {
  /// The files that a node keeps about the household, and slow disks.
  @Suite struct HouseholdFilesTests {
    @Test func aForgottenNodeIsRememberedForThirtyDaysAndOnlyForTheRunsBefore() throws {
      let node = try #require(NodeID("playback@attic"))
      let endpoints = Endpoints(inbox: "tcp://192.0.2.1:7700", requests: "tcp://192.0.2.1:7701")
      func entry(start: Int64, away: Bool = true) -> RosterEntry {
        let claim = Claim(identity: "journal", term: 1, start: start)
        return RosterEntry(id: node, claim: claim, endpoints: endpoints, away: away)
      }
      var roster = KeptRoster()
      let now = Timestamp.now()
      let forgotten = ForgottenNode(id: node, claim: entry(start: 5).claim, at: now)
      let isNew = [roster.remember(forgotten, at: now), roster.remember(forgotten, at: now)]
      #expect(isNew == [true, false])
      #expect(roster.isForgotten(entry(start: 5)) && roster.isForgotten(entry(start: 4)))
      #expect(!roster.isForgotten(entry(start: 6)) && !roster.isForgotten(entry(start: 5, away: false)))
      #expect(try JSONDecoder().decode(KeptRoster.self, from: Data(roster.encoded())) == roster)
      // It is known again as soon as it is heard.
      var other = roster
      let isRecalled = [other.recall(node), other.recall(node)]
      #expect(isRecalled == [true, false] && !other.isForgotten(entry(start: 5)))
      // Entries that are too old are not kept, nor more than a limited number of others.
      var old = forgotten
      old.at = now - KeptRoster.patience - Milliseconds(1)
      let isKept = other.remember(old, at: now)
      #expect(!isKept)
      for number in 0..<200 {
        let name = try #require(NodeID("playback@room-\(number)"))
        roster.remember(ForgottenNode(id: name, claim: entry(start: 1).claim, at: now), at: now)
      }
      #expect(roster.forgotten?.count == KeptRoster.forgottenLimit)
    }

    @Test func whileADiskIsSlowOnlyTheNewestOfEachFileIsWritten() async throws {
      let folder = TemporaryDirectory()
      let (first, second) = (folder.path + "/bus/first", folder.path + "/bus/second")
      let files = try FileWriter { Issue.record($0) }
      let made = Mutex<[String]>([])
      let isHeld = Mutex(false)
      let mayGo = Mutex(false)
      func put(_ text: String, at path: String) {
        files.put(
          {
            made.withLock { $0.append(text) }
            return Array(text.utf8)
          }, at: path)
      }
      files.put(
        {
          isHeld.withLock { $0 = true }
          while !mayGo.withLock({ $0 }) { usleep(500) }
          return []
        }, at: first)
      #expect(await eventually { isHeld.withLock { $0 } })
      for number in 1...9 {
        put("first \(number)", at: first)
        put("second \(number)", at: second)
      }
      mayGo.withLock { $0 = true }
      try await files.flush(first)
      #expect(made.withLock { $0.sorted() } == ["first 9", "second 9"])
      #expect(try TestFiles.read(first) == Array("first 9".utf8))
      #expect(try TestFiles.read(second) == Array("second 9".utf8))
    }

    @Test func aFailedWriteIsReportedAndKeepsTheFormerFile() async throws {
      let folder = TemporaryDirectory()
      let path = folder.path + "/kept"
      let told = Mutex<[String]>([])
      let files = try FileWriter { error in told.withLock { $0.append(error.code) } }
      files.put({ [1] }, at: path)
      try await files.flush(path)
      let hung = try HungFile(at: path)
      files.put({ [2] }, at: path)
      async let failure = code { try await files.flush(path) }
      try hung.release()
      #expect(await failure == "bus.cannotKeepRoster")
      #expect(told.withLock { $0 } == ["bus.cannotKeepRoster"])
      #expect(try TestFiles.read(path) == [1])
      #expect(access(hung.path, F_OK) != 0)
      files.put({ [3] }, at: path)
      try await files.flush(path)
      #expect(try TestFiles.read(path) == [3])
    }

    @Test func aNodeIsThereWhileItsDiskHangsAndClosesWithItsLastWrite() async throws {
      let household = try TestHousehold()
      let bus = try TestBus()
      let told = Mutex<[String]>([])
      let network = household.network(host: "attic")
      let web = try await bus.node("web@main", network: network) { error in told.withLock { $0.append(error.code) } }
      await web.serve(ReadMeter.self) { _, _ in "here" }
      let meter = try await bus.node("meter@main")
      let stream = await web.states(Pitch.self)
      let path = try #require(network.folder) + "/web@main.json.states"
      mkdir(try #require(network.folder), 0o700)
      let hung = try HungFile(at: path)
      await meter.publish(Pitch(value: 1))
      #expect(await eventually { await web.files.states.writtenAt != nil })
      // The write is blocked now, or is about to be.
      for _ in 0..<3 { #expect(try await meter.request(ReadMeter(), to: web.id) == "here") }
      await meter.publish(Pitch(value: 2))
      #expect(await eventually(equals: 2) { await web.snapshot(of: Pitch.self).last?.value.value })
      try hung.release()
      await web.close()
      _ = stream
      #expect(told.withLock { $0 } == ["bus.cannotKeepRoster"])
      #expect(String(decoding: try TestFiles.read(path), as: UTF8.self).contains("\"value\":2"))
      await meter.close()
    }
  }
}
