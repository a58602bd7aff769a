import CSystemd
import Glibc
import Model

extension RoomPlayer {
  /// The tables whose entries lead to players: each is given to sd-bus with the player as its context.
  static func makeTables() -> PlayerTables {
    PlayerTables(
      call: { message, context, error in
        guard let message, let context else { return -EINVAL }
        return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().called(message, error)
      },
      get: { _, _, _, property, reply, context, _ in
        guard let property, let reply, let context else { return -EINVAL }
        return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue().read(String(cString: property), reply)
      },
      set: { _, _, _, property, message, context, error in
        guard let property, let message, let context else { return -EINVAL }
        return Unmanaged<RoomPlayer>.fromOpaque(context).takeUnretainedValue()
          .write(String(cString: property), message, error)
      })
  }

  /// A method was called; what is returned is sd-bus's: 1 for answered here or later, negative for an error.
  private func called(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    let call: PlayerCall?
    do {
      call = try PlayerCall(message)
    } catch {
      return -EBADMSG
    }
    switch call?.outcome(for: scene.properties) {
    case nil, .ignore:
      answer(message)
      return 1
    case .refuse(let name, let text): return sd_bus_error_set(error, name, text)
    case .perform(let action): return enqueue(action, call: message) ? 1 : refuseForNow(error)
    }
  }

  /// A property was set; sd-bus answers the caller.
  private func write(
    _ property: String, _ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 {
    let call: PlayerCall
    do {
      let value = try DBusReader(message: message).double()
      call = property == "Volume" ? .setVolume(value) : .setRate(value)
    } catch {
      return -EBADMSG
    }
    switch call.outcome(for: scene.properties) {
    case .ignore: return 0
    case .refuse(let name, let text): return sd_bus_error_set(error, name, text)
    case .perform(let action): return enqueue(action, call: nil) ? 0 : refuseForNow(error)
    }
  }

  /// A property is read, one by one or for `PropertiesChanged`.
  private func read(_ property: String, _ reply: OpaquePointer) -> Int32 {
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
    case "CanQuit", "CanRaise", "HasTrackList": .bool(false)
    case "Identity": .string(PlayerName.identity(of: room))
    case "SupportedUriSchemes", "SupportedMimeTypes": .strings([])
    case "Position": .int64(scene.anchor.position(at: monotonic(), upTo: scene.properties.length))
    default: scene.properties.value(of: property)
    }
  }

  private func refuseForNow(_ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    sd_bus_error_set(
      error, DBusErrorName.limitsExceeded, "Too many commands wait for the room \(room). Try again in a moment.")
  }
}

extension PlayerCall {
  /// Reads a method call with its arguments; nil for one without effect here.
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
    // Raise and Quit: CanRaise and CanQuit are false, so they do nothing.
    default: return nil
    }
  }
}
