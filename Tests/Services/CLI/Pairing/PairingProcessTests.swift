import System
import Bus
import Glibc
import Model
import TestSupport
import Testing

@testable import lunara

/// `lunara pair` and `lunara join` as two processes, each with its own machine's folders.
@Suite(.timeLimit(.minutes(2)))
struct PairingProcessTests {
  private let attic: FakeHousehold
  private let kitchen: FakeHousehold

  init() throws {
    (attic, kitchen) = (try FakeHousehold([]), try FakeHousehold([]))
    // These addresses are given to the other machine. Here they are dialled only to see whether anything listens.
    try configure(attic, "# ours\nLUNARA_LISTEN=tcp://127.0.0.1:7\nLUNARA_SEEDS=192.168.1.77\n")
  }

  private func folder(_ machine: FakeHousehold) -> String { "\(machine.folder.path)/.config/lunara" }

  private func configure(_ machine: FakeHousehold, _ text: String) throws {
    try Files.makeFolder(folder(machine))
    try Files.replace("\(folder(machine))/lunara.env", with: text)
  }

  private func settings(_ machine: FakeHousehold) -> String { Files.text(of: "\(folder(machine))/lunara.env") ?? "" }
  private func key(_ machine: FakeHousehold) -> String { Files.text(of: "\(folder(machine))/household.key") ?? "" }

  /// Starts `lunara pair` and reads the code and the address from its output.
  private func pair() async throws -> (run: FakeHousehold.Running, code: String, at: String) {
    let run = try attic.lunara("pair", "--json", "--port", "0")
    try #require(await run.hasPrinted(#""code":"#), "\(run.printed)")
    return (run, try value("code", in: run), try value("at", in: run))
  }

