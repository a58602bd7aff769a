import Messages
import Model

/// Places that are good for a time only: what waits to be played is given a fresh one before that is over.
extension RoomMachine {
  /// How long before a place is no good any more another one is asked for.
  static let renewalMargin = Milliseconds(20_000)
  /// How long is waited at least between two places of one track.
  static let renewalPause = Milliseconds(5000)

  /// When to ask for a fresh place of the prepared track.
  var renewalDeadline: MonotonicTime? {
    guard phase == .engaged, let last = tracks.last, last.stage == .prepared, last.renewal == nil else { return nil }
    return last.renewAt
  }

  /// Asks for a fresh place where it is time.
  mutating func renew(at now: Now) {
    guard let renewalDeadline, now.moment >= renewalDeadline, let index = tracks.indices.last else { return }
    let id = nextCue()
    tracks[index].renewal = id
    effects.append(.find(id, row: tracks[index].row, locating: true))
  }

  /// A track was fetched to the disk: where it waits to be played as a stream, it is found anew.
  mutating func fetched(_ track: TrackID, at now: Now) {
    guard phase == .engaged, let last = tracks.last, last.stage == .prepared, last.renewal == nil,
      last.item?.track.id == track, case .url? = last.locator
    else { return }
    tracks[tracks.count - 1].renewAt = now.moment
    renew(at: now)
  }

  /// A fresh place was found, or not: then the old one is kept for as long as it lasts.
  mutating func renewed(_ index: Int, _ result: Result<Library.Locator, LunaraError>, at now: Now) {
    guard let id = tracks[index].renewal else { return }
    tracks[index].renewal = nil
    tracks[index].renewAt = now.moment + Self.renewalPause
    guard tracks[index].stage == .prepared, case .success(let locator) = result else { return }
    tracks[index].id = id
    tracks[index].take(locator, at: now)
    effects.append(.engine(.prepare(cue(of: tracks[index], locator))))
  }

  /// Has the tracks beside the one that follows read again, where its level depends on them: it is the album's between two tracks of
  /// that.
  mutating func readNeighbours() {
    guard output.levelling == .smart, tracks.count > 1, let last = tracks.last else { return }
    guard last.stage == .prepared || last.stage == .locating else { return }
    effects.append(.find(last.id, row: last.row, locating: false))
  }

  /// Has the track that follows prepared once more, as its level is another one.
  mutating func prepareAnew(at now: Now) {
    guard let last = tracks.last, tracks.count > 1, last.stage == .prepared, let locator = last.locator(at: now) else {
      return
    }
    let index = tracks.count - 1
    tracks[index].id = nextCue()
    effects.append(.engine(.prepare(cue(of: tracks[index], locator))))
  }
}

extension PreparedTrack {
  /// Takes a place that was found.
  mutating func take(_ locator: Library.Locator, at now: Now) {
    self.locator = locator
    (staleAt, renewAt) = (nil, nil)
    guard case .url(_, _, let lasts?) = locator else { return }
    // A server that says nonsense must not make the room ask without end.
    let length = max(.zero, lasts.within(Milliseconds(30 * 24 * 3_600_000)))
    staleAt = now.moment + length
    renewAt = now.moment + max(RoomMachine.renewalPause, length - RoomMachine.renewalMargin)
  }
}
