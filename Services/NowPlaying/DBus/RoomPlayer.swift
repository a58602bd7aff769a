import CSystemd
import Glibc
import Messages
import Model
import System

/// One room's player on the session bus.
///
/// Every player has the object path `/org/mpris/MediaPlayer2`, so each room has a connection of its own. A player is used
/// on one thread only; sd-bus calls it back on that thread, within `process` and `show`.
final class RoomPlayer {
  /// A command for the room, and the D-Bus call that waits for it.
  struct Command {
    let command: RoomCommand
    /// The call, retained until `finish`; nil for a property that was set, which sd-bus answers itself.
    let call: OpaquePointer?
  }

  /// The most commands that wait. Further calls are refused at once.
  static let commandLimit = 64
  /// The most messages that are handled at once, so that one busy client does not delay the other rooms.
  static let messagesPerTurn = 64

  let room: RoomName
  /// The name on the bus; nil until the bus has granted it.
  private(set) var name: String?
  private(set) var snapshot: PlayerSnapshot
  /// Opens the page; nil where there is none.
  private(set) var raise: (() -> Void)?
  private var propertyTiming: PropertyChangeTiming
  private var listTiming: TrackListChangeTiming
  private var seekDetector = SeekDetector()
  /// True while the room has reported a state that has not yet been compared with the position that the desktop assumes.
  private var hasNewPosition = false
  var waitingCommands: [Command] = []
  /// True while the room has not answered the last command.
  var isBusy = false
  /// The number of names that belonged to other programs.
  private var attempt = 0
  private var failure: (any Error)?
  let bus: OpaquePointer
  // sd-bus points into the tables as long as the connection lives, which ends in `deinit`, before they are released.
  private let interfaces: MPRISInterfaces
  let monotonic: @Sendable () -> Int64

  /// Connects to the bus at an address, or to the person's own session bus where it is nil, and requests the room's name.
  ///
  /// - Throws: `nowplaying.noSessionBus` where there is no bus to connect to.
  init(
    room: RoomName, snapshot: PlayerSnapshot, raise: (() -> Void)?, address: String?, interfaces: MPRISInterfaces,
    monotonic: @escaping @Sendable () -> Int64
  ) throws {
    self.room = room
    self.snapshot = snapshot
    self.raise = raise
    self.interfaces = interfaces
    self.monotonic = monotonic
    propertyTiming = PropertyChangeTiming(
      snapshot.properties, pending: Self.pending(of: snapshot), at: MonotonicClock.microseconds())
    listTiming = TrackListChangeTiming(snapshot.tracks)
    bus = try SessionBus.open(address)
    do {
      let context = Unmanaged.passUnretained(self).toOpaque()
      for (interface, table) in [
        (MPRISInterfaces.rootInterface, interfaces.root), (MPRISInterfaces.playerInterface, interfaces.player),
        (MPRISInterfaces.trackListInterface, interfaces.trackList),
      ] {
        try check(
          sd_bus_add_object_vtable(bus, nil, MPRISInterfaces.objectPath, interface, table.baseAddress, context))
      }
      try requestName()
    } catch {
      throw SessionBus.missing(error)
    }
    // Programs that see the name appear read the first state themselves, so no signal is sent for it.
    _ = updatePosition()
  }

  deinit {
    for command in waitingCommands { sd_bus_message_unref(command.call) }
    sd_bus_close_unref(bus)
  }

  /// Leaves the bus at once, even while a command is under way: the name is released, and the bus tells callers that nobody
  /// answers. Commands that still wait are dropped: they were meant for the room as it was.
  func close() {
    for command in waitingCommands { sd_bus_message_unref(command.call) }
    waitingCommands = []
    sd_bus_close(bus)
  }

  // MARK: - Event loop

  /// Returns the descriptor to watch, and the events of poll(2) to watch it for.
  ///
  /// - Throws: `nowplaying.noSessionBus` when the connection is broken.
  func descriptor() throws -> (number: Int32, events: Int32) {
    do {
      return (try check(sd_bus_get_fd(bus)), try check(sd_bus_get_events(bus)))
    } catch {
      throw SessionBus.missing(error)
    }
  }

  /// The microseconds until `process` has something to do even if nothing comes in; nil for never.
  var microsecondsToWait: Int64? {
    let due = [SessionBus.deadline(of: bus), propertyTiming.due, listTiming.due].compactMap(\.self).min()
    return due.map { max(0, $0 - MonotonicClock.microseconds()) }
  }

  /// Handles the messages that came in, and sends the signals that are due.
  ///
  /// - Throws: `nowplaying.noSessionBus` when the connection is lost.
  func process() throws {
    do {
      for _ in 0..<Self.messagesPerTurn where try check(sd_bus_process(bus, nil)) == 0 { break }
      if let failure { throw failure }
      try sendDueSignals()
    } catch {
      throw SessionBus.missing(error)
    }
  }

  // MARK: - State and signals

  /// Shows the state of the room, with signals for what has changed.
  func show(_ snapshot: PlayerSnapshot) throws {
    let now = MonotonicClock.microseconds()
    self.snapshot = snapshot
    propertyTiming.update(snapshot.properties, pending: Self.pending(of: snapshot), at: now)
    listTiming.update(snapshot.tracks, at: now)
    hasNewPosition = true
    try sendDueSignals()
  }

