import CSystemd
import Model

/// Hands notifications to the desktop (`org.freedesktop.Notifications`). A room has one at a time: the next one takes its
/// place. Used on one thread only.
final class NotificationSender {
  /// The notification that a room has.
  private final class Place { var number: UInt32 = 0 }

  private let bus: OpaquePointer
  // sd-bus points to them while it waits for answers, which ends in `deinit`, before they are let go.
  private var places: [RoomName: Place] = [:]

  /// Connects to the bus at an address, or to the person's own where none is given.
  ///
  /// - Throws: `nowplaying.noSessionBus`.
  init(address: String?) throws { bus = try SessionBus.open(address) }

  deinit { sd_bus_close_unref(bus) }

  /// What to wait for.
  func descriptor() throws -> (number: Int32, events: Int32) {
    (try check(sd_bus_get_fd(bus)), try check(sd_bus_get_events(bus)))
  }

  /// How long until `process` has something to do even if nothing comes in, in microseconds; nil for never.
  var microsecondsToWait: Int64? {
    var deadline = UInt64.max
    guard sd_bus_get_timeout(bus, &deadline) >= 0, let deadline = Int64(exactly: deadline) else { return nil }
    return max(0, deadline - MonotonicClock.microseconds())
  }

  /// Handles answers.
  func process() throws {
    for _ in 0..<RoomPlayer.messagesPerTurn where try check(sd_bus_process(bus, nil)) == 0 { break }
  }

  /// Shows a notification. A desktop without anything that shows them answers with an error, which is nobody's concern.
  func show(_ notification: DesktopNotification) throws {
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
      // What plays is of no interest later.
      DBusEntry(key: "transient", value: .bool(!notification.isProblem)),
    ]
    if let image = notification.image { hints.append(DBusEntry(key: "image-path", value: .string(image))) }
    let place = places[notification.room] ?? Place()
    places[notification.room] = place
    let icon = notification.image ?? "audio-x-generic"
    for value in [
      .string(PlayerName.identity(of: notification.room)), .uint32(place.number), .string(icon),
      .string(notification.title), .string(notification.body), .strings([]), .dictionary(hints), .int32(-1),
    ] as [DBusValue] { try value.append(to: message) }
    try check(
      sd_bus_call_async(
        bus, nil, message,
        { answer, context, _ in
          guard let answer, let context, sd_bus_message_is_method_error(answer, nil) <= 0 else { return 1 }
          var number: UInt32 = 0
          if sd_bus_message_read_basic(answer, CChar(ascii: "u"), &number) > 0 {
            Unmanaged<Place>.fromOpaque(context).takeUnretainedValue().number = number
          }
          return 1
        }, Unmanaged.passUnretained(place).toOpaque(), 5_000_000))
  }
}
