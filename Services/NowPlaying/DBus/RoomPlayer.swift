import CSystemd
import Glibc
import Messages
import Model
import System

/// One room's player on the session bus.
///
/// All players must have the object path `/org/mpris/MediaPlayer2`, so each room has its own connection. A player is
/// used on one thread only; sd-bus calls its functions on that thread, within `process` and `show`.
final class RoomPlayer {
  /// A command for the room, and the D-Bus call that waits for it.
  struct Command {
    let command: RoomCommand
    /// The call, retained until `finish`; nil for a property that was set, which sd-bus answers itself.
    let call: OpaquePointer?
  }

  /// The largest number of commands that wait. Further calls are refused at once.
  static let commandLimit = 64

  let room: RoomName
  /// The name on the bus; nil before the bus has granted one.
  private(set) var name: String?
  private(set) var snapshot: PlayerSnapshot
  /// Opens the web page; nil if there is none.
  private(set) var raise: (() -> Void)?
  private var propertyTiming: PropertyChangeTiming
  private var seekDetector = SeekDetector()
  /// True if the room has reported a state whose position has not yet been compared with the position that the desktop
  /// assumes.
  private var hasNewPosition = false
  var waitingCommands: [Command] = []
  /// True while commands are being sent to the room.
  var isBusy = false
  /// True if the owner has reported the name.
  var isReported = false
  /// The descriptor that the owner watches; -1 if there is none.
  var watchedDescriptor: Int32 = -1
  /// The number of requested names that belonged to other programs.
  private var attempt = 0
  private var failure: (any Error)?
  let bus: SessionBus
  let monotonic: @Sendable () -> Int64

  /// Connects to the bus at `address`, or to the user's own session bus if it is nil, and requests the room's name.
  init(
    room: RoomName, snapshot: PlayerSnapshot, raise: (() -> Void)?, address: String?,
    monotonic: @escaping @Sendable () -> Int64
  ) throws {
    self.room = room
    self.snapshot = snapshot
    self.raise = raise
    self.monotonic = monotonic
    propertyTiming = PropertyChangeTiming(
      snapshot.properties, pending: snapshot.pending, at: MonotonicClock.microseconds())
    bus = try SessionBus(address)
    let context = Unmanaged.passUnretained(self).toOpaque()
    for (interface, table) in MPRISInterfaces.tables {
      try check(sd_bus_add_object_vtable(bus.handle, nil, MPRISInterfaces.objectPath, interface, table, context))
    }
    try requestName()
    // Programs that see a new name read the first state themselves, so no signal is sent for it.
    _ = updatePosition()
  }

  deinit { for command in waitingCommands { sd_bus_message_unref(command.call) } }

  /// Leaves the bus at once, even while a command is being carried out: the bus releases the name, and answers waiting
  /// callers with an error. Commands that still wait are dropped, as they were meant for the room's present state.
  func close() {
    for command in waitingCommands { sd_bus_message_unref(command.call) }
    waitingCommands = []
    // A process that is being started holds a copy of the descriptor until it executes its program, so the descriptor's
    // end alone would not end the connection at once.
    let descriptor = sd_bus_get_fd(bus.handle)
    if descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
    sd_bus_close(bus.handle)
  }

  /// The time of the monotonic clock, in microseconds, at which `process` must be called even if no message arrives;
  /// nil if there is none.
  var due: Int64? { [bus.due, propertyTiming.due].compactMap(\.self).min() }

  /// Handles the messages that have arrived, and sends the signals that are due.
  func process() throws {
    try bus.process()
    if let failure { throw failure }
    try sendDueSignals()
  }

  /// Sets the room's state, and sends signals for the properties that have changed.
  func show(_ snapshot: PlayerSnapshot) throws {
    self.snapshot = snapshot
    propertyTiming.update(snapshot.properties, pending: snapshot.pending, at: MonotonicClock.microseconds())
    hasNewPosition = true
    try sendDueSignals()
  }

  /// Sets the function that opens the web page; nil if there is none.
  func show(raise: (() -> Void)?) throws {
    let isNew = (self.raise == nil) != (raise == nil)
    self.raise = raise
    if isNew, name != nil { try sendPropertiesChanged(["CanRaise"], of: MPRISInterfaces.rootInterface) }
  }

  private func sendDueSignals() throws {
    let changes = propertyTiming.popDue(at: MonotonicClock.microseconds())
    if name != nil, !changes.isEmpty { try sendPropertiesChanged(changes, of: MPRISInterfaces.playerInterface) }
    // The desktop does not yet know the new track, so it could not use its position. Without a new state of the room,
    // the position has not jumped: while the room buffers, the desktop counts on, and is corrected once afterwards.
    guard hasNewPosition, !propertyTiming.isUrgent else { return }
    hasNewPosition = false
    if let position = updatePosition(), name != nil { try sendSeeked(position) }
  }

  private func updatePosition() -> Int64? {
    seekDetector.update(
      track: snapshot.properties.trackPath, isPlaying: snapshot.properties.status == .playing, actual: snapshot.anchor,
      length: snapshot.properties.length, at: monotonic())
  }

  private func sendPropertiesChanged(_ names: [String], of interface: String) throws {
    var list = names.map { strdup($0) } + [nil]
    defer { for name in list { free(name) } }
    try check(sd_bus_emit_properties_changed_strv(bus.handle, MPRISInterfaces.objectPath, interface, &list))
  }

  private func sendSeeked(_ position: Int64) throws {
    var message: OpaquePointer?
    try check(
      sd_bus_message_new_signal(
        bus.handle, &message, MPRISInterfaces.objectPath, MPRISInterfaces.playerInterface, "Seeked"))
    defer { sd_bus_message_unref(message) }
    guard let message else { return }
    try DBusValue.int64(position).append(to: message)
    try check(sd_bus_send(bus.handle, message, nil))
  }

  private func requestName() throws {
    try check(
      sd_bus_request_name_async(
        bus.handle, nil, PlayerName.of(room, attempt: attempt, process: getpid()), 0,
        { message, context, _ in
          guard let message, let context else { return 0 }
          Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().handleNameReply(message)
          return 1
        }, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Handles the reply to `RequestName` (the D-Bus specification lists its codes). If the name belongs to another
  /// program, requests the next one.
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
