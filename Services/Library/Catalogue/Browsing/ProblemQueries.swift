import Messages
import Model
import Records
import Storage

/// The list of problems.
extension Catalogue {
  /// Returns a page of problems. The problems of single files and pictures are stored with them, those of folders and
  /// servers with the source.
  ///
  /// - Throws: `library.badCursor`.
  static func problems(
    _ request: Library.ListProblems, _ transaction: ReadTransaction
  ) throws -> Library.ProblemPage {
    // The cursor holds how many problems of sources and pictures were listed, and the last file: whether it is a track,
    // and its number.
    let after = try Cursor(request.after, of: "problems", count: 3)
    var listed = Int(clamping: try after?.number(0) ?? 0)
    var last = (isTrack: try after?.number(1) ?? -1, id: try after?.number(2) ?? 0)
    let folder = request.folder.map { MusicFolders.plain($0.bytes) }
    let others =
      try (folder == nil ? problemsOfSources(transaction) : []) + problemsOfLists(folder, transaction)
      + problemsOfPictures(folder, transaction)
    let counts =
      try count(others) + countProblemsOfFiles(folder, transaction) + LeftOutRows.counts(in: folder, transaction)
    var page = Library.ProblemPage(items: [], counts: counts.sorted { ($0.count, $1.code) > ($1.count, $0.code) })
    var budget = PageBudget(items: limit(request.limit), reserved: 100 + 60 * page.counts.count)
    if request.only == .unused || request.only == .ignored {
      return try leftOut(request, folder, page, budget, transaction)
    }
    func next() -> String? { Cursor("problems", [Int64(listed), last.isTrack, last.id]).text }
    for problem in others.dropFirst(listed) {
      if request.only == nil || request.only == problem.kind {
        guard budget.admits(problem.size) else {
          page.next = next()
          return page
        }
        page.items.append(problem)
      }
      listed += 1
    }
    for row in try problemsOfFiles(request.only, folder, after: last, limit: budget.items + 1, transaction) {
      guard budget.admits(row.problem.size) else {
        page.next = next()
        return page
      }
      page.items.append(row.problem)
      last = (row.isTrack, row.id)
    }
    return page
  }

  /// Returns a page of what is not taken. Its cursor holds how many rows were listed.
  private static func leftOut(
    _ request: Library.ListProblems, _ folder: [UInt8]?, _ page: Library.ProblemPage, _ budget: PageBudget,
    _ transaction: ReadTransaction
  ) throws -> Library.ProblemPage {
    var (page, budget) = (page, budget)
    var listed = Int(clamping: try Cursor(request.after, of: "problems", count: 3)?.number(0) ?? 0)
    let rows = try LeftOutRows.problems(
      request.only ?? .unused, in: folder, after: max(0, listed), limit: budget.items + 1, transaction)
    for problem in rows {
      guard budget.admits(problem.size) else {
        page.next = Cursor("problems", [Int64(listed), 0, 0]).text
        break
      }
      page.items.append(problem)
      listed += 1
    }
    return page
  }

  private static func problemsOfSources(_ transaction: ReadTransaction) throws -> [Library.Problem] {
    try transaction.rows("SELECT name, problems FROM sources ORDER BY position, name") { row in
      let source: String = try row.value(0)
      let problems = try MessageCoding.decode([LunaraError].self, from: (try row.value(1) as String).utf8)
      return problems.filter { !Library.ProblemKind.ofFiles.contains($0.code) }.map {
        Library.Problem(kind: Library.ProblemKind(code: $0.code), source: source, problem: $0)
      }
    }.flatMap(\.self)
  }

  /// Returns the pictures of folders and files that cannot be shown.
  private static func problemsOfPictures(
    _ folder: [UInt8]?, _ transaction: ReadTransaction
  ) throws -> [Library.Problem] {
    let broken = try transaction.rows(
      "SELECT reference, min(problem) FROM pictures WHERE problem IS NOT NULL GROUP BY reference"
    ) { (reference: try $0.value(0) as String, cause: try $0.value(1) as String) }
    return try broken.compactMap { picture in
      guard let id = ArtID(picture.reference), id.source == MusicFolders.source,
        let path = try currentFile(of: id, transaction),
        folder.map({ FilePath.isWithin(path.bytes, $0) }) ?? true
      else { return nil }
      return Library.Problem(
        kind: .cover, source: MusicFolders.source, path: path,
        problem: LunaraError(
          "library.pictureBroken", "The picture in \(path) cannot be shown. Replace it.", cause: picture.cause))
    }
  }

  /// Returns the file of a picture; nil for one that was replaced or is gone.
  static func currentFile(of id: ArtID, _ transaction: ReadTransaction) throws -> LocalPath? {
    guard id.source == MusicFolders.source else { return nil }
    do {
      let found = try file(of: id, transaction)
      return found.reference.native == id.native ? found.path : nil
    } catch let error as LunaraError where error.code == "library.unknownID" {
      return nil
    }
  }

