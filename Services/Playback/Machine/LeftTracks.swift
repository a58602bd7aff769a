import Messages
import Model

/// The long tracks that a room left before their end, with the positions at which it left them. They are kept only if a
/// person wants such tracks to go on from there.
struct LeftTracks: Hashable, Sendable {
  struct Place: Hashable, Sendable {
    var track: TrackID
    var position: Milliseconds
  }

  /// The places, that of the track that was left last at the end.
  private(set) var places: [Place] = []

  /// The length from which a track is long.
  static let shortest = Milliseconds(20 * 60_000)
  /// A track that was left this close to its beginning, or to its end, begins anew.
  static let margin = Milliseconds(30_000)
  /// The largest number of places. Those that were left first are forgotten first.
  static let limit = 200

  init(_ places: [Place] = []) { self.places = places }

  /// Returns the position at which a track was left; nil if it was not, or was played to its end.
  func position(of track: TrackID) -> Milliseconds? { places.first { $0.track == track }?.position }

  /// Records that a track of this length was left at a position.
  mutating func leave(_ track: TrackID, at position: Milliseconds, of length: Milliseconds) {
    forget(track)
    guard length >= Self.shortest, position >= Self.margin, position <= length - Self.margin else { return }
    places.append(Place(track: track, position: position))
    if places.count > Self.limit { places.removeFirst() }
  }

  /// Records that a track was played to its end.
  mutating func forget(_ track: TrackID) { places.removeAll { $0.track == track } }
}

extension RoomMachine {
  /// Returns where a track starts unless a person chose a position: where it was left, or else at its beginning.
  func start(of item: QueueItem?) -> Milliseconds {
    item.flatMap { leftTracks.position(of: $0.track.id) } ?? .zero
  }

  /// Sets where a track starts that was requested before its item was read.
  mutating func startWhereLeft(_ index: Int, at now: Now) {
    guard tracks[index].startsWhereLeft else { return }
    tracks[index].startsWhereLeft = false
    // The track that plays is left later, or heard to its end.
    let isCurrent = index > 0 && tracks[index].item?.track.id == tracks[0].item?.track.id
    let start = isCurrent ? .zero : start(of: tracks[index].item)
    guard start != tracks[index].start else { return }
    tracks[index].start = start
    guard index == 0 else { return }
    position.set(start, at: now)
    effects.append(.recordProgress)
  }

  /// Records where the current track is left, if it is long and such tracks are to go on from there.
  mutating func leaveCurrent(_ reason: Playback.EndReason, at now: Now) {
    guard output.settings.resumesLongTracks, let first = tracks.first, let track = first.item?.track.id else { return }
    if reason == .finished {
      leftTracks.forget(track)
    } else if !first.startsWhereLeft, let duration {
      leftTracks.leave(track, at: position(at: now), of: duration)
    }
  }
}
