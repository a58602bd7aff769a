public import Model

extension Discovery {
  /// A source of the data from which walls are made.
  public struct DataSource: Codable, Hashable, Sendable {
    /// The name, such as `library`.
    public var name: String
    /// The time at which it was read last; nil if never.
    public var readAt: Timestamp?
    /// The number of items that it gave.
    public var items: Int
    /// The last error; nil if the last reading succeeded.
    public var problem: LunaraError?

    public init(name: String, readAt: Timestamp?, items: Int, problem: LunaraError? = nil) {
      self.name = name
      self.readAt = readAt
      self.items = items
      self.problem = problem
    }
  }
}
