import Bus
public import Storage

/// The tables of a service in its database, beside those of the bus. Each service declares them in its `Schema.swift`.
public struct ServiceSchema: Sendable {
  /// The migrations that create its tables, in their order, without those of the bus.
  public var migrations: [Migration]
  /// The tables that are saved from a damaged database, each after the tables that it refers to.
  public var saved: [String]
  /// Statements that make these tables consistent after they were saved.
  public var repairs: [String]

  public init(_ migrations: [Migration], saved: [String] = [], repairs: [String] = []) {
    self.migrations = migrations
    self.saved = saved
    self.repairs = repairs
  }

  /// The names of all migrations of a database of this schema, including those of the bus.
  public var migrationNames: [String] { (Journal.migrations + migrations).map(\.name) }

  /// The option with which every service's program prints `migrationNames`, one on each line, and ends. By it `lunara
  /// restore` checks that the installed version knows all migrations of a backup.
  public static let option = "--migrations"
}
