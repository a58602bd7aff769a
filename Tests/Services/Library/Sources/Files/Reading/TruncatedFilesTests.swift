import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// Files whose end is missing, read by the real tag readers.
@Suite(.timeLimit(.minutes(3)))
struct TruncatedFilesTests {
  private static let formats: [(name: String, options: [String])] = [
    ("a.flac", []), ("a.wav", []), ("a.aiff", []), ("a.m4a", ["-movflags", "+faststart"]),
    ("a.mp3", ["-b:a", "192k"]), ("a.caf", []), ("a.ogg", ["-ar", "48000"]), ("a.opus", []),
    ("a.wv", []), ("a.tta", []), ("a.mka", []),
  ]

  private func path(_ catalogue: TestCatalogue, _ name: String) -> String {
    String(decoding: catalogue.tree.path(name), as: UTF8.self)
  }

  private func codes(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.problems().filter { $0 != "library.fileUntagged" }
  }

  @Test(arguments: formats.indices) func aFileWithoutItsEndIsDamagedAndStaysListed(_ index: Int) async throws {
    let (name, options) = Self.formats[index]
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue, name), ["-metadata", "title=Song", "-metadata", "artist=A"] + options)
    try await catalogue.refresh()
    #expect(try await codes(catalogue).isEmpty)
    let whole = try catalogue.tree.bytes(of: name)
    try catalogue.tree.write(Array(whole.prefix(whole.count / 2)), to: name)
    try await catalogue.refresh()
    #expect(try await codes(catalogue) == ["library.fileTruncated"])
    #expect(try await catalogue.tracks().count == 1)
    let page = try await catalogue.database.read { try Catalogue.problems(Library.ListProblems(only: .damaged), $0) }
    #expect(page.items.count == 1 && page.items[0].track != nil)
    // A moved file is not read again, and is damaged as before.
    try catalogue.tree.move(name, to: "b/\(name)")
    try await catalogue.refresh()
    #expect(try await codes(catalogue) == ["library.fileTruncated"])
    try catalogue.tree.write(whole, to: "b/\(name)")
    try await catalogue.refresh()
    #expect(try await codes(catalogue).isEmpty)
  }

  @Test func tagsAtTheEndDoNotMakeAWholeFileDamaged() async throws {
    let catalogue = try TestCatalogue()
    let id3v1 = Array("TAGOld".utf8) + [UInt8](repeating: 0, count: 121) + [255]
    for (name, options) in Self.formats {
      try await FFmpeg.sine(path(catalogue, name), ["-metadata", "title=Song"] + options)
      try catalogue.tree.write(try catalogue.tree.bytes(of: name) + id3v1, to: name)
    }
    try await catalogue.refresh()
    #expect(try await codes(catalogue).isEmpty)
  }

  @Test func aSeekTableTellsWithoutTheLastFrame() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(path(catalogue, "a.flac"), ["-metadata", "title=Song"])
    let whole = try catalogue.tree.bytes(of: "a.flac")
    func file(lastPoint: Int) -> [UInt8] {
      func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
      }
      let first = big(0, 8) + big(0, 8) + big(4096, 2)
      let last = big(80_000, 8) + big(lastPoint, 8) + big(4096, 2)
      let free = [UInt8](repeating: 255, count: 8) + [UInt8](repeating: 0, count: 10)
      let table = first + last + free
      return Array(whole[..<42]) + [3] + big(table.count, 3) + table + Array(whole[42...])
    }
    try catalogue.tree.write(file(lastPoint: whole.count - 10_000), to: "a.flac")
    try await catalogue.refresh()
    #expect(try await codes(catalogue).isEmpty)
    try catalogue.tree.write(file(lastPoint: whole.count + 10_000), to: "a.flac")
    try await catalogue.refresh()
    #expect(try await codes(catalogue) == ["library.fileTruncated"])
  }
}