  private static let codeOfFile = "json_extract(f.problem, '$.code')"

  /// Returns the condition for files in a folder and below it, and its values.
  private static func within(_ folder: [UInt8]?) -> (condition: String, values: [SQLValue]) {
    guard let folder else { return ("TRUE", []) }
    let (inside, end) = FilePath.range(below: folder)
    return ("(d.path = ? OR (d.path >= ? AND d.path < ?))", [.blob(folder), .blob(inside), .blob(end)])
  }

  private static func problemsOfFiles(
    _ only: Library.ProblemKind?, _ folder: [UInt8]?, after last: (isTrack: Int64, id: Int64), limit: Int,
    _ transaction: ReadTransaction
  ) throws -> [(problem: Library.Problem, isTrack: Int64, id: Int64)] {
    let place = within(folder)
    let codes = only.map { kind in Library.ProblemKind.ofFiles.filter { Library.ProblemKind(code: $0) == kind } }
    let isOfKind = codes.map { "\(codeOfFile) IN (\($0.map { _ in "?" }.joined(separator: ", ")))" } ?? "TRUE"
    return try transaction.rows(
      """
      SELECT f.id, f.track IS NOT NULL, d.path, f.name, f.problem, t.source || ':t' || t.shown
      FROM files f JOIN folders d ON d.id = f.folder LEFT JOIN tracks t ON t.id = f.track
      WHERE f.problem IS NOT NULL AND (f.track IS NOT NULL, f.id) > (?, ?) AND \(place.condition) AND \(isOfKind)
      ORDER BY f.track IS NOT NULL, f.id LIMIT ?
      """,
      values: [SQLValue.integer(last.isTrack), .integer(last.id)] + place.values
        + (codes ?? []).map { .text($0) } + [.integer(Int64(limit))]
    ) { row in
      let problem = try MessageCoding.decode(LunaraError.self, from: (try row.value(4) as String).utf8)
      return (
        Library.Problem(
          kind: Library.ProblemKind(code: problem.code), source: MusicFolders.source,
          path: path(try row.value(2), try row.value(3)), problem: problem, track: try row.value(5)),
        try row.value(1), try row.value(0)
      )
    }
  }

  private static func countProblemsOfFiles(
    _ folder: [UInt8]?, _ transaction: ReadTransaction
  ) throws -> [Library.ProblemCount] {
    let place = within(folder)
    let from = folder == nil ? "files f" : "folders d CROSS JOIN files f ON f.folder = d.id"
    return try transaction.rows(
      """
      SELECT \(codeOfFile), count(*) FROM \(from) WHERE f.problem IS NOT NULL AND \(place.condition) GROUP BY 1
      """, values: place.values
    ) { row in
      let code: String = try row.value(0)
      return Library.ProblemCount(kind: Library.ProblemKind(code: code), code: code, count: try row.value(1))
    }
  }

  private static func count(_ problems: [Library.Problem]) -> [Library.ProblemCount] {
    Dictionary(grouping: problems, by: \.problem.code).map { code, problems in
      Library.ProblemCount(kind: Library.ProblemKind(code: code), code: code, count: problems.count)
    }
  }
}

extension Library.ProblemKind {
  /// The codes of problems that are stored with a file.
  static let ofFiles = [
    "library.fileBroken", ScanProblem.breaksReaderCode, ScanProblem.unreadableCode, "library.fileUntagged",
    ScanProblem.cueCode, ScanProblem.truncatedCode, ScanProblem.encodingCode,
  ]

  init(code: String) {
    switch code {
    case "library.fileBroken", ScanProblem.breaksReaderCode, ScanProblem.truncatedCode: self = .damaged
    case ScanProblem.unreadableCode, "library.folderUnreadable", "library.ignoreFileUnreadable": self = .unreadable
    case "library.fileUntagged": self = .untagged
    case ScanProblem.encodingCode: self = .encoding
    case ScanProblem.cueCode: self = .cue
    case "library.pictureBroken": self = .cover
    case ScanProblem.unusedCode: self = .unused
    case ScanProblem.ignoredCode: self = .ignored
    case "library.folderMissing", "library.folderEmpty", ScanProblem.silentCode, ScanProblem.slowCode,
      "library.otherDevice", "library.notWatched", "library.watchLimit", "library.noFolders", ScanProblem.heldCode,
      SourceError.heldListsCode:
      self = .folder
    default: self = .source
    }
  }
}

extension Library.Problem: SizedItem {
  var size: Int {
    200 + 3 * (path?.bytes.count ?? 0) + 2 * problem.message.utf8.count + 2 * (problem.cause?.utf8.count ?? 0)
  }
}
