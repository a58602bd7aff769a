import Glibc
import Model
import TestSupport
import Testing

@testable import Bus

@Suite struct RuntimeDirectoryTests {
  let folder = TemporaryDirectory()
  private var path: String { folder.path + "/run" }

  private func refusal(of path: String) -> String? {
    do {
      _ = try RuntimeDirectory(path)
      return nil
    } catch {
      return LunaraError(error).code
    }
  }

  private func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func aMissingDirectoryIsMadeForItsOwnerWithAllAboveIt() throws {
    #expect(try RuntimeDirectory(folder.path + "/a/b/c/").path == folder.path + "/a/b/c")
    #expect(mode(of: folder.path + "/a/b/c") == 0o700)
    #expect(mode(of: folder.path + "/a") == 0o700)
  }

  @Test func aSymbolicLinkIsRefused() {
    #expect(mkdir(path, 0o700) == 0)
    #expect(symlink(path, folder.path + "/link") == 0)
    #expect(refusal(of: folder.path + "/link") == "bus.unsafeDirectory")
    #expect(refusal(of: folder.path + "/link/") == "bus.unsafeDirectory")
  }

  @Test func aFileIsRefused() {
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(refusal(of: path) == "bus.unsafeDirectory")
    #expect(refusal(of: path + "/run") == "bus.cannotUseDirectory")
  }

  @Test(arguments: [0o701, 0o705, 0o757, 0o777, 0o720, 0o1777] as [mode_t])
  func aDirectoryThatOthersMayEnterIsRefused(mode: mode_t) {
    #expect(mkdir(path, 0o700) == 0)
    #expect(chmod(path, mode) == 0)
    #expect(refusal(of: path) == "bus.unsafeDirectory")
  }

  @Test func aDirectorySharedWithOnesOwnGroupIsTaken() {
    #expect(mkdir(path, 0o700) == 0)
    #expect(chmod(path, 0o2770) == 0)
    #expect(refusal(of: path) == nil)
  }

  @Test func anothersDirectoryIsRefused() {
    // Only root can give a directory to another user; other users test with one that belongs to root.
    guard geteuid() == 0 else {
      #expect(refusal(of: "/usr") == "bus.unsafeDirectory")
      return
    }
    #expect(mkdir(path, 0o700) == 0)
    #expect(chown(path, 12345, 12345) == 0)
    #expect(refusal(of: path) == "bus.unsafeDirectory")
    #expect(chmod(path, 0o770) == 0)
    #expect(refusal(of: path) == "bus.unsafeDirectory")
    #expect(chown(path, 0, 0) == 0)
  }

  @Test func aPathThatIpcAddressesCannotHoldIsRefused() throws {
    let longest = "/tmp/" + String(repeating: "x", count: 30)
    let directory = try RuntimeDirectory(longest)
    defer { rmdir(longest) }
    #expect(refusal(of: longest + "y") == "bus.pathTooLong")
    let name = String(repeating: "n", count: 32)
    let node = try #require(NodeID(role: name, name: name))
    // The kernel's limit, which the longest name just reaches.
    #expect(directory.inbox(of: node).utf8.count - "ipc://".utf8.count == 107)
    let socket = try Socket(.inbox)
    try socket.bind(directory.inbox(of: node))
    directory.removeSockets(of: node)
  }

  @Test func aNodeIsAliveWhileItsLockIsHeldAndItsSocketsAreTheGroups() async throws {
    let bus = try TestBus()
    let node = try await bus.node("meter@main")
    close(open(bus.directory.lock(of: .web), O_CREAT | O_WRONLY, 0o600))
    close(open(bus.directory.path + "/not-a-node.lock", O_CREAT | O_WRONLY, 0o600))
    #expect(bus.directory.liveNodes() == [node.id])
    #expect(NodeLock.holder(bus.directory.lock(of: node.id)) == getpid())
    #expect(mode(of: bus.directory.path + "/meter@main.desk") == 0o660)
    #expect(mode(of: bus.directory.path + "/meter@main.inbox") == 0o660)
    #expect(mode(of: bus.directory.lock(of: node.id)) & 0o037 == 0)
    await node.close()
    #expect(bus.directory.liveNodes().isEmpty)
    #expect(NodeLock.holder(bus.directory.lock(of: node.id)) == nil)
    #expect(access(bus.directory.path + "/meter@main.desk", F_OK) != 0)
  }

