import Messages
import Model
import Records

extension FilesSource: MusicSource {
  var name: String { Self.name }
  var kind: String { Self.kind }
  var isCheap: Bool { true }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    // A folder without music whose tracks stay listed is one whose disk is away. A silent folder may lie in a music
    // folder that answers.
    let missing = status.problems.count {
      $0.code == "library.folderMissing" || $0.code == ScanProblem.silentCode
        || status.tracks > 0 && $0.code == ScanProblem.emptyCode
    }
    let all = folders.all.count
    if all > 0, missing >= all { return "unreachable" }
    return status.tracks == 0 ? "empty" : "ready"
  }
}
