import Glibc
import Model
import TestSupport
import Testing

@testable import Sources

struct FolderEventTests {
  private func bytes(_ watch: Int32, _ mask: UInt32, _ name: String, padding: Int = 1) -> [UInt8] {
    let name = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
    return [UInt32(bitPattern: watch), mask, 0, UInt32(name.count)].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    } + name
  }

  private func meaning(_ mask: Int..., name: String) -> FolderEvent.Meaning {
    FolderEvent(watch: 1, mask: mask.reduce(0) { $0 | UInt32(truncatingIfNeeded: $1) }, name: Array(name.utf8)).meaning
  }

  @Test func eventsAreReadAsTheKernelLaysThemOut() {
    let buffer =
      bytes(1, 8, "a.flac", padding: 10) + bytes(2, 0x8000, "", padding: 0) + bytes(-1, 0x4000, "", padding: 0)
    let events = buffer.withUnsafeBytes(FolderEvent.events)
    #expect(events.map(\.watch) == [1, 2, -1])
    #expect(events.map(\.mask) == [8, 0x8000, 0x4000])
    #expect(events.map { String(decoding: $0.name, as: UTF8.self) } == ["a.flac", "", ""])
    // An incomplete event at the end is left out.
    #expect(buffer.dropLast(17).withUnsafeBytes(FolderEvent.events).count == 1)
  }

  @Test(arguments: [
    "a.flac", "A.MP3", "cover.jpg", "Folder.PNG", "artist.webp", "scan 1.jpeg", "x.m3u", "X.M3U8", "x.pls", "x.xspf",
    "x.nsp", "x.cue", "x.lrc",
  ])
  func musicPicturesAndTextsThatWereClosedMovedOrRemovedAreChanges(_ name: String) {
    for mask in [IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE, IN_ATTRIB] {
      #expect(meaning(Int(mask), name: name) == .change)
    }
    // A file that was just created is still empty.
    #expect(meaning(Int(IN_CREATE), name: name) == .creation)
  }

  @Test(arguments: ["a.flac.part", ".a.flac", "notes.txt", ".@__thumb", "@eaDir"])
  func otherFilesAreNoChange(_ name: String) {
    for mask in [IN_CLOSE_WRITE, IN_MOVED_TO, IN_DELETE, IN_ATTRIB] {
      #expect(meaning(Int(mask), name: name) == .nothing)
    }
  }

  @Test func foldersAndLostEventsAreChanges() {
    #expect(meaning(Int(IN_CREATE), Int(truncatingIfNeeded: IN_ISDIR), name: "New Album") == .changeBelow)
    #expect(meaning(Int(IN_DELETE), Int(truncatingIfNeeded: IN_ISDIR), name: "Album") == .changeBelow)
    #expect(meaning(Int(IN_CREATE), Int(truncatingIfNeeded: IN_ISDIR), name: ".hidden") == .nothing)
    #expect(meaning(Int(IN_CREATE), name: "link to an album") == .creation)
    #expect(meaning(Int(IN_Q_OVERFLOW), name: "") == .loss)
    #expect(meaning(Int(IN_UNMOUNT), name: "") == .loss)
    #expect(meaning(Int(IN_DELETE_SELF), name: "") == .changeBelow)
    #expect(meaning(Int(IN_ATTRIB), name: "") == .nothing)
    #expect(meaning(Int(IN_IGNORED), name: "") == .end)
  }
}
