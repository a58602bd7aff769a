import System
import TestSupport
import Testing

@testable import lunara

/// Archives of tar, read as they arrive.
@Suite struct TarReaderTests {
  private let folder = TemporaryDirectory()

  /// Returns the bytes of an archive of the folder's files, as tar writes it.
  private func archive(_ options: String..., of names: String...) throws -> [UInt8] {
    let file = "\(folder.path)/archive.tar"
    let words = ["--create", "--file=\(file)", "--directory=\(folder.path)"] + options + names
    #expect(try SystemProgram("tar", environment: Environment())?.run(words) == nil)
    return try Files.read(file, limit: 1 << 24)
  }

  /// Returns the names, sizes and contents of an archive's members, whose bytes arrive in pieces of a length.
  private func members(_ bytes: [UInt8], by piece: Int = 1000) throws -> [String] {
    var rest = bytes[...]
    var tar = TarReader { count in
      defer { rest = rest.dropFirst(min(count, piece)) }
      return Array(rest.prefix(min(count, piece)))
    }
    var found: [String] = []
    while let member = try tar.next() {
      var content: [UInt8] = []
      if member.name.hasSuffix(".txt") {
        while case let more = try tar.content(upTo: 700), !more.isEmpty { content += more }
      }
      found.append("\(member.name) \(member.size) \(member.isFile) \(content.count)")
    }
    return found
  }

  /// Corrects the checksum of the header at a position.
  private func writeChecksum(of archive: inout [UInt8], at start: Int) {
    let field = start + 148..<start + 156
    let sum = (start..<start + 512).reduce(0) { $0 + (field.contains($1) ? 32 : Int(archive[$1])) }
    archive.replaceSubrange(field, with: Array(String(sum + 0o1000000, radix: 8).utf8.suffix(6)) + [0, 32])
  }

  @Test func membersOfAllFormatsAreReadWhateverTheirBytesComeIn() throws {
    let long = String(repeating: "n", count: 140) + ".txt"
    for (name, size) in [("a.txt", 5), ("b.bin", 2000), (long, 512)] {
      try Files.replace("\(folder.path)/\(name)", with: [UInt8](repeating: 7, count: size))
    }
    try Files.makeFolder("\(folder.path)/folder")
    for piece in [1, 512, 1 << 20] {
      let found = try members(try archive("--format=posix", of: "a.txt", "folder", "b.bin", long), by: piece)
      #expect(found == ["a.txt 5 true 5", "folder/ 0 false 0", "b.bin 2000 true 0", "\(long) 512 true 512"])
    }
    #expect(
      try members(try archive("--format=ustar", of: "a.txt", "b.bin")) == ["a.txt 5 true 5", "b.bin 2000 true 0"])
  }

  @Test func anArchiveThatIsNoneOrCutShortOrLiesIsAFault() throws {
    try Files.replace("\(folder.path)/a.txt", with: [UInt8](repeating: 7, count: 3000))
    let bytes = try archive("--format=posix", of: "a.txt")
    for length in [0, 1, 511, 600, 1536, 3000] {
      #expect(throws: TarReader.Fault.self) { try members(Array(bytes.prefix(length))) }
    }
    #expect(throws: TarReader.Fault.self) { try members([UInt8](repeating: 65, count: 4096)) }
    // A header in front of a member that would fill the memory is not read.
    var header = [UInt8](repeating: 0, count: 512)
    header.replaceSubrange(0..<1, with: Array("x".utf8))
    header.replaceSubrange(124..<135, with: Array("77777777777".utf8))
    header[156] = UInt8(ascii: "x")
    writeChecksum(of: &header, at: 0)
    let fault = #expect(throws: TarReader.Fault.self) { try members(header) }
    #expect(fault?.text.contains("a header of") == true)
  }

  @Test func noBytesTrapTheReader() throws {
    try Files.replace("\(folder.path)/a.txt", with: [UInt8](repeating: 7, count: 300))
    let bytes = try archive("--format=posix", of: "a.txt")
    var state: UInt64 = 7
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        changed[Int(state >> 33) % 2048] = UInt8(truncatingIfNeeded: state >> 20)
      }
      for start in [0, 1024] { writeChecksum(of: &changed, at: start) }
      do { _ = try members(changed, by: 1 << 20) } catch is TarReader.Fault {}
    }
  }
}
