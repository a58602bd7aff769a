import CSystemd
import Glibc
import Messages
import Model

extension RoomPlayer {
  /// Makes the tables whose entries call a player, which sd-bus passes as the context.
  static func makeInterfaces() -> MPRISInterfaces {
    MPRISInterfaces(
      call: { message, context, error in
        guard let message, let context else { return -EINVAL }
        return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().handleCall(message, error)
      },
      get: { _, _, _, property, reply, context, _ in
        guard let property, let reply, let context else { return -EINVAL }
        return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().readProperty(
          String(cString: property), reply)
      },
      set: { _, _, _, property, message, context, error in
        guard let property, let message, let context else { return -EINVAL }
        return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue()
          .writeProperty(String(cString: property), message, error)
      })
  }

  /// Handles a method call. Returns 1 where it is answered here or later, or a negative errno, as sd-bus wants it.
  private func handleCall(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    let call: PlayerCall?
    do {
      if try answerGetTracksMetadata(message) { return 1 }
      call = try PlayerCall(message)
    } catch {
      return -EBADMSG
    }
    guard let call else {
      // Quit does nothing, as CanQuit says.
      if sd_bus_message_is_method_call(message, MPRISInterfaces.rootInterface, "Raise") > 0 { raise?() }
      answer(message)
      return 1
    }
    switch call.outcome(for: snapshot.properties, tracks: snapshot.tracks, isFirst: !hasUnfinishedCommands) {
    case .ignore:
      answer(message)
      return 1
    case .refuse(let name, let text): return sd_bus_error_set(error, name, text)
    case .perform(let command): return enqueue(command, call: message) ? 1 : refuseAsBusy(error)
    }
  }

  /// Answers `GetTracksMetadata`; returns false for any other call.
  private func answerGetTracksMetadata(_ message: OpaquePointer) throws -> Bool {
    guard sd_bus_message_is_method_call(message, MPRISInterfaces.trackListInterface, "GetTracksMetadata") > 0 else {
      return false
    }
    var reply: OpaquePointer?
    try check(sd_bus_message_new_method_return(message, &reply))
    defer { sd_bus_message_unref(reply) }
    guard let reply else { return false }
    let wanted = try DBusReader(message: message).objectPaths(upTo: 1000)
    let items = Dictionary(snapshot.tracks.items.map { (TrackPath.of($0.entry), $0) }) { first, _ in first }
    try check(sd_bus_message_open_container(reply, CChar(ascii: "a"), "a{sv}"))
    for path in wanted {
      if path == snapshot.properties.trackPath, path != TrackPath.none {
        try DBusValue.dictionary(snapshot.properties.metadata).append(to: reply)
      } else if let item = items[path] {
        try DBusValue.dictionary(snapshot.tracks.metadata(of: item)).append(to: reply)
      }
    }
    try check(sd_bus_message_close_container(reply))
    sd_bus_send(bus, reply, nil)
    return true
  }

  /// Handles a property that a program sets; sd-bus answers the caller.
  private func writeProperty(
    _ property: String, _ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 {
    let call: PlayerCall
    let value = DBusReader(message: message)
    do {
      switch property {
      case "Volume": call = .setVolume(try value.double())
      case "Rate": call = .setRate(try value.double())
      case "Shuffle": call = .setShuffle(try value.bool())
      case "LoopStatus": call = .setLoop(try value.string())
      default: return -ENOENT
      }
    } catch {
      return -EBADMSG
    }
    switch call.outcome(for: snapshot.properties, isFirst: !hasUnfinishedCommands) {
    case .ignore: return 0
    case .refuse(let name, let text): return sd_bus_error_set(error, name, text)
    case .perform(let command): return enqueue(command, call: nil) ? 0 : refuseAsBusy(error)
    }
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
    case "CanQuit", "CanEditTracks": .bool(false)
    case "CanRaise": .bool(raise != nil)
    case "HasTrackList": .bool(true)
    case "Identity": .string(PlayerName.identity(of: room))
    case "SupportedUriSchemes", "SupportedMimeTypes": .strings([])
    case "Position": .int64(snapshot.anchor.position(at: monotonic(), upTo: snapshot.properties.length))
    case "Tracks": .objectPaths(snapshot.tracks.paths)
    default: snapshot.properties.value(of: property)
    }
  }

  private func refuseAsBusy(_ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    sd_bus_error_set(
      error, DBusErrorName.limitsExceeded, "Too many commands wait for the room \(room). Try again in a moment.")
  }
}

extension PlayerCall {
  /// Reads a method call with its arguments; nil for one that has no effect on a room.
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
    case "GoTo": self = .goTo(track: try arguments.objectPath())
    case "AddTrack", "RemoveTrack": self = .editTracks
    default: return nil
    }
  }
}

extension RoomPlayer {
  /// True while a command waits for the room.
  var hasCommands: Bool { !waitingCommands.isEmpty }

  /// True while a command waits, or has been sent and not answered.
  var hasUnfinishedCommands: Bool { isBusy || !waitingCommands.isEmpty }

  /// Removes and returns the oldest command that waits for the room.
  func nextCommand() -> Command? {
    isBusy = !waitingCommands.isEmpty
    return isBusy ? waitingCommands.removeFirst() : nil
  }

  /// Answers the call behind a command, with the room's error if there is one.
  func finish(_ command: Command, _ error: LunaraError? = nil) {
    isBusy = false
    guard let call = command.call else { return }
    answer(call, error)
    sd_bus_message_unref(call)
  }

  /// Adds a command of a program to those that wait; returns false where too many wait already.
  ///
  /// Of several volumes set in a row only the last one matters, so dragging a slider does not fill the queue.
  func enqueue(_ command: RoomCommand, call: OpaquePointer?) -> Bool {
    if call == nil, case .transport(.volume) = command, let last = waitingCommands.last, last.call == nil,
      case .transport(.volume) = last.command
    {
      waitingCommands.removeLast()
    }
    guard waitingCommands.count < Self.commandLimit else { return false }
    waitingCommands.append(Command(command: command, call: sd_bus_message_ref(call)))
    return true
  }

  /// Answers a call. Errors are ignored: a caller or a bus that has gone needs no answer.
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
