import Messages
import Model
import Records

extension FilesSource: MusicSource {
  var name: String { Self.name }
  var kind: String { Self.kind }
  var isCheap: Bool { true }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    // A folder without music whose tracks stay listed is one whose disk is away.
    let missing = status.problems.count {
      $0.code == "library.folderMissing" || status.tracks > 0 && $0.code == ScanProblem.emptyCode
    }
    let all = folders.all
    let silent = silent.silent
    // A silent folder may also lie in a music folder that answers.
    let away = missing + all.count { silent[PathKey($0)] != nil }
    if !all.isEmpty, away >= all.count { return "unreachable" }
    return status.tracks == 0 ? "empty" : "ready"
  }
}
