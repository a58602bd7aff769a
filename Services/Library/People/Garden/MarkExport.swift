import Catalogue
import Messages
import Model
import Records
import Storage

/// Writes out the files of confirmed marks, for a person to delete. Nothing here touches a file.
enum MarkExport {
  /// The most files of a part.
  private static let longestPart = 400

  /// One line of an export: a file, or an id at a server.
  private struct Line {
    var mark: Int64
    var number: Int64
    /// The path; nil for one that the form cannot name.
    var text: String?
  }

  /// Returns a part of the text. Throws `library.badCursor`, `library.badMark` for an unknown form.
  static func part(
    _ request: Library.ExportMarks, _ transaction: ReadTransaction
  ) throws -> Library.MarkExport {
    guard request.form != .unknown else {
      throw LunaraError("library.badMark", "Marks are exported as paths, script or ids.")
    }
    let cursor = try Cursor(request.after, of: "marks-\(request.form.rawValue)", count: 2)
    let start = (mark: try cursor?.number(0) ?? 0, number: try cursor?.number(1) ?? 0)
    var lines: [Line] = []
    var text = ""
    if cursor == nil, request.form == .script { text = head }
    let marks = try transaction.rows(
      """
      SELECT m.id, s.kind, s.shown, s.artist, s.title, m.reason FROM garden_marks m
      JOIN subjects s ON s.id = m.subject
      WHERE m.state = 'confirmed' AND s.shown IS NOT NULL AND m.id >= ?
        AND NOT EXISTS (SELECT 1 FROM garden_marks x JOIN subjects o ON o.id = x.subject
          WHERE x.id < m.id AND x.state = 'confirmed' AND o.kind = s.kind AND o.shown = s.shown)
        AND NOT EXISTS (SELECT 1 FROM garden_marks x JOIN subjects o ON o.id = x.subject
          WHERE x.state <> 'confirmed' AND o.kind = s.kind AND o.shown = s.shown)
      ORDER BY m.id
      """, start.mark
    ) { row in
      (
        id: try row.value(0) as Int64, kind: GardenSubjects.kind(of: try row.value(1)),
        shown: try row.value(2) as Int64, artist: try row.value(3) as String, title: try row.value(4) as String,
        reason: try row.value(5) as String
      )
    }
    for mark in marks {
      let after = mark.id == start.mark ? start.number : 0
      let room = longestPart - lines.count
      let found =
        request.form == .ids
        ? try ids(mark.id, mark.kind, mark.shown, after, room, transaction)
        : try paths(mark.id, mark.kind, mark.shown, after, room, transaction)
      if request.form == .script, after == 0, !found.isEmpty {
        let names = mark.kind == .artist ? mark.artist : "\(mark.artist): \(mark.title)"
        text += "\n# \(comment(names))\(mark.reason.isEmpty ? "" : " (\(comment(mark.reason)))")\n"
      }
      for line in found {
        guard let path = line.text else { continue }
        text += request.form == .script ? "# rm -- \(quoted(path))\n" : "\(path)\n"
      }
      lines += found
      if found.count == room { break }
    }
    let isFull = lines.count == longestPart
    return Library.MarkExport(
      text: text, items: lines.count { $0.text != nil }, leftOut: lines.count { $0.text == nil },
      next: isFull
        ? lines.last.map { Cursor("marks-\(request.form.rawValue)", [$0.mark, $0.number]).text } : nil)
  }

  private static let head = """
    #!/bin/sh
    # Files of albums, artists and tracks that are marked for deletion in Lunara and confirmed.
    # Read this script first. Every deletion is commented out: take the # and the blank away where you agree.
    set -eu

    """

  /// Returns a text that cannot end the comment that it is in.
  private static func comment(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Returns a path as one word of a shell. It goes by scalars, as a quote with a combining mark is another character.
  static func quoted(_ path: String) -> String {
    var text = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in path.unicodeScalars {
      if scalar == "'" { text.append(contentsOf: "'\\''".unicodeScalars) } else { text.append(scalar) }
    }
    text.append("'")
    return String(text)
  }

  /// Returns the files of a thing after a track. A file of which another thing has a part too is not named.
  private static func paths(
    _ mark: Int64, _ kind: Library.GardenKind, _ shown: Int64, _ after: Int64, _ limit: Int,
    _ transaction: ReadTransaction
  ) throws -> [Line] {
    let tracks = Catalogue.tracks(of: kind)
    return try transaction.rows(
      """
      SELECT min(f.track), d.path, f.name, EXISTS (SELECT 1 FROM files o WHERE o.folder = f.folder AND o.name = f.name
        AND o.track IS NOT NULL AND o.track NOT IN (SELECT t.id FROM \(tracks)))
      FROM files f JOIN folders d ON d.id = f.folder WHERE f.track IN (SELECT t.id FROM \(tracks))
      GROUP BY f.folder, f.name HAVING min(f.track) > ?2 ORDER BY 1 LIMIT ?3
      """, shown, after, limit
    ) { row in
      let path = FilePath.join(try row.value(1) as [UInt8], try row.value(2) as [UInt8])
      let isShared: Bool = try row.value(3)
      return Line(mark: mark, number: try row.value(0), text: isShared ? nil : text(of: path))
    }
  }

  /// Returns a path as text; nil if it is no UTF-8, or has control characters.
  private static func text(of path: [UInt8]) -> String? {
    guard let text = String(validating: path, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
  }

  /// Returns the ids that servers have for a thing.
  private static func ids(
    _ mark: Int64, _ kind: Library.GardenKind, _ shown: Int64, _ after: Int64, _ limit: Int,
    _ transaction: ReadTransaction
  ) throws -> [Line] {
    let rows =
      switch kind {
      case .track:
        """
        SELECT id, source, native FROM tracks WHERE (id = ?1 OR (shown = ?1 AND shown <> id)) AND native IS NOT NULL
        """
      case .artist:
        """
        SELECT row_number() OVER (ORDER BY source, native), source, native FROM artist_members
        WHERE key = (SELECT key FROM artists WHERE id = ?1)
        """
      default:
        "SELECT id, source, key FROM albums WHERE shelf = ?1 AND source <> '\(MusicFolders.source)'"
      }
    return try transaction.rows(
      """
      WITH found (number, source, native) AS (\(rows))
      SELECT number, source, native FROM found WHERE number > ?2 ORDER BY number LIMIT ?3
      """, shown, after, limit
    ) { row in
      Line(mark: mark, number: try row.value(0), text: "\(try row.value(1) as String)\t\(try row.value(2) as String)")
    }
  }
}
