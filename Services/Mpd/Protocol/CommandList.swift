/// The commands of a client between `command_list_begin` and `command_list_end`.
struct CommandList: Equatable {
  /// The most bytes of a list, and of one from a client that has not sent the password yet.
  static let limit = 2 << 20
  static let limitWithoutAccess = 16 << 10

  /// The most bytes of this list.
  let limit: Int
  /// True if each command is followed by `list_OK`.
  let confirmsEach: Bool
  private(set) var lines: [[UInt8]] = []
  private var size = 0

  init(confirmsEach: Bool, hasAccess: Bool) {
    self.confirmsEach = confirmsEach
    limit = hasAccess ? Self.limit : Self.limitWithoutAccess
  }

  /// Adds a line; returns false if the list is too long.
  mutating func add(_ line: [UInt8]) -> Bool {
    // Each line also takes the memory of its array.
    size += line.count + 32
    lines.append(line)
    return size <= limit
  }
}
