import Messages
import Model

extension RoomMachine {
  /// Sets the rating of a track in the current items.
  mutating func rate(_ track: TrackID, _ rating: Rating?) {
    for index in tracks.indices where tracks[index].item?.track.id == track {
      tracks[index].item?.track.rating = rating
    }
    publish()
  }

  /// Replaces tracks in the current items and in the present listen, which counts under the new names; `lastAlbum` is
  /// the album of the item that was queued last.
  mutating func renew(_ changed: [Track], lastAlbum: AlbumID?) {
    for index in tracks.indices {
      guard let track = changed.first(where: { $0.id == tracks[index].item?.track.id }) else { continue }
      tracks[index].item?.track = track
    }
    queue.lastAlbum = lastAlbum
    if meter.renew(changed) { record() }
    publish()
  }

  /// Handles the item that was read from a row of the queue; nil if the row is gone.
  mutating func found(
    _ id: CueID, _ item: QueueItem?, beside neighbours: NeighbouringTracks = NeighbouringTracks(), at now: Now
  ) {
    guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
    let isPrepared = tracks[index].stage == .prepared
    // The item was read again only for its level, and has been removed meanwhile.
    if item == nil, isPrepared { return }
    let before = output.gain(of: tracks[index])
    tracks[index].item = item
    tracks[index].neighbours = neighbours
    if item != nil { startWhereLeft(index, at: now) }
    if isPrepared, output.gain(of: tracks[index]) != before { prepareAnew(at: now) }
    if item == nil {
      let error = LunaraError("playback.itemMissing", "An item of the queue of \(room) cannot be read. Remove it.")
      return located(id, .failure(error), at: now)
    }
    guard index == 0 else { return }
    if case .unloaded = phase { endStaleListen() }
    publish()
  }

  /// Handles the locator of a track, or the error if there is none.
  mutating func located(_ id: CueID, _ result: Result<Library.Locator, LunaraError>, at now: Now) {
    if let index = tracks.firstIndex(where: { $0.renewal == id }) { return renewed(index, result, at: now) }
    if let first = tracks.first, first.id == id, first.isSought { return foundLate(result, at: now) }
    guard let index = tracks.firstIndex(where: { $0.id == id }), tracks[index].stage == .locating else { return }
    switch result {
    case .success(let locator):
      tracks[index].set(locator, at: now)
      if index == 0 { return playFirst(at: now) }
      if mustWaitForFile(index, at: now) { return tracks[index].stage = .fetching }
      tracks[index].stage = .prepared
      effects.append(.engine(.prepare(cue(of: tracks[index], locator))))
    case .failure(let error) where index > 0:
      // The track does not play yet, so the error is not shown.
      if error.isTemporary || error.isOutage {
        playing?.prepareAt = now.moment + Milliseconds(error.isTemporary ? 3000 : 10_000)
      } else {
        let row = tracks[index].row
        playing?.unpreparable = row
      }
      tracks.removeSubrange(index...)
    case .failure(let error) where error.isTemporary:
      playing?.locateError = error
      playing?.locateAt = now.moment + Milliseconds(1000)
    case .failure(let error):
      tracks[0].stage = .waiting
      trackFailed(error, at: now)
    }
  }

  /// Returns the cue for a track.
  func cue(of track: PreparedTrack, _ locator: Library.Locator) -> Cue {
    Cue(id: track.id, locator: locator, start: track.start, gain: output.gain(of: track))
  }

  /// Gives the engine the current track, whose locator is known.
  mutating func playFirst(at now: Now) {
    guard let locator = tracks[0].locator else { return }
    tracks[0].stage = .loaded
    effects.append(.engine(.play(cue(of: tracks[0], locator), paused: !wantsSound)))
    prepareNext(at: now)
  }

  /// Makes the engine prepare the track that follows after the one that it decodes.
  mutating func prepareNext(at now: Now) {
    // The engine has not yet accepted the first track, so preparing another one would replace it.
    guard let playing, let first = playing.tracks.first, first.stage != .locating, first.stage != .prepared else {
      return
    }
    let tracks = playing.tracks
    let ahead = tracks.dropFirst().prefix { $0.stage == .decoding }.count
    // If the room is to stop after the current track, the track that is decoded ahead is stopped when the current one
    // ends.
    for index in 0..<ahead where !stopsAfterCurrent && tracks[index + 1].row != queue.slot(ahead: index + 1)?.row {
      return leaveForNext(at: now)
    }
    let wanted = stopsAfterCurrent ? nil : queue.slot(ahead: ahead + 1)
    if tracks.count > ahead + 1 {
      guard tracks[ahead + 1].row != wanted?.row else { return }
      if tracks[ahead + 1].stage == .prepared { effects.append(.engine(.prepare(nil))) }
      self.tracks.removeSubrange((ahead + 1)...)
    }
    guard let wanted, wanted.row != playing.unpreparable else { return }
    self.playing?.prepareAt = nil
    var next = PreparedTrack(id: nextCue(), row: wanted.row, start: .zero, stage: .locating)
    next.startsWhereLeft = wanted.row != first.row
    self.tracks.append(next)
    effects.append(.find(next.id, row: wanted.row, locating: true))
  }
}

// MARK: - Fresh locators and levels

extension RoomMachine {
  /// The track that the engine has prepared to follow without a gap.
  private var preparedNext: PreparedTrack? {
    guard let playing, playing.tracks.count > 1, let last = playing.tracks.last, last.stage == .prepared else {
      return nil
    }
    return last
  }

  /// The time to request a fresh locator of the prepared track.
  var renewalDeadline: MonotonicTime? {
    guard let last = playing?.tracks.last, last.stage == .prepared, last.renewal == nil else { return nil }
    return last.renewAt
  }

  /// Requests a fresh locator if it is time.
  mutating func renew(at now: Now) {
    guard let renewalDeadline, now.moment >= renewalDeadline, let index = tracks.indices.last else { return }
    let id = nextCue()
    tracks[index].renewal = id
    effects.append(.find(id, row: tracks[index].row, locating: true))
  }

  /// Sets a fresh locator. If none was found, the old one is kept while it is valid.
  private mutating func renewed(_ index: Int, _ result: Result<Library.Locator, LunaraError>, at now: Now) {
    guard let id = tracks[index].renewal else { return }
    tracks[index].renewal = nil
    tracks[index].renewAt = now.moment + PreparedTrack.renewalPause
    guard tracks[index].stage == .prepared, case .success(let locator) = result else { return }
    tracks[index].id = id
    tracks[index].set(locator, at: now)
    effects.append(.engine(.prepare(cue(of: tracks[index], locator))))
  }

  /// Reads the neighbours of the next track again if its level depends on them.
  mutating func readNeighbours() {
    guard output.settings.levelling == .smart, tracks.count > 1, let last = tracks.last else { return }
    guard last.stage == .prepared || last.stage == .locating else { return }
    effects.append(.find(last.id, row: last.row, locating: false))
  }

  /// Prepares the next track again, as its level has changed.
  mutating func prepareAnew(at now: Now) {
    guard let locator = preparedNext?.locator(at: now) else { return }
    let index = tracks.count - 1
    tracks[index].id = nextCue()
    effects.append(.engine(.prepare(cue(of: tracks[index], locator))))
  }
}
