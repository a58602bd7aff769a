import Glibc
import Model
import TestSupport
import Testing

@testable import Bus

@Suite struct KeyFileTests {
  private let files = KeyFiles()

  @Test func theFirstKeySealsAndAllAreThere() throws {
    files.write("# ours", KeyFiles.first, "", "\t\(KeyFiles.second)  next\r", " # and a remark")
    let ring = try KeyRing(file: files.path)
    #expect(ring.ids.count == 2)
    #expect(ring.first.id == ring.ids[0])
    #expect(ring.key(ring.ids[1])?.id == ring.ids[1])
    let file = try KeyFile(at: files.path)
    #expect(file.entries.map(\.mark) == [nil, .next])
    #expect(file.comments == ["# ours", " # and a remark"])
  }

  @Test func theTagThatIsSaidInPublicIsOfTheKeyAndNeitherItsIdNorASecret() throws {
    files.write(KeyFiles.first, KeyFiles.second)
    let ring = try KeyRing(file: files.path)
    #expect(ring.tags.count == 2 && Set(ring.tags).count == 2)
    #expect(ring.tags == (try KeyRing(file: files.path)).tags)
    #expect(ring.tags.allSatisfy { $0.count == 16 })
    #expect(Set(ring.tags).isDisjoint(with: ring.ids.map(\.description)))
    #expect(!ring.first.secretText.contains(ring.tags[0]))
  }

  @Test func aMissingFileHasItsOwnError() {
    #expect(code { try KeyRing(file: files.path) } == "bus.noKeyFile")
    #expect(code { try KeyRing(file: "/dev/null/household.key") } == "bus.noKeyFile")
  }

  @Test(arguments: [0o644, 0o604, 0o602, 0o660, 0o620, 0o700, 0o601, 0o4600, 0o777])
  func aModeThatLetsOthersInIsRefused(mode: Int) {
    files.write(KeyFiles.first, mode: mode_t(mode))
    #expect(code { try KeyRing(file: files.path) } == "bus.unsafeKeyFile")
  }

  @Test func rightsAreJudgedByOwnerGroupAndMode() {
    func isRefused(owner: UInt32, group: UInt32, mode: UInt32, user: UInt32 = 1000) -> Bool {
      KeyFilePermissions(owner: owner, group: group, mode: mode).problem(forUser: user) != nil
    }
    #expect(!isRefused(owner: 1000, group: 1000, mode: 0o600))
    #expect(!isRefused(owner: 1000, group: 1000, mode: 0o400))
    #expect(!isRefused(owner: 0, group: 997, mode: 0o640))
    #expect(!isRefused(owner: 1000, group: 997, mode: 0o640))
    #expect(isRefused(owner: 1000, group: 1000, mode: 0o640))
    #expect(isRefused(owner: 0, group: 100, mode: 0o640))
    #expect(isRefused(owner: 1001, group: 997, mode: 0o640))
    #expect(isRefused(owner: 1001, group: 1001, mode: 0o600, user: 0))
    #expect(KeyFilePermissions(isFile: false, owner: 1000, group: 1000, mode: 0o600).problem(forUser: 1000) != nil)
  }

  @Test func onlyARegularFileIsRead() throws {
    files.write(KeyFiles.first)
    let link = "\(files.folder.path)/link"
    #expect(symlink(files.path, link) == 0)
    #expect(code { try KeyRing(file: link) } == "bus.unsafeKeyFile")
    let pipe = "\(files.folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(code { try KeyRing(file: pipe) } == "bus.unsafeKeyFile")
    #expect(code { try KeyRing(file: files.folder.path) } == "bus.unsafeKeyFile")
  }

  @Test(arguments: [
    "", "# nothing", "lunara-key-1", "lunara-key-2 \(String(repeating: "01", count: 32))",
    "lunara-key-1 \(String(repeating: "01", count: 31))", "lunara-key-1 \(String(repeating: "01", count: 33))",
    "lunara-key-1 \(String(repeating: "0g", count: 32))", KeyFiles.first + " later", KeyFiles.first + " next next",
    KeyFiles.first + "\n" + KeyFiles.first, KeyFiles.first + "\nrubbish", "\u{0}",
    String(repeating: "#", count: 70_000),
    (1...9).map { "lunara-key-1 " + String(repeating: "0\($0)", count: 32) }.joined(separator: "\n"),
  ])
  func whatHoldsNoKeysIsRefused(text: String) {
    files.write(text)
    #expect(code { try KeyRing(file: files.path) } == "bus.badKeyFile")
  }

  @Test func aRingKeepsItsKeysWhenTheFileBecomesInvalid() throws {
    let ring = try files.ring(KeyFiles.first)
    let ids = ring.ids
    files.write("rubbish")
    #expect(code { try ring.reload() } == "bus.badKeyFile")
    files.write(KeyFiles.second, mode: 0o644)
    #expect(code { try ring.reload() } == "bus.unsafeKeyFile")
    unlink(files.path)
    #expect(code { try ring.reload() } == "bus.noKeyFile")
    #expect(ring.ids == ids)
    files.write(KeyFiles.second)
    try ring.reload()
    #expect(ring.ids.count == 1 && ring.ids != ids)
  }

  @Test func noDescriptionShowsAKey() throws {
    files.write(KeyFiles.second)
    let key = try #require(try KeyFile(at: files.path).entries.first?.key)
    var dumped = ""
    dump(try KeyFile(at: files.path), to: &dumped)
    dump(try KeyRing(file: files.path), to: &dumped)
    for text in ["\(key)", String(reflecting: key), "\(try KeyFile(at: files.path))", dumped] {
      #expect(!text.contains("a5a5") && !text.contains("165") && !text.lowercased().contains("0x"), "\(text)")
    }
  }

  @Test func aKeyHasTheSameIDEverywhere() throws {
    // Made with Python: hashlib.blake2b(b"lunara-key-id-1", key=bytes([1]*32), digest_size=32).digest()[:8]
    #expect(try files.ring(KeyFiles.first).ids.map(\.description) == ["fdc601a3873fc28e"])
  }
}
