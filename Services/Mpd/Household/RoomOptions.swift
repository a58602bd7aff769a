import Messages
import Model

/// The modes of a room in the words of the protocol: `repeat`, `single`, `random`.
///
/// `single` with `repeat` repeats one song. Without `repeat` it stops after the current song, once, which the protocol
/// calls `oneshot`.
struct RoomOptions: Equatable {
  enum Single: String {
    case off = "0"
    case on = "1"
    case oneshot
  }

  var repeats: Playback.Repeat
  var stopsAfterCurrent: Bool
  var isRandom: Bool

  init(_ modes: Playback.Modes?) {
    repeats = modes?.repeats ?? .off
    stopsAfterCurrent = modes?.stopsAfterCurrent ?? false
    isRandom = (modes?.order ?? .queued) != .queued
  }

  var isRepeating: Bool { repeats != .off }

  var single: Single { stopsAfterCurrent ? .oneshot : repeats == .one ? .on : .off }

  /// Returns the commands that switch repeating on or off and leave `single` as it is.
  func settingRepeat(_ isOn: Bool) -> [Playback.Transport.Action] {
    if isOn {
      return stopsAfterCurrent ? [.stopAfterCurrent(false), .repeats(.one)] : isRepeating ? [] : [.repeats(.all)]
    }
    return repeats == .one ? [.repeats(.off), .stopAfterCurrent(true)] : [.repeats(.off)]
  }

  /// Returns the commands that set `single`.
  func setting(_ single: Single) -> [Playback.Transport.Action] {
    switch single {
    case .off:
      let stop: [Playback.Transport.Action] = stopsAfterCurrent ? [.stopAfterCurrent(false)] : []
      return stop + (repeats == .one ? [.repeats(.all)] : [])
    case .on: return isRepeating ? [.repeats(.one)] : [.stopAfterCurrent(true)]
    case .oneshot: return [.stopAfterCurrent(true)]
    }
  }
}
