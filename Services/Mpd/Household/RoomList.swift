import Model

/// The rooms of the household in the order of `lunara rooms`, and the names of their partitions.
struct RoomList: Equatable, Sendable {
  /// The partition of the default room.
  static let defaultName = "default"

  var rooms: [RoomName]
  /// The room of connections at the first port: that of this machine, else the first.
  var usual: RoomName?

  init(_ rooms: [RoomName], preferred: RoomName) {
    self.rooms = rooms.sorted()
    usual = rooms.contains(preferred) ? preferred : self.rooms.first
  }

  /// Returns the name of the partition that is a room.
  func partition(of room: RoomName) -> String { room == usual ? Self.defaultName : room.rawValue }

  /// Returns the room of a partition; rooms are found by their own names, too.
  ///
  /// - Throws: `partition does not exist`.
  func room(ofPartition name: String) throws(CommandError) -> RoomName {
    if name == Self.defaultName, let usual { return usual }
    guard let room = rooms.first(where: { $0.rawValue == name }) else {
      throw CommandError(.noExist, "partition does not exist")
    }
    return room
  }

  /// The names of all partitions, the default one first.
  var partitions: [String] {
    (usual.map { [$0] } ?? []).map { partition(of: $0) } + rooms.filter { $0 != usual }.map(\.rawValue)
  }
}
