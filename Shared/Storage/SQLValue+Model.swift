public import Model

// Lengths and moments are whole numbers, so that they compare and add in SQL; ids are their printed text.

extension Milliseconds: SQLBindable, SQLReadable {}
extension Rating: SQLBindable, SQLReadable {}
extension RoomName: SQLBindable, SQLReadable {}
extension UniqueID: SQLBindable, SQLReadable {}

extension Timestamp: SQLBindable, SQLReadable {
  /// Microseconds since 1970.
  public var sqlValue: SQLValue { .integer(microseconds) }
  /// Takes microseconds since 1970.
  @inlinable public init?(sqlValue: SQLValue) {
    guard let microseconds = Int64(sqlValue: sqlValue) else { return nil }
    self.init(microseconds: microseconds)
  }
}

extension ItemID: SQLBindable, SQLReadable {
  /// The form `source:native`.
  public var sqlValue: SQLValue { .text(description) }
  /// Takes the form `source:native`.
  public init?(sqlValue: SQLValue) {
    guard case .text(let text) = sqlValue else { return nil }
    self.init(text)
  }
}

extension LocalPath: SQLBindable, SQLReadable {
  /// The path's bytes, which need not be UTF-8.
  public var sqlValue: SQLValue { .blob(bytes) }
  /// Takes a path's bytes.
  public init?(sqlValue: SQLValue) {
    guard case .blob(let bytes) = sqlValue else { return nil }
    self.init(bytes: bytes)
  }
}
