public import Model

/// One of the five kinds of value that SQLite stores (sqlite.org/datatype3.html).
public enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  /// A floating-point number; never NaN, which SQLite would store as NULL.
  case real(Double)
  /// Text; may hold NUL characters.
  case text(String)
  case blob([UInt8])
}

/// A type whose values can be given to a statement.
public protocol SQLBindable {
  /// The value as SQLite stores it.
  var sqlValue: SQLValue { get }
}

/// A type whose values can be read from a column.
public protocol SQLReadable {
  /// Makes a value from the contents of a column; nil if they are of another kind.
  init?(sqlValue: SQLValue)
}

extension SQLValue {
  /// A value as SQLite stores it; NULL if there is none.
  @inlinable public init(_ value: (some SQLBindable)?) { self = value?.sqlValue ?? .null }
}

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
  /// The raw value as SQLite stores it.
  public var sqlValue: SQLValue { rawValue.sqlValue }
}

extension SQLReadable where Self: RawRepresentable, RawValue: SQLReadable {
  /// Reads the raw value; nil if it is no value of this type.
  @inlinable public init?(sqlValue: SQLValue) {
    guard let rawValue = RawValue(sqlValue: sqlValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension SQLValue: SQLBindable, SQLReadable {
  /// The value itself.
  public var sqlValue: SQLValue { self }
  /// Takes any value.
  @inlinable public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
  /// Takes NULL as nil.
  @inlinable public init?(sqlValue: SQLValue) {
    if case .null = sqlValue {
      self = .none
    } else if let value = Wrapped(sqlValue: sqlValue) {
      self = .some(value)
    } else {
      return nil
    }
  }
}

extension Int: SQLBindable, SQLReadable {
  /// A whole number.
  public var sqlValue: SQLValue { .integer(Int64(self)) }
  /// Takes a whole number.
  @inlinable public init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue else { return nil }
    self.init(exactly: value)
  }
}

extension Int64: SQLBindable, SQLReadable {
  /// A whole number.
  public var sqlValue: SQLValue { .integer(self) }
  /// Takes a whole number.
  @inlinable public init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue else { return nil }
    self = value
  }
}

extension Double: SQLBindable, SQLReadable {
  /// A floating-point number.
  public var sqlValue: SQLValue { .real(self) }
  /// Takes a number of either kind.
  @inlinable public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: return nil
    }
  }
}

extension Bool: SQLBindable, SQLReadable {
  /// 0 or 1.
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
  /// Takes 0 or 1.
  @inlinable public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

extension String: SQLBindable, SQLReadable {
  /// Text.
  public var sqlValue: SQLValue { .text(self) }
  /// Takes text.
  @inlinable public init?(sqlValue: SQLValue) {
    guard case .text(let value) = sqlValue else { return nil }
    self = value
  }
}

extension [UInt8]: SQLBindable, SQLReadable {
  /// Bytes.
  public var sqlValue: SQLValue { .blob(self) }
  /// Takes bytes.
  @inlinable public init?(sqlValue: SQLValue) {
    guard case .blob(let value) = sqlValue else { return nil }
    self = value
  }
}

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