  private static func pending(of snapshot: PlayerSnapshot) -> PropertyChangeTiming.Pending {
    if !snapshot.isComplete { .details } else if snapshot.isBuffering { .sound } else { .nothing }
  }

  /// Sets the function that opens the page; nil where there is no page.
  func show(raise: (() -> Void)?) throws {
    let isNew = (self.raise == nil) != (raise == nil)
    self.raise = raise
    if isNew, name != nil { try sendPropertiesChanged(["CanRaise"], of: MPRISInterfaces.rootInterface) }
  }

  private func sendDueSignals() throws {
    let now = MonotonicClock.microseconds()
    let sentTrack = propertyTiming.sent.trackPath
    let changes = propertyTiming.popDue(at: now)
    let list = listTiming.popDue(at: now)
    if name != nil, !changes.isEmpty {
      try sendPropertiesChanged(changes, of: MPRISInterfaces.playerInterface)
      // Programs that follow the track list hear of new metadata of the same track by another signal.
      if changes.contains("Metadata"), sentTrack == snapshot.properties.trackPath,
        listTiming.sent.index(of: sentTrack) != nil
      {
        try sendTrackMetadataChanged(sentTrack)
      }
    }
    if name != nil { try sendTrackListSignals(list) }
    // The desktop needs no position of a track that it does not know yet. Without a new state of the room there is no jump:
    // while it buffers, the desktop counts on, and is corrected once.
    guard hasNewPosition, !propertyTiming.isUrgent else { return }
    hasNewPosition = false
    if let position = updatePosition(), name != nil { try sendSeeked(position) }
  }

  private func updatePosition() -> Int64? {
    seekDetector.update(
      track: snapshot.properties.trackPath, isPlaying: snapshot.properties.status == .playing, actual: snapshot.anchor,
      length: snapshot.properties.length, at: monotonic())
  }
}

// MARK: - Name on the bus

extension RoomPlayer {
  private func requestName() throws {
    let wanted = PlayerName.of(room, attempt: attempt, process: getpid())
    try check(
      sd_bus_request_name_async(
        bus, nil, wanted, 0,
        { message, context, _ in
          guard let message, let context else { return 0 }
          Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().handleNameReply(message)
          return 1
        }, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Handles the reply to `RequestName` (its codes are in the D-Bus specification). Where the name belongs to another
  /// program, the next one is requested.
  private func handleNameReply(_ message: OpaquePointer) {
    do {
      let code = sd_bus_message_is_method_error(message, nil) > 0 ? 0 : try DBusReader(message: message).uint32()
      switch code {
      case 1, 4: name = PlayerName.of(room, attempt: attempt, process: getpid())
      case 3 where attempt < 9:
        attempt += 1
        try requestName()
      default:
        throw LunaraError(
          "nowplaying.badMessage", "The session bus refused the name of a player.", cause: "answer \(code)")
      }
    } catch {
      failure = error
    }
  }
}

// MARK: - Sending signals

extension RoomPlayer {
  func sendPropertiesChanged(_ names: [String], of interface: String) throws {
    var list = names.map { strdup($0) } + [nil]
    defer { for name in list { free(name) } }
    try check(sd_bus_emit_properties_changed_strv(bus, MPRISInterfaces.objectPath, interface, &list))
  }

  func sendSeeked(_ position: Int64) throws {
    try send("Seeked", of: MPRISInterfaces.playerInterface, [.int64(position)])
  }

  /// Sends the signals for changes of the track list, and one that makes programs read the list again.
  private func sendTrackListSignals(_ changes: [TrackListChange]) throws {
    guard !changes.isEmpty else { return }
    for change in changes {
      switch change {
      case .replaced:
        let current =
          snapshot.tracks.index(of: snapshot.properties.trackPath) == nil
          ? TrackPath.none : snapshot.properties.trackPath
        try sendTrackListSignal("TrackListReplaced", [.objectPaths(snapshot.tracks.paths), .objectPath(current)])
      case .added(let item, let path):
        try sendTrackListSignal("TrackAdded", [.dictionary(snapshot.tracks.metadata(of: item)), .objectPath(path)])
      case .removed(let path): try sendTrackListSignal("TrackRemoved", [.objectPath(path)])
      }
    }
    try sendPropertiesChanged(["Tracks"], of: MPRISInterfaces.trackListInterface)
  }

  private func sendTrackMetadataChanged(_ path: String) throws {
    try sendTrackListSignal("TrackMetadataChanged", [.objectPath(path), .dictionary(snapshot.properties.metadata)])
  }

  private func sendTrackListSignal(_ signal: String, _ values: [DBusValue]) throws {
    try send(signal, of: MPRISInterfaces.trackListInterface, values)
  }

  private func send(_ signal: String, of interface: String, _ values: [DBusValue]) throws {
    var message: OpaquePointer?
    try check(sd_bus_message_new_signal(bus, &message, MPRISInterfaces.objectPath, interface, signal))
    defer { sd_bus_message_unref(message) }
    guard let message else { return }
    for value in values { try value.append(to: message) }
    try check(sd_bus_send(bus, message, nil))
  }
}
