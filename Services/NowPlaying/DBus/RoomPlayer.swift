import CSystemd
import Glibc
import Messages
import Model

/// One room's player on the session bus.
///
/// Every player has the object path `/org/mpris/MediaPlayer2`, so each room has a connection of its own. An object of
/// this class is used on one thread only; sd-bus calls it back on that thread, within `process` and `show`.
final class RoomPlayer {
  /// A command for the room, and the call that waits for it.
  struct Command {
    let command: RoomCommand
    /// Retained until `finish`; nil for a property that was set, which sd-bus answers itself.
    fileprivate let call: OpaquePointer?
  }

  /// The most commands that wait; further calls are refused at once.
  static let commandLimit = 64
  /// The most messages handled in one turn, so that one busy client does not keep the other rooms waiting.
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
  /// Whether the room has said how it stands since the position was last compared with what the desktop believes.
  private var hasNewPosition = false
  private var waiting: [Command] = []
  /// Whether the room has a command that it has not answered yet.
  private var isBusy = false
  /// How many names were taken by others.
  private var attempt = 0
  private var failure: (any Error)?
  let bus: OpaquePointer
  // sd-bus points into the tables as long as the connection lives, which ends in `deinit`, before this is let go.
  private let tables: MPRISInterfaces
  let monotonic: @Sendable () -> Int64

  /// Connects to the bus at an address, or to the person's own where none is given, and asks for the room's name.
  ///
  /// - Throws: `nowplaying.noSessionBus` where there is no bus to connect to.
  init(
    room: RoomName, snapshot: PlayerSnapshot, raise: (() -> Void)?, address: String?, tables: MPRISInterfaces,
    monotonic: @escaping @Sendable () -> Int64
  ) throws {
    self.room = room
    self.snapshot = snapshot
    self.raise = raise
    self.tables = tables
    self.monotonic = monotonic
    propertyTiming = PropertyChangeTiming(snapshot.properties, pending: Self.pending(of: snapshot), at: MonotonicClock.microseconds())
    listTiming = TrackListChangeTiming(snapshot.tracks)
    bus = try SessionBus.open(address)
    do {
      let context = Unmanaged.passUnretained(self).toOpaque()
      for (interface, table) in [
        (MPRISInterfaces.rootInterface, tables.root), (MPRISInterfaces.playerInterface, tables.player),
        (MPRISInterfaces.trackListInterface, tables.trackList),
      ] {
        try check(
          sd_bus_add_object_vtable(bus, nil, MPRISInterfaces.objectPath, interface, table.baseAddress, context))
      }
      try requestName()
    } catch {
      throw SessionBus.missing(error)
    }
    // What is shown first is read by whoever sees the name appear; nothing is announced.
    _ = updatePosition()
  }

  deinit {
    for command in waiting { sd_bus_message_unref(command.call) }
    sd_bus_close_unref(bus)
  }

  /// Leaves the bus at once, even while a command is still under way: the name is given back, callers are told by the
  /// bus that nobody answers. What still waits is not done any more: it was meant for the room as it was.
  func close() {
    for command in waiting { sd_bus_message_unref(command.call) }
    waiting = []
    sd_bus_close(bus)
  }

  // MARK: - The event loop's side

  /// What to wait for.
  ///
  /// - Throws: `nowplaying.noSessionBus` when the connection is broken.
  func descriptor() throws -> (number: Int32, events: Int32) {
    do {
      return (try check(sd_bus_get_fd(bus)), try check(sd_bus_get_events(bus)))
    } catch {
      throw SessionBus.missing(error)
    }
  }

  /// How long until `process` has something to do even if nothing comes in, in microseconds; nil for never.
  var microsecondsToWait: Int64? {
    var deadline = UInt64.max
    let known = sd_bus_get_timeout(bus, &deadline) >= 0 ? Int64(exactly: deadline) : nil
    guard let next = [known, propertyTiming.due, listTiming.due].compactMap(\.self).min() else { return nil }
    return max(0, next - MonotonicClock.microseconds())
  }

