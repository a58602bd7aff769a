import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// Writes marks for deletion, each change in one transaction with its fact. A thing has one mark.
struct MarkStore {
  let now: Timestamp
  let journal: Journal?
  let transaction: Transaction

  /// Throws `library.unknownID`, `library.badNote`.
  func mark(_ request: Library.MarkForDeletion) throws -> Library.Mark {
    let item = try GardenSubjects.item(request.id, transaction)
    let reason = try request.reason.map { reason in
      GardenText.cleaned(reason).isEmpty ? "" : try GardenText.checked(reason, "A reason")
    }
    let known: Int64? = try transaction.value(
      """
      SELECT m.id FROM garden_marks m JOIN subjects s ON s.id = m.subject WHERE s.kind = ? AND s.shown = ?
      ORDER BY m.id LIMIT 1
      """, item.kind, item.number)
    if let known {
      try transaction.execute(
        """
        UPDATE garden_marks SET reason = ifnull(?, reason), state = ?,
          marked_at = CASE WHEN state = ?2 THEN marked_at ELSE ? END, decided_at = NULL WHERE id = ?
        """, reason, Library.MarkState.marked.rawValue, now, known)
      return try changed(known)
    }
    return try changed(
      try insert(
        uid: UniqueID<Library.Mark>.random().rawValue, try Subjects(transaction).subject(for: item),
        reason ?? "", at: now, .marked))
  }

  /// Adds the row of a mark, and returns its number.
  func insert(
    uid: String, _ subject: Int64, _ reason: String, at time: Timestamp, _ state: Library.MarkState,
    decidedAt: Timestamp? = nil
  ) throws -> Int64 {
    try transaction.execute(
      "INSERT INTO garden_marks (uid, subject, reason, marked_at, state, decided_at) VALUES (?, ?, ?, ?, ?, ?)", uid,
      subject, reason, time, state.rawValue, decidedAt)
    return transaction.lastInsertedRowID
  }

  /// Decides on a mark, and on others that merges brought to the same thing. Throws `library.unknownMark`.
  func decide(_ request: Library.DecideMark) throws -> Library.Mark {
    guard request.state != .unknown else {
      throw LunaraError("library.badMark", "A mark is marked, kept or confirmed.")
    }
    let known = try transaction.execute(
      """
      UPDATE garden_marks SET state = ?1, decided_at = ?2 WHERE id = ?3 OR subject IN
        (SELECT o.id FROM garden_marks m JOIN subjects s ON s.id = m.subject
        JOIN subjects o ON o.kind = s.kind AND o.shown = s.shown WHERE m.id = ?3)
      """, request.state.rawValue, now, request.mark)
    guard known > 0 else { throw Catalogue.unknownMark(request.mark) }
    return try changed(request.mark)
  }

  /// Makes a confirmed mark one to decide on again, as its subject is other music now.
  static func unconfirm(markOf subject: Int64, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE garden_marks SET state = 'marked', decided_at = NULL WHERE state = 'confirmed' AND subject = ?", subject)
  }

  private func changed(_ number: Int64) throws -> Library.Mark {
    let mark = try Catalogue.mark(number, transaction)
    try journal?.append(Library.MarkChanged(mark: number, on: mark.on, state: mark.state), in: transaction)
    return mark
  }
}
