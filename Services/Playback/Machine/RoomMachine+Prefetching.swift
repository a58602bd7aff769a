import Messages
import Model

/// Tracks of servers that the room fetches in advance. The player would fetch the next one as well, so it gets that one
/// only as a file, or as a stream if it was not fetched in time.
extension RoomMachine {
  /// The time before the end of the current track at which the next one is given to the engine as a stream: enough to
  /// open it without a gap. Of a short track it is the last quarter.
  static let streamingMargin = Milliseconds(5000)

  /// The rows of the coming tracks that the engine has as streams.
  var streamedRows: Set<Int64> {
    Set(
      tracks.dropFirst().filter { track in
        guard track.stage == .prepared || track.stage == .decoding, case .url? = track.locator else { return false }
        return true
      }.map(\.row))
  }

  /// Returns true if a coming track, whose locator is known, is fetched and there is time to wait for its file: another
  /// track is played before it, or enough of the current one.
  func mustWaitForFile(_ index: Int, at now: Now) -> Bool {
    guard let item = tracks[index].item, let locator = tracks[index].locator, isPrefetching(item, locator),
      let streamingTime
    else { return false }
    return index > 1 || now.moment < streamingTime
  }

  /// The time at which the next track is given to the engine in any case; nil if that cannot be calculated. While no
  /// sound flows it is later with every moment.
  private var streamingTime: MonotonicTime? {
    guard let duration, position.pace.rate > 0 else { return nil }
    func time(_ length: Milliseconds) -> Milliseconds {
      Milliseconds(Int64(Double(length.rawValue) / position.pace.rate))
    }
    let margin = min(Self.streamingMargin, time(Milliseconds(duration.rawValue / 4)))
    return position.anchor.at + (time(duration - position.anchor.position) - margin)
  }

  /// The time at which the room stops waiting for the file of the next track; nil if it does not wait.
  var fetchDeadline: MonotonicTime? {
    guard isFlowing, tracks.count == 2, tracks[1].stage == .fetching else { return nil }
    return streamingTime ?? position.anchor.at
  }

  /// Stops waiting for the file of the next track if it is time. It may be there, so the track is located again.
  mutating func stopWaitingForFile(at now: Now) {
    guard let fetchDeadline, now.moment >= fetchDeadline else { return }
    locateAgain()
  }

  /// Handles that a track was fetched, or could not be. A track that waits for its file is located again; one that is
  /// prepared as a stream gets its file.
  mutating func prefetchSettled(_ track: TrackID, isFetched: Bool, at now: Now) {
    guard let last = playing?.tracks.last, tracks.count > 1, last.item?.track.id == track else { return }
    if last.stage == .fetching { return locateAgain() }
    guard isFetched, last.stage == .prepared, last.renewal == nil, case .url? = last.locator else { return }
    tracks[tracks.count - 1].renewAt = now.moment
    renew(at: now)
  }

  private mutating func locateAgain() {
    let last = tracks.count - 1
    tracks[last].stage = .locating
    effects.append(.find(tracks[last].id, row: tracks[last].row, locating: true))
  }
}
