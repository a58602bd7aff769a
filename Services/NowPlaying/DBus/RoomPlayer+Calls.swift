import CSystemd
import Glibc
import Messages
import Model

extension RoomPlayer {
  // sd-bus calls these functions for all methods, getters and setters, with the player as the context.

  static let call: sd_bus_message_handler_t = { message, context, error in
    guard let message, let context else { return -EINVAL }
    return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().handleCall(message, error)
  }

  static let get: sd_bus_property_get_t = { _, _, _, property, reply, context, _ in
    guard let property, let reply, let context else { return -EINVAL }
    return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue()
      .readProperty(String(cString: property), reply)
  }

  static let set: sd_bus_property_set_t = { _, _, _, property, message, context, error in
    guard let property, let message, let context else { return -EINVAL }
    return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue()
      .writeProperty(String(cString: property), message, error)
  }

  /// Handles a method call. Returns 1 if the call has been or will be answered by this player, or a negative errno, as
  /// sd-bus expects.
  private func handleCall(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    do {
      if let call = try PlayerCall(message) { return perform(call, for: message, error) }
    } catch {
      return -EBADMSG
    }
    // Quit has no effect, as `CanQuit` is false.
    if sd_bus_message_is_method_call(message, MPRISInterfaces.rootInterface, "Raise") > 0 { raise?() }
    answer(message)
    return 1
  }

  /// Sets a property for a program; sd-bus answers the caller.
  private func writeProperty(
    _ property: String, _ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 {
    let value = DBusReader(message: message)
    do {
      switch property {
      case "Volume": return perform(.setVolume(try value.double()), for: nil, error)
      case "Rate": return perform(.setRate(try value.double()), for: nil, error)
      case "Shuffle": return perform(.setShuffle(try value.bool()), for: nil, error)
      case "LoopStatus": return perform(.setLoop(try value.string()), for: nil, error)
      default: return -ENOENT
      }
    } catch {
      return -EBADMSG
    }
  }

  /// Carries out a call as MPRIS requires; `message` is nil for a property that is set, which sd-bus answers itself.
  private func perform(
    _ call: PlayerCall, for message: OpaquePointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 {
    switch call.outcome(for: snapshot.properties, isFirst: !isBusy && waitingCommands.isEmpty) {
    case .ignore: if let message { answer(message) }
    case .refuse(let name, let text): return sd_bus_error_set(error, name, text)
    case .perform(let command):
      guard enqueue(command, call: message) else {
        return sd_bus_error_set(
          error, DBusErrorName.limitsExceeded, "Too many commands wait for the room \(room). Try again in a moment.")
      }
    }
    return message == nil ? 0 : 1
  }

  /// Appends the value of a property to a reply or to the signal `PropertiesChanged`.
  private func readProperty(_ property: String, _ reply: OpaquePointer) -> Int32 {
    do {
      guard let value = value(of: property) else { return -ENOENT }
      try value.append(to: reply)
      return 0
    } catch {
      return -EBADMSG
    }
  }

  private func value(of property: String) -> DBusValue? {
    switch property {
    case "CanQuit", "HasTrackList": .bool(false)
    case "CanRaise": .bool(raise != nil)
    case "Identity": .string(PlayerName.identity(of: room))
    case "SupportedUriSchemes", "SupportedMimeTypes": .strings([])
    case "Position": .int64(snapshot.anchor.position(at: monotonic(), upTo: snapshot.properties.length))
    default: snapshot.properties.value(of: property)
    }
  }
}

extension PlayerCall {
  /// Reads a method call with its arguments; nil for a method that is no command to a room.
  fileprivate init?(_ message: OpaquePointer) throws {
    let arguments = DBusReader(message: message)
    switch sd_bus_message_get_member(message).map({ String(cString: $0) }) {
    case "Next": self = .next
    case "Previous": self = .previous
    case "Pause": self = .pause
    case "PlayPause": self = .playPause
    case "Stop": self = .stop
    case "Play": self = .play
    case "Seek": self = .seek(by: try arguments.int64())
    case "SetPosition": self = .setPosition(track: try arguments.objectPath(), to: try arguments.int64())
    case "OpenUri": self = .openURI
    default: return nil
    }
  }
}

extension RoomPlayer {
  /// Removes and returns the oldest command that waits to be sent to the room.
  func nextCommand() -> Command? {
    isBusy = !waitingCommands.isEmpty
    return isBusy ? waitingCommands.removeFirst() : nil
  }

  /// Answers the D-Bus call of a command, with the room's error if there is one.
  func finish(_ command: Command, _ error: LunaraError? = nil) {
    guard let call = command.call else { return }
    answer(call, error)
    sd_bus_message_unref(call)
  }

  /// Adds a command to those that wait; returns false if too many wait already.
  ///
  /// A volume replaces a volume that waits directly before it, so that dragging a slider does not fill the queue.
  private func enqueue(_ command: RoomCommand, call: OpaquePointer?) -> Bool {
    if call == nil, case .transport(.volume) = command, let last = waitingCommands.last, last.call == nil,
      case .transport(.volume) = last.command
    {
      waitingCommands.removeLast()
    }
    guard waitingCommands.count < Self.commandLimit else { return false }
    waitingCommands.append(Command(command: command, call: sd_bus_message_ref(call)))
    return true
  }

  /// Answers a call. Errors are ignored: if the caller or the bus is gone, nobody needs the answer.
  private func answer(_ call: OpaquePointer, _ error: LunaraError? = nil) {
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
    if let reply { sd_bus_send(bus.handle, reply, nil) }
  }
}
