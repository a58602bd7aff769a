import Bus
import Model
import ServiceKit
import Synchronization
import System

/// Listens at one port for the default room and at one for each room, and serves the clients that connect.
actor MPDServer {
  /// The most connections at a time.
  static let connectionLimit = 1200
  /// The most rooms that have ports of their own.
  private static let roomLimit = 63

  private let household: Household
  private let access: Access
  private let host: String
  private let log: Log
  private let events: SocketEvents
  private var listeners: [(socket: ListeningSocket, room: Int?, key: UInt64)] = []
  private var connections: [ObjectIdentifier: ClientConnection] = [:]
  private var sweeping: Task<Void, Never>?

  /// Starts to listen at the first port.
  ///
  /// - Throws: `mpd.cannotListen`.
  init(household: Household, access: Access, host: String, port: UInt16, log: Log) async throws {
    self.household = household
    self.access = access
    self.host = host
    self.log = log
    events = try SocketEvents()
    try listen(at: port, room: nil)
    sweeping = Task { [weak self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(5)) } catch { return }
        await self?.closeSilent()
      }
    }
  }

  /// The port of the default room.
  var port: UInt16 { listeners.first?.socket.port ?? 0 }

  /// The ports of the rooms, in their order.
  var roomPorts: [UInt16] { listeners.dropFirst().map(\.socket.port) }

  /// Opens a port for each room: the ports that follow the first, in the order of the rooms.
  func serve(_ rooms: RoomList) {
    for index in (listeners.count - 1)..<max(listeners.count - 1, min(rooms.rooms.count, Self.roomLimit)) {
      guard let port = UInt16(exactly: Int(self.port) + 1 + index) else { return }
      do {
        try listen(at: port, room: index)
        log.info("The room has a port for MPD clients.", ["room": rooms.rooms[index].rawValue, "port": "\(port)"])
      } catch {
        log.warning(error)
        return
      }
    }
  }

  /// Returns once this actor is free.
  func checkResponsive() {}

  /// Ends all connections and stops to listen.
  func stop() {
    sweeping?.cancel()
    for listener in listeners {
      events.remove(listener.socket.descriptor, listener.key)
      listener.socket.descriptor.close()
    }
    listeners = []
    for connection in connections.values { connection.stop() }
    events.stop()
  }

  private func listen(at port: UInt16, room: Int?) throws {
    let socket = try ListeningSocket(host: host, port: port)
    let key = events.add(socket.descriptor) { [weak self] in Task { await self?.accept() } }
    guard let key else {
      throw LunaraError("mpd.cannotListen", "MPD clients cannot be served at \(host):\(port). Are too many files open?")
    }
    listeners.append((socket, room, key))
  }

  private func accept() {
    for listener in listeners {
      while let socket = listener.socket.accept() { add(socket, room: listener.room) }
    }
  }

  private func add(_ socket: Descriptor, room: Int?) {
    // A client beyond the limit is closed at once.
    guard connections.count < Self.connectionLimit else { return }
    let rooms = household.rooms
    let connection = ClientConnection(socket)
    if let room {
      guard rooms.rooms.indices.contains(room) else { return }
      connection.subscriber.room = rooms.rooms[room]
    } else {
      connection.subscriber.room = rooms.usual
    }
    guard let key = events.add(socket, { connection.socketChanged() }) else { return }
    connections[ObjectIdentifier(connection)] = connection
    Task { [household, access, events] in
      await household.add(connection.subscriber)
      await connection.run(in: household, access: access)
      await household.remove(connection.subscriber)
      events.remove(socket, key)
      socket.close()
      self.forget(connection)
    }
  }

  private func forget(_ connection: ClientConnection) { connections[ObjectIdentifier(connection)] = nil }

  private func closeSilent() {
    for connection in connections.values { connection.stopIfSilent() }
    // Clients that came while too many files were open still wait.
    accept()
  }
}
