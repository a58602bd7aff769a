import CSystemd
import Model
import System

/// The notifications of one desktop (`org.freedesktop.Notifications`): decides which are due, and sends them. Each room
/// has at most one notification, which the next one replaces. Used on one thread only.
final class DesktopNotifications {
  /// The id that the desktop gave to a room's notification; 0 before the first one.
  private final class NotificationID { var number: UInt32 = 0 }

  private let address: String?
  private var policy: NotificationPolicy
  private var bus: SessionBus?
  // sd-bus holds pointers to these objects until the calls are answered or the connection is closed; `disconnect`
  // closes it before it releases them.
  private var ids: [RoomName: NotificationID] = [:]
  /// The descriptor that the owner watches; -1 if there is none.
  private(set) var watchedDescriptor: Int32 = -1

  /// Creates the notifications of `rooms` for the bus at `address`, or for the user's own session bus if it is nil.
  init(of rooms: NotifiedRooms, address: String?) {
    policy = NotificationPolicy(rooms)
    self.address = address
  }

  deinit { disconnect() }

  private func disconnect() {
    bus = nil
    ids = [:]
  }

  /// Sends the notifications that have become due. If the bus cannot be reached they are dropped, and the next ones
  /// connect again.
  func update(_ snapshots: [RoomName: PlayerSnapshot]) {
    let due = policy.update(snapshots, at: MonotonicClock.microseconds())
    guard !due.isEmpty else { return }
    do {
      let bus = try bus ?? SessionBus(address)
      self.bus = bus
      for notification in due { try show(notification, on: bus.handle) }
    } catch {
      disconnect()
    }
  }

  /// Handles the answers that have arrived. Returns the descriptor to watch and the events of poll(2) to watch it for;
  /// nil if there is no connection.
  func process() -> (number: Int32, events: Int32)? {
    watchedDescriptor = -1
    do {
      try bus?.process()
      let wanted = try bus?.descriptor()
      watchedDescriptor = wanted?.number ?? -1
      return wanted
    } catch {
      disconnect()
      return nil
    }
  }

  /// The time of the monotonic clock, in microseconds, at which `update` or `process` must be called even if no message
  /// arrives; nil if there is none.
  var due: Int64? { [bus?.due, policy.due].compactMap(\.self).min() }

  /// Sends a notification. A desktop without notifications answers with an error, which is ignored.
  private func show(_ notification: DesktopNotification, on bus: OpaquePointer) throws {
    var message: OpaquePointer?
    try check(
      sd_bus_message_new_method_call(
        bus, &message, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
        "org.freedesktop.Notifications", "Notify"))
    defer { sd_bus_message_unref(message) }
    guard let message else { return }
    var hints = [
      DBusEntry(key: "category", value: .string(notification.isProblem ? "device.error" : "x-lunara.track")),
      DBusEntry(key: "urgency", value: .byte(notification.isProblem ? 1 : 0)),
      // Nobody looks up later which track played, so the desktop need not keep this notification in its list.
      DBusEntry(key: "transient", value: .bool(!notification.isProblem)),
    ]
    if let image = notification.image { hints.append(DBusEntry(key: "image-path", value: .string(image))) }
    let id = ids[notification.room] ?? NotificationID()
    ids[notification.room] = id
    for value in [
      .string(PlayerName.identity(of: notification.room)), .uint32(id.number),
      .string(notification.image ?? "audio-x-generic"), .string(notification.title), .string(notification.body),
      .strings([]), .dictionary(hints), .int32(-1),
    ] as [DBusValue] { try value.append(to: message) }
    try check(
      sd_bus_call_async(
        bus, nil, message,
        { answer, context, _ in
          guard let answer, let context, sd_bus_message_is_method_error(answer, nil) <= 0 else { return 1 }
          var number: UInt32 = 0
          if sd_bus_message_read_basic(answer, CChar(ascii: "u"), &number) > 0 {
            Unmanaged<NotificationID>.fromOpaque(context).takeUnretainedValue().number = number
          }
          return 1
        }, Unmanaged.passUnretained(id).toOpaque(), 5_000_000))
  }
}
