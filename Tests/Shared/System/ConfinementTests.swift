import Glibc
import Model
import System
import TestSupport
import Testing

/// The limits of a confined process. Each test runs the program `lunara-confined`.
@Suite(.timeLimit(.minutes(2))) struct ConfinementTests {
  private let folder = TemporaryDirectory()

  /// Runs the program with a file as standard error; returns its lines.
  private func run(_ profile: String, _ attempts: [String], status: Int32 = 0) throws -> [String] {
    let (read, write) = try Descriptor.pipe()
    let file = try Descriptor(opening: "\(folder.path)/file", O_RDWR | O_CREAT).duplicate()
    let program = WorkerProcess.program("lunara-confined")
    let child = try ChildProcess(
      program, [program, profile] + attempts, environment: Environment(),
      descriptors: [try .null(), write, file])
    write.close()
    let output = String(decoding: try read.readToEnd(limit: 65_536), as: UTF8.self)
    #expect(child.wait() == status)
    return output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["tags", "formats", "pictures"])
  func noFileSocketOrProgramCanBeOpened(_ profile: String) throws {
    let attempts = ["open", "create", "socket", "execute", "spawn", "signal"]
    #expect(try run(profile, attempts) == attempts.map { "\($0) Operation not permitted" })
    #expect(!Files.exists("/tmp/lunara-confined"))
  }

  @Test func aPlayerStartsNoProgramAndReachesNoOtherProcessOrRareCall() throws {
    let refused = [
      "execute", "spawn", "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "mount", "unshare",
      "setns", "init_module", "kexec_load", "reboot", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup",
      "open_by_handle_at", "keyctl", "add_key",
    ]
    #expect(try run("player", refused) == refused.map { "\($0) Operation not permitted" })
    let needed = ["open", "socket", "thread", "signal"]
    #expect(try run("player", needed) == needed.map { "\($0) done" })
  }

  @Test func aPlayerChangesNoFileOfThePersonAndSignalsNobody() throws {
    let refused = [
      "signal parent", "signal group", "own signals", "limit parent", "tkill", "rt_sigqueueinfo", "pidfd_send_signal",
      "enter", "fchmod", "lchown", "setxattr", "removexattr", "utimensat", "utime",
    ]
    #expect(try run("player", refused) == refused.map { "\($0) Operation not permitted" })
    let outOfReach = ["reopen", "rewrite", "create", "folder", "listen"]
    #expect(try run("player", outOfReach) == outOfReach.map { "\($0) Permission denied" })
    // ALSA's mixer meets at a socket, of which it sets the mode.
    #expect(try run("player", ["meet", "read mode"]) == ["meet done", "read mode done"])
    #expect(!Files.exists("/tmp/lunara-confined"))
  }

  @Test(arguments: [false, true])
  func aPlayerReadsTheSystemsSettingsWithoutThoseOfTheHousehold(_ isInstalled: Bool) throws {
    let (settings, network) = ("\(folder.path)/etc", "\(folder.path)/network.conf")
    try Files.makeFolder("\(settings)/alsa")
    for path in ["\(settings)/hosts", "\(settings)/alsa/own.conf", network] { try Files.replace(path, with: "") }
    try #require(symlink(network, "\(settings)/resolv.conf") == 0)
    let readable = ["hosts", "alsa", "alsa/own.conf", "resolv.conf"].map { "open \(settings)/\($0)" }
    let key = "\(settings)/lunara/household.key"
    if isInstalled {
      try Files.makeFolder("\(settings)/lunara")
      try Files.replace(key, with: "secret")
    }
    #expect(try run("player:\(settings)", readable) == readable.map { "\($0) done" })
    // The folder itself stays out of reach, and with it what is put there later.
    let refused = ["open \(settings)"] + (isInstalled ? ["open \(settings)/lunara", "open \(key)"] : [])
    #expect(try run("player:\(settings)", refused) == refused.map { "\($0) Permission denied" })
  }

  @Test func aProcessCanRefuseToBeInspected() throws {
    #expect(try run("player", ["inspectable"]) == ["inspectable refused"])
  }

  @Test func onlyPicturesMayHaveThreads() throws {
    #expect(try run("pictures", ["thread"]) == ["thread done"])
    for profile in ["tags", "formats"] {
      #expect(try run(profile, ["thread"]) == ["thread Operation not permitted"])
    }
  }

  @Test func memoryIsBounded() throws {
    for profile in ["tags", "formats"] {
      #expect(try run(profile, ["memory"]) == ["memory Cannot allocate memory"])
    }
    #expect(try run("pictures", ["memory"]) == ["memory done"])
  }

  @Test func writtenFilesAreBounded() throws {
    #expect(try run("tags", ["write"]) == ["write File too large"])
    #expect(Files.status("\(folder.path)/file", followingLinks: false)?.size == 64 << 20)
  }

  @Test func aProcessThatComputesForTooLongIsEnded() throws {
    #expect(try run("tags", ["open", "compute"], status: -SIGPROF) == ["open Operation not permitted"])
  }

  @Test func theNetworkIsAnotherWhereUserNamespacesCanBeHad() throws {
    let unshare = try #require(SystemProgram("unshare", environment: Environment()))
    guard try unshare.run(["--user", "--net", "true"]) == nil else { return }
    var link = [CChar](repeating: 0, count: 64)
    let length = readlink("/proc/self/ns/net", &link, link.count - 1)
    let own = String(decoding: link.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let line = try #require(try run("tags", ["network"]).first)
    #expect(line.hasPrefix("network net:[") && line != "network \(own)")
  }
}
