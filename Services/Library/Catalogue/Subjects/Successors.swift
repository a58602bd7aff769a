import Model
package import Records

/// SQL that resolves a number of the catalogue to its current row: its own while that is there, and after that the row
/// that took over, its successor.
package enum Successors {
  /// Returns SQL for the number of the item that is shown for a number; NULL if the number leads nowhere.
  ///
  /// - Parameter number: SQL for the number.
  package static func shown(_ kind: CatalogueID.Kind, _ number: String) -> String {
    let (table, shown) = kind.rows
    return "ifnull((SELECT \(shown) FROM \(table) WHERE id = \(number)), \(shownOfSuccessor(kind, number)))"
  }

  /// Returns SQL for the number of the item that is shown for the successor of a number; NULL if it has none.
  static func shownOfSuccessor(_ kind: CatalogueID.Kind, _ number: String) -> String {
    let (table, shown) = kind.rows
    return """
      (SELECT r.\(shown) FROM heirs JOIN \(table) r ON r.id = heirs.heir
        WHERE heirs.kind = \(kind.sql) AND heirs.number = \(number))
      """
  }

  /// Returns SQL for the successor of a number; NULL if it has none.
  package static func of(_ kind: CatalogueID.Kind, _ number: String) -> String {
    "(SELECT heir FROM heirs WHERE kind = \(kind.sql) AND number = \(number))"
  }

  /// Returns SQL that joins the successor of a number, where it has one, as a row with this name.
  package static func join(_ kind: CatalogueID.Kind, _ number: String, as name: String = "e") -> String {
    "LEFT JOIN heirs \(name) ON \(name).kind = \(kind.sql) AND \(name).number = \(number)"
  }
}
