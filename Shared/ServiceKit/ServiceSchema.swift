import Bus
public import Storage

/// The tables that a service keeps in its database, beside those of the bus. Each
/// service has one, in its `Schema.swift`.
public struct ServiceSchema: Sendable {
  /// The steps that make its tables, in their order, without those of the bus.
  public var migrations: [Migration]
  /// The tables that are saved of a damaged database, each after those that it refers to.
  public var saved: [String]
  /// Statements that put these tables right after they were saved.
  public var repairs: [String]

  public init(_ migrations: [Migration], saved: [String] = [], repairs: [String] = []) {
    self.migrations = migrations
    self.saved = saved
    self.repairs = repairs
  }

  /// The names of all migrations that a database of this schema may have, those of the bus included.
  public var migrationNames: [String] { (Journal.migrations + migrations).map(\.name) }

  /// The only argument with which every service's program prints `migrationNames`, one a line, and ends.
  /// `lunara restore` asks so whether the installed version knows all that a backup holds.
  public static let option = "--migrations"
}
