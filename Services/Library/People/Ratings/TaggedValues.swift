import Catalogue
import Model
import MusicTags
import Storage

/// The values that owners of files wrote into tags, as the last scan found them.
enum TaggedValues {
  /// A file whose tags have such a value.
  struct Row<Value: Sendable>: Sendable {
    /// The track that is shown for the file.
    var track: Int64
    var folder: Int64
    var value: Value
  }

  /// Returns the files of a folder and below it, or of all folders, whose tags have a field with this code.
  ///
  /// - Throws: `library.unknownFolder`.
  static func rows<Value>(
    _ code: String, in folder: [UInt8]?, _ transaction: ReadTransaction, _ value: (FileTags) -> Value
  ) throws -> [Row<Value>] {
    var condition = "TRUE"
    var values: [SQLValue] = []
    if let folder {
      let path = try LinkRows.resolve(folder, transaction)
      let range = FolderRange(path)
      let bounds = [path, range.lower, range.upper]
      let isKnown: Bool? = try transaction.value(
        "SELECT 1 FROM folders d WHERE \(range.condition) LIMIT 1", path, range.lower, range.upper)
      guard isKnown == true else {
        throw LunaraError(
          "library.unknownFolder",
          "The library knows no folder \(LocalPath(bytes: folder)). `lunara folders` lists the music folders.")
      }
      condition = range.condition
      values = bounds.map { .blob($0) }
    }
    // Fields of packed tags begin after U+001F.
    return try transaction.rows(
      """
      SELECT t.shown, f.folder, f.tags FROM files f JOIN folders d ON d.id = f.folder JOIN tracks t ON t.id = f.track
      WHERE instr(f.tags, char(31) || '\(code)') > 0 AND \(condition) ORDER BY f.folder, f.id
      """, values: values
    ) { row in
      Row(
        track: try row.value(0), folder: try row.value(1), value: value(FileTags(packed: try row.value(2))))
    }
  }
}