  @Test func filesOfAKilledTapAreRemovedAndThoseOfAServiceStay() async throws {
    let bus = try TestBus()
    let tap = try await bus.node("tap@p1")
    let meter = try await bus.node("meter@main")
    await tap.die()
    await meter.die()
    #expect(access(bus.directory.lock(of: tap.id), F_OK) == 0)
    let web = try await bus.node("web@main")
    #expect(access(bus.directory.lock(of: tap.id), F_OK) != 0)
    #expect(access(bus.directory.path + "/tap@p1.desk", F_OK) != 0)
    #expect(access(bus.directory.lock(of: meter.id), F_OK) == 0)
    await web.close()
  }
}

@Suite struct NodeLockTests {
  let folder = TemporaryDirectory()
  private var path: String { folder.path + "/x.lock" }
  private func take() throws -> NodeLock { try NodeLock(at: path) { LunaraError("test.held", "\($0 ?? 0)") } }

  @Test func aLockIsHeldByOneAndNamesItsProcess() throws {
    #expect(!NodeLock.isHeld(path))
    let lock = try take()
    #expect(NodeLock.isHeld(path))
    #expect(throws: LunaraError("test.held", "\(getpid())")) { try take() }
    lock.release()
    #expect(!NodeLock.isHeld(path))
    _ = try take()
  }

  @Test func releasingALockFreesIt() throws {
    do { _ = try take() }
    #expect(!NodeLock.isHeld(path))
    let lock = try take()
    withExtendedLifetime(lock) { #expect(NodeLock.isHeld(path)) }
  }

  @Test func everyStartHasALargerNumberThoughTheClockGoesBack() throws {
    var lock = try take()
    #expect(try lock.nextStart(atLeast: 1000) == 1000)
    lock.release()
    #expect(NodeLock.holder(path) == nil)
    lock = try take()
    #expect(NodeLock.holder(path) == getpid())
    #expect(try lock.nextStart(atLeast: 10) == 1001)
    // The state after a kill.
    lock.release()
    lock = try take()
    #expect(try lock.nextStart(atLeast: 5000) == 5000)
    lock.release(forgetting: true)
    #expect(access(path, F_OK) != 0)
  }

  @Test func aFileThatHoldsNonsenseIsTaken() throws {
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    #expect(write(descriptor, "x\ny\nz\n", 6) == 6)
    close(descriptor)
    #expect(NodeLock.holder(path) == nil)
    let lock = try take()
    #expect(try lock.nextStart(atLeast: 7) == 7)
  }

  @Test func aSymbolicLinkIsNotFollowed() {
    #expect(symlink("/dev/null", path) == 0)
    #expect(throws: LunaraError.self) { try take() }
    #expect(!NodeLock.isHeld(path))
  }

  @Test func manyLookingAtALockDoNotKeepItsOwnerFromTakingIt() async throws {
    let looking = Task.detached { [path] in while !Task.isCancelled { _ = NodeLock.isHeld(path) } }
    for _ in 0..<200 { try take().release() }
    looking.cancel()
  }
}

@Suite struct NodeIDTests {
  @Test func idsReadAndPrint() throws {
    #expect(NodeID("playback@kitchen") == .playback(RoomName(from: "kitchen")))
    #expect(NodeID.library.description == "library@main")
    #expect([NodeID.web, .library, .router].sorted() == [.library, .router, .web])
    #expect(NodeID("tap@p1")?.isTransient == true)
    #expect(!NodeID.library.isTransient)
  }

  @Test(arguments: [
    "", "@", "a@", "@a", "a", "a@b@c", "A@b", "a@b c", "a/../b@c", "a@" + String(repeating: "x", count: 33),
  ])
  func invalidNodeIDsAreRefused(text: String) {
    #expect(NodeID(text) == nil)
  }

  @Test func derivedIDsAreTheSameForTheSameStep() {
    let context = RequestContext(id: RequestID("x"), from: .web)
    #expect(context.derived(1) == context.derived(1))
    #expect(context.derived(1) != context.derived(2))
    #expect(context.derived(1).derived(2).text == "x.1.2")
  }
}