  /// Handles what came in, and tells what is due.
  ///
  /// - Throws: `nowplaying.noSessionBus` when the connection is lost.
  func process() throws {
    do {
      for _ in 0..<Self.messagesPerTurn where try check(sd_bus_process(bus, nil)) == 0 { break }
      if let failure { throw failure }
      try announce()
    } catch {
      throw SessionBus.missing(error)
    }
  }

  // MARK: - The room's side

  /// Shows how the room stands now: tells the desktop what changed, and nothing else.
  func show(_ snapshot: PlayerSnapshot) throws {
    let now = MonotonicClock.microseconds()
    self.snapshot = snapshot
    propertyTiming.update(snapshot.properties, pending: Self.pending(of: snapshot), at: now)
    listTiming.update(snapshot.tracks, at: now)
    hasNewPosition = true
    try announce()
  }

  private static func pending(of snapshot: PlayerSnapshot) -> PropertyChangeTiming.Pending {
    if !snapshot.isComplete { .details } else if snapshot.isBuffering { .sound } else { .nothing }
  }

  /// Shows whether there is a page.
  func show(raise: (() -> Void)?) throws {
    let isNew = (self.raise == nil) != (raise == nil)
    self.raise = raise
    if isNew, name != nil { try emitPropertiesChanged(["CanRaise"], of: MPRISInterfaces.rootInterface) }
  }

  private func announce() throws {
    let now = MonotonicClock.microseconds()
    let told = propertyTiming.told.trackPath
    let changes = propertyTiming.popDue(at: now)
    let list = listTiming.popDue(at: now)
    if name != nil, !changes.isEmpty {
      try emitPropertiesChanged(changes, of: MPRISInterfaces.playerInterface)
      // The same track is told of anew to those who follow the list.
      if changes.contains("Metadata"), told == snapshot.properties.trackPath,
        listTiming.told.index(of: told) != nil
      {
        try tellMetadata(of: told)
      }
    }
    if name != nil { try tell(list) }
    // Of a track that the desktop does not know yet it needs no position. And what the room has not said anew is no jump:
    // while it buffers the clocks of the desktop run on, and are put right once.
    guard hasNewPosition, !propertyTiming.isUrgent else { return }
    hasNewPosition = false
    if let jump = updatePosition(), name != nil { try emitSeeked(jump) }
  }

  private func updatePosition() -> Int64? {
    seekDetector.update(
      track: snapshot.properties.trackPath, isPlaying: snapshot.properties.status == .playing, actual: snapshot.anchor,
      length: snapshot.properties.length, at: monotonic())
  }
}

// MARK: - Commands

extension RoomPlayer {
  /// Whether a command waits for the room.
  var hasCommands: Bool { !waiting.isEmpty }

  /// Whether a command waits or is on its way.
  var hasUnfinished: Bool { isBusy || !waiting.isEmpty }

  /// The oldest command that waits for the room.
  func nextCommand() -> Command? {
    isBusy = !waiting.isEmpty
    return isBusy ? waiting.removeFirst() : nil
  }

  /// Answers the call behind a command: done, or with the room's error.
  func finish(_ command: Command, _ error: LunaraError? = nil) {
    isBusy = false
    guard let call = command.call else { return }
    answer(call, error)
    sd_bus_message_unref(call)
  }

  /// Takes a command that a program gave; false where too many wait already.
  ///
  /// Of volumes set in a row only the last one matters, so a slider that is dragged fills no queue.
  func enqueue(_ command: RoomCommand, call: OpaquePointer?) -> Bool {
    if call == nil, case .transport(.volume) = command, let last = waiting.last, last.call == nil,
      case .transport(.volume) = last.command
    {
      waiting.removeLast()
    }
    guard waiting.count < Self.commandLimit else { return false }
    waiting.append(Command(command: command, call: sd_bus_message_ref(call)))
    return true
  }