  private func value(_ name: String, in run: FakeHousehold.Running) throws -> String {
    let found = run.printed.split(separator: #""\#(name)":""#, maxSplits: 1)
    return String(try #require(found.last?.split(separator: "\"").first))
  }

  @Test func aMachineJoinsWithNothingButTheCode() async throws {
    let (host, code, at) = try await pair()
    try configure(kitchen, "LUNARA_AUDIO=null\n")
    let join = try kitchen.lunara("join", code.lowercased(), "--at", at, "--room", "Kitchen", "--json")
    #expect(await join.ended() == .exited(0), "\(join.printed)")
    #expect(await host.ended() == .exited(0), "\(host.printed)")
    #expect(host.printed.contains(#"{"joined":{"name":"#))
    #expect(!key(attic).isEmpty && key(kitchen) == key(attic))
    var status = stat()
    #expect(lstat("\(folder(kitchen))/household.key", &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(settings(kitchen) == "LUNARA_AUDIO=null\nLUNARA_SEEDS=127.0.0.1:7,192.168.1.77\nLUNARA_ROOM=kitchen\n")
    #expect(settings(attic).hasPrefix("# ours\nLUNARA_LISTEN=tcp://127.0.0.1:7\n"))
    let secret = try #require(key(attic).split(separator: " ").last).prefix(64)
    #expect(!join.printed.contains(secret) && !host.printed.contains(secret))
  }

  @Test func aWrongCodeGetsNothingAndTheRightOneStillDoes() async throws {
    let (host, code, at) = try await pair()
    let wrong = try kitchen.lunara("join", "0000-0000", "--at", at, "--json")
    #expect(await wrong.ended() == .exited(1) && wrong.printed.contains("bus.pairWrongCode"), "\(wrong.printed)")
    #expect(key(kitchen).isEmpty && settings(kitchen).isEmpty)
    #expect(await host.hasPrinted(#""left":4"#))
    let right = try kitchen.lunara("join", code, "--at", at)
    #expect(await right.ended() == .exited(0), "\(right.printed)")
    #expect(right.printed.contains("lunara up --room") && key(kitchen) == key(attic))
  }

  @Test func silentConnectionsDoNotBlockPairing() async throws {
    let (host, code, at) = try await pair()
    let port = try #require(at.split(separator: ":").last.flatMap { UInt16($0) }, "\(at)")
    let address = try #require(SocketAddress.resolve("127.0.0.1", port).first)
    var mute: [Int32] = []
    defer { for number in mute { close(number) } }
    for _ in 0..<20 {
      let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      mute.append(number)
      #expect(address.withPointer { connect(number, $0, $1) } == 0)
    }
    let join = try kitchen.lunara("join", code, "--at", at)
    #expect(await join.ended() == .exited(0), "\(join.printed)")
    #expect(await host.ended() == .exited(0) && key(kitchen) == key(attic), "\(host.printed)")
  }

  @Test func aMachineLeavesItsHouseholdOnlyWithTheOptionForIt() async throws {
    let own = try kitchen.lunara("key", "new")
    #expect(await own.ended() == .exited(0))
    let before = key(kitchen)
    let (host, code, at) = try await pair()
    let refused = try kitchen.lunara("join", code, "--at", at, "--json")
    #expect(await refused.ended() == .exited(1) && refused.printed.contains("bus.pairOtherKey"), "\(refused.printed)")
    #expect(key(kitchen) == before && settings(kitchen).isEmpty)
    #expect(await host.hasPrinted("keptOut"))
    let joined = try kitchen.lunara("join", code, "--at", at, "--replace")
    #expect(await joined.ended() == .exited(0), "\(joined.printed)")
    #expect(key(kitchen) == key(attic))
    let aside = try KeyFile(at: "\(folder(kitchen))/household.key.\(Self.id(of: before))")
    #expect(aside.entries.count == 1)
  }

  @Test func keysThatTheHouseholdDoesNotHaveAreMovedAside() async throws {
    let (_, code, at) = try await pair()
    // The kitchen belongs to the household already, and is one step ahead in a key rotation.
    let ahead = try HouseholdKey.random()
    let common = try KeyFile(at: "\(folder(attic))/household.key").entries
    try KeyFile(common + [.init(ahead, .next)]).create(at: "\(folder(kitchen))/household.key")
    // A file of that name from an earlier time, with other contents.
    let name = "\(folder(kitchen))/household.key.\(ahead.id)"
    try Files.replace(name, with: "mine")
    let join = try kitchen.lunara("join", code, "--at", at)
    #expect(await join.ended() == .exited(0) && join.printed.contains("\(name).2"), "\(join.printed)")
    #expect(key(kitchen) == key(attic) && Files.text(of: name) == "mine")
    #expect(try KeyFile(at: "\(name).2").entries.map(\.key.id) == common.map(\.key.id) + [ahead.id])
  }

  @Test func aMachineListensFromTheFirstThatJoinsWhateverEndsThePairing() async throws {
    // The machine has been alone until now, so its settings name no address to listen on.
    let before = "# ours\nLUNARA_ADVERTISE=127.0.0.1\n"
    try configure(attic, before)
    let host = try attic.lunara("pair", "--json", "--port", "0", "--machines", "2")
    try #require(await host.hasPrinted(#""code":"#), "\(host.printed)")
    let join = try kitchen.lunara("join", value("code", in: host), "--at", "tcp://\(value("at", in: host))")
    #expect(await join.ended() == .exited(0), "\(join.printed)")
    #expect(await host.hasPrinted(#"{"joined":"#))
    #expect(settings(attic) == before + "LUNARA_LISTEN=tcp://*\n")
    kill(host.pid, SIGKILL)
    #expect(await host.ended() == .killed(SIGKILL))
  }

  @Test func theAddressToJoinIsReadInAllItsForms() {
    for (text, host, port) in [
      ("192.168.1.10", "192.168.1.10", 7699), ("tcp://192.168.1.10", "192.168.1.10", 7699),
      ("tcp://attic:7000", "attic", 7000), ("fd00::7", "fd00::7", 7699), ("[fd00::7]", "fd00::7", 7699),
      ("tcp://[fd00::7]:7000", "fd00::7", 7000),
    ] {
      let place = Command.pairingAddress(text, 7699)
      #expect(place?.host == host && place.map { Int($0.port) } == port, "\(text)")
    }
    #expect(Command.pairingAddress("udp://attic", 7699) == nil)
  }

  @Test func theAdviceNamesThePortThatWasTried() {
    #expect(Command.noAnswer("10.0.0.7:7712", 7711).message.contains("let port 7712 pass"))
    #expect(Command.noAnswer("10.0.0.7", 7711).message.contains("let port 7711 pass"))
    #expect(Command.noAnswer(nil, 7711).message.contains("--at ADDRESS:7711."))
    #expect(Command.noAnswer(nil, 7699).message.contains("--at ADDRESS."))
  }

  @Test func whatCannotBeKeptIsToldToBothAndTheCodeStaysGood() async throws {
    let (host, code, at) = try await pair()
    // A link to a folder in which nobody can write, not even root.
    try Files.makeFolder("\(kitchen.folder.path)/.config")
    #expect(symlink("/proc/nowhere", folder(kitchen)) == 0)
    let failed = try kitchen.lunara("join", code, "--at", at)
    #expect(await failed.ended() == .exited(1), "\(failed.printed)")
    #expect(await host.hasPrinted("lost"))
    unlink(folder(kitchen))
    let again = try kitchen.lunara("join", code, "--at", at)
    #expect(await again.ended() == .exited(0), "\(again.printed)")
  }

  @Test func whoIsSentTheKeysAndHangsUpIsNamedWithWhatToDo() async throws {
    let host = try attic.lunara("pair", "--port", "0")
    try #require(await host.hasPrinted(" --at "), "\(host.printed)")
    let words = host.printed.split { $0.isWhitespace }
    let command = try #require(words.firstIndex(of: "join"))
    let (code, at) = (String(words[command + 1]), String(words[command + 3]))
    let place = try #require(Command.pairingAddress(at, 0))
    let machine = PairingMachine(name: "thief", version: "1")
    let joiner = try PairingJoiner(code: #require(PairingCode(code)), machine: machine)
    struct HungUp: Error {}
    #expect(throws: HungUp.self) {
      for address in SocketAddress.resolve(place.host, place.port) {
        _ = try PairingClient.exchange(to: address, joiner) { _ in throw HungUp() }
      }
    }
    #expect(await host.hasPrinted("was sent the household's keys"), "\(host.printed)")
    #expect(host.printed.contains("thief") && host.printed.contains("A lost key"))
  }

  @Test func aSearchFindsTheMachineThatPairs() async throws {
    let (host, _, at) = try await pair()
    let port = try #require(UInt16(at.split(separator: ":").last ?? ""))
    // Loopback has a broadcast address as well, and no other machine on it.
    let found = PairingClient.search(at: SocketAddress.resolve("127.255.255.255", port), within: .seconds(30))
    #expect(found.map(\.port) == [port] && found.first?.host.hasPrefix("127.") == true, "\(host.printed)")
  }

  @Test func joiningWhereNobodyPairsIsReported() async throws {
    // A port that was free a moment ago.
    let port = NetworkSocket.port(of: try NetworkSocket.listener(0))
    let join = try kitchen.lunara("join", "K7QM-3XPD", "--at", "127.0.0.1:\(port)", "--json")
    #expect(await join.ended() == .exited(3) && join.printed.contains("cli.pairNobody"), "\(join.printed)")
  }

  @Test func whatIsNoCodeIsWrongUsage() async throws {
    let join = try kitchen.lunara("join", "kitchen", "--json")
    #expect(await join.ended() == .exited(2) && join.printed.contains("eight letters"))
  }

  private static func id(of key: String) throws -> String {
    let folder = TemporaryDirectory()
    try Files.replace("\(folder.path)/key", with: key)
    chmod("\(folder.path)/key", 0o600)
    return try #require(KeyFile(at: "\(folder.path)/key").entries.first).key.id.description
  }
}
