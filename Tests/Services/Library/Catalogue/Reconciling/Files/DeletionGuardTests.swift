import Messages
import Model
import Testing

@testable import Catalogue
@testable import Records

struct DeletionGuardTests {
  private let root = Array("/music".utf8)

  /// Tracks in folders, ten each, all on device 1, with a scan that finds none of them.
  private func known(_ folders: [String]) -> KnownFiles {
    KnownFiles(
      folders.enumerated().map { index, path in
        let id = Int64(index + 1)
        var folder = KnownFiles.Folder(id: id, path: Array(path.utf8), device: 1)
        for number in 0..<10 {
          let file = id * 100 + Int64(number)
          folder.files[PathKey([UInt8(number)])] = KnownFiles.File(
            id: file, folder: id, stamp: FileStamp(inode: file, size: 1, modified: 1), track: file)
        }
        return folder
      })
  }

  private func scan(_ devices: [String: Int64], roots: [String] = ["/music"], unreadable: [String] = []) -> ScanResult {
    var scan = ScanResult()
    for (path, device) in devices { scan.devices[PathKey(Array(path.utf8))] = device }
    scan.roots = roots.map { Array($0.utf8) }
    scan.unreadable = unreadable.map { Array($0.utf8) }
    return scan
  }

  private func decide(
    _ known: KnownFiles, _ scan: ScanResult, roots: [[UInt8]]? = nil, accepts: Bool = false
  ) -> DeletionGuard {
    let vanished = FileMatching(scan, known).vanished
    return DeletionGuard(vanished, scan: scan, known: known, roots: roots ?? [root], accepts: accepts)
  }

  @Test func missingFilesAreDeleted() {
    let decision = decide(known(["/music/a"]), scan(["/music": 1, "/music/b": 1]))
    #expect(decision.deletable.count == 10 && decision.held == 0 && decision.problems.isEmpty)
  }

  @Test func aMissingRootDeletesNothing() {
    let decision = decide(known(["/music/a"]), scan([:], roots: []))
    #expect(decision.deletable.isEmpty && decision.held == 10)
  }

  @Test func anEmptyRootDeletesNothingAndSaysSo() {
    let decision = decide(known(["/music/a"]), scan(["/music": 1], roots: []))
    #expect(decision.deletable.isEmpty && decision.held == 10)
    #expect(decision.problems.map(\.code) == ["library.folderEmpty"])
    #expect(decision.problems[0].message.contains("/music") && decision.problems[0].message.contains("accept"))
  }

  @Test func aRootOnAnotherDeviceDeletesNothing() {
    let decision = decide(known(["/music/a"]), scan(["/music": 2, "/music/b": 2]))
    #expect(decision.deletable.isEmpty && decision.held == 10)
    #expect(decision.problems.map(\.code) == ["library.otherDevice"])
  }

  @Test func aDiskThatIsNoLongerMountedWithinARootDeletesNothing() {
    // The mount point exists, is empty, and belongs to the surrounding disk: device 2 instead of 1.
    let decision = decide(known(["/music/disk/a"]), scan(["/music": 2, "/music/b": 2, "/music/disk": 2]))
    #expect(decision.deletable.isEmpty && decision.held == 10)
    #expect(decision.problems[0].message.contains("/music/disk"))
  }

  @Test func aFolderThatCannotBeReadDeletesNothingBelowEvenIfDeletionsAreAccepted() {
    let found = scan(["/music": 1], unreadable: ["/music/a"])
    #expect(decide(known(["/music/a", "/music/a/b"]), found, accepts: true).deletable.isEmpty)
    #expect(decide(known(["/music/ab"]), found).deletable.count == 10)
  }

  @Test func acceptedDeletionsGoOn() {
    for found in [scan([:], roots: []), scan(["/music": 1], roots: []), scan(["/music": 2, "/music/b": 2])] {
      #expect(decide(known(["/music/a"]), found, accepts: true).deletable.count == 10)
    }
  }

  @Test func aFolderTakenOutOfTheSettingsIsDeleted() {
    let found = scan(["/other": 1], roots: ["/other"])
    #expect(decide(known(["/music/a"]), found, roots: [Array("/other".utf8)]).deletable.count == 10)
  }

  @Test(arguments: [
    (40, 5, true), (41, 5, false), (39, 5, true), (20, 4, false), (10, 10, true),
  ])
  func moreThanAQuarterWithFiveAlbumsIsHeld(_ all: Int, _ albums: Int, _ isHeld: Bool) {
    // Ten tracks of that many are missing.
    var decision = decide(known(["/music/a"]), scan(["/music": 1, "/music/b": 1]))
    decision.holdBackIfTooMany(known: all == 40 ? 39 : all, found: all - 10) { albums }
    #expect(decision.deletable.isEmpty == isHeld)
    #expect(decision.held == (isHeld ? 10 : 0))
    #expect(decision.problems.map(\.code) == (isHeld ? ["library.deletionsHeld"] : []))
  }

  @Test func whereNothingIsFoundNothingIsDeleted() {
    var decision = decide(known(["/music/a"]), scan(["/other": 1], roots: ["/other"]), roots: [Array("/other".utf8)])
    decision.holdBackIfTooMany(known: 10, found: 0) { 1 }
    #expect(decision.deletable.isEmpty && decision.problems.map(\.code) == ["library.deletionsHeld"])
  }
}
