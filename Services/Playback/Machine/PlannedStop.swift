import Messages
import Model

/// The place at which a room stops by itself: the next item then becomes current without playing.
enum PlannedStop: Hashable, Sendable {
  case never
  case afterTrack
  case afterAlbum(AlbumEnd)

  var isAfterAlbum: Bool { if case .afterAlbum = self { true } else { false } }
}

/// The end of the current album in the queue.
struct AlbumEnd: Hashable, Sendable {
  /// A row of a version of the queue.
  struct Place: Hashable, Sendable {
    var row: Int64
    var revision: Int64
  }

  /// The last row of the album; nil until it was read.
  var row: Int64?
  /// The current row from which the end was sought last; nil before that.
  var soughtFrom: Place?
}

extension RoomMachine {
  /// True if the room stops when the current track ends.
  var stopsAfterCurrent: Bool {
    switch plannedStop {
    case .never: false
    case .afterTrack: true
    case .afterAlbum(let end): end.row != nil && end.row == tracks.first?.row
    }
  }

  mutating func setStop(_ wanted: PlannedStop, _ isOn: Bool, at now: Now) {
    let isSet = wanted == .afterTrack ? plannedStop == .afterTrack : plannedStop.isAfterAlbum
    guard isSet != isOn else { return }
    plannedStop = isOn ? wanted : .never
    recordAndPublish()
    prepareNext(at: now)
  }

  /// Requests the end of the current album, if the room stops there and it is not known for the present queue.
  mutating func seekAlbumEnd() {
    guard case .afterAlbum(var end) = plannedStop, let row = queue.currentSlot?.row else { return }
    let place = AlbumEnd.Place(row: row, revision: queue.revision)
    guard end.soughtFrom != place else { return }
    end.soughtFrom = place
    plannedStop = .afterAlbum(end)
    effects.append(.findAlbumEnd(place))
  }

  /// Handles the last row of the current album, which was sought from `place`.
  mutating func foundAlbumEnd(_ row: Int64?, from place: AlbumEnd.Place, at now: Now) {
    guard case .afterAlbum(var end) = plannedStop, end.soughtFrom == place, end.row != row else { return }
    end.row = row
    plannedStop = .afterAlbum(end)
    prepareNext(at: now)
  }

  /// The time when the current track ends, if the room is to stop then and the engine already decodes the next
  /// track: the engine would report the end only after playing a little of that.
  var endDeadline: MonotonicTime? {
    guard stopsAfterCurrent, isFlowing, wantsSound, position.pace.rate > 0,
      tracks.dropFirst().first?.stage == .decoding, let duration = tracks.first?.duration
    else { return nil }
    let (anchor, rate) = (position.anchor, position.pace.rate)
    return anchor.at + Milliseconds(Int64(Double((duration - anchor.position).rawValue) / rate))
  }

  mutating func stopAtEnd(at now: Now) {
    guard let endDeadline, now.moment >= endDeadline, let first = tracks.first else { return }
    ended(first.id, at: first.duration ?? position.anchor.position, now)
  }
}