  /// Answers a call that came in. A caller that is gone, or a bus that is, needs no answer.
  func answer(_ call: OpaquePointer, _ error: LunaraError? = nil) {
    var reply: OpaquePointer?
    if let error {
      var failure = sd_bus_error()
      defer { sd_bus_error_free(&failure) }
      sd_bus_error_set(&failure, DBusErrorName.of(error), error.message.dbusText)
      sd_bus_message_new_method_error(call, &reply, &failure)
    } else {
      sd_bus_message_new_method_return(call, &reply)
    }
    defer { sd_bus_message_unref(reply) }
    if let reply { sd_bus_send(bus, reply, nil) }
  }
}

// MARK: - The name

extension RoomPlayer {
  private func requestName() throws {
    let wanted = PlayerName.of(room, attempt: attempt, process: getpid())
    try check(
      sd_bus_request_name_async(
        bus, nil, wanted, 0,
        { message, context, _ in
          guard let message, let context else { return 0 }
          Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().nameAnswered(message)
          return 1
        }, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Takes the bus's word on the name (the codes of `RequestName` in the D-Bus specification). Where it belongs to
  /// someone else, the next one is asked for.
  private func nameAnswered(_ message: OpaquePointer) {
    do {
      let code = sd_bus_message_is_method_error(message, nil) > 0 ? 0 : try DBusReader(message: message).uint32()
      switch code {
      case 1, 4: name = PlayerName.of(room, attempt: attempt, process: getpid())
      case 3 where attempt < 9:
        attempt += 1
        try requestName()
      default: throw LunaraError("nowplaying.badMessage", "The session bus refused a name.", cause: "answer \(code)")
      }
    } catch {
      failure = error
    }
  }
}

/// What the desktop is told by signals.
extension RoomPlayer {
  func emitPropertiesChanged(_ names: [String], of interface: String) throws {
    var list = names.map { strdup($0) } + [nil]
    defer { for name in list { free(name) } }
    try check(sd_bus_emit_properties_changed_strv(bus, MPRISInterfaces.objectPath, interface, &list))
  }

  func emitSeeked(_ position: Int64) throws {
    try emit("Seeked", of: MPRISInterfaces.playerInterface, [.int64(position)])
  }

  /// Tells what changed of the track list, and that who keeps a copy of it has to read it again.
  func tell(_ changes: [TrackListChange]) throws {
    guard !changes.isEmpty else { return }
    for change in changes {
      switch change {
      case .replaced:
        let current =
          snapshot.tracks.index(of: snapshot.properties.trackPath) == nil ? TrackPath.none : snapshot.properties.trackPath
        try emitTrackList("TrackListReplaced", [.objectPaths(snapshot.tracks.paths), .objectPath(current)])
      case .added(let item, let path):
        try emitTrackList("TrackAdded", [.dictionary(snapshot.tracks.metadata(of: item)), .objectPath(path)])
      case .removed(let path): try emitTrackList("TrackRemoved", [.objectPath(path)])
      }
    }
    try emitPropertiesChanged(["Tracks"], of: MPRISInterfaces.trackListInterface)
  }

  func tellMetadata(of path: String) throws {
    try emitTrackList("TrackMetadataChanged", [.objectPath(path), .dictionary(snapshot.properties.metadata)])
  }

  private func emitTrackList(_ signal: String, _ values: [DBusValue]) throws {
    try emit(signal, of: MPRISInterfaces.trackListInterface, values)
  }

  private func emit(_ signal: String, of interface: String, _ values: [DBusValue]) throws {
    var message: OpaquePointer?
    try check(sd_bus_message_new_signal(bus, &message, MPRISInterfaces.objectPath, interface, signal))
    defer { sd_bus_message_unref(message) }
    guard let message else { return }
    for value in values { try value.append(to: message) }
    try check(sd_bus_send(bus, message, nil))
  }
}
