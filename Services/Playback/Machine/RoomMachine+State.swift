import Messages
import Model

/// The published state, the stored checkpoint, and the deadlines.
extension RoomMachine {
  var state: Playback.RoomState {
    let isShownFlowing = isFlowing && wantsSound
    let pace = position.pace
    return Playback.RoomState(
      room: room, state: playbackState, item: tracks.first?.item,
      position: Position(
        offset: position.anchor.position, rate: isShownFlowing ? max(pace.rate, pace == .free ? 1 : 0) : 0,
        takenAt: position.anchor.date),
      duration: duration, volume: volume.percent, queueRevision: queue.revision, modes: modes, listen: listenMark,
      buffered: tracks.first?.buffered, notice: notice, retriesAt: retry?.due?.date,
      interruption: interruptions.reasons.first?.name,
      title: title ?? titleOfSettings, plugin: isEngaged ? tracks.first?.plugin?.name : nil,
      isPreview: isEngaged && tracks.first?.isPreview == true ? true : nil)
  }

  private var playbackState: PlaybackState {
    switch phase {
    case .idle: .idle
    case .unloaded: .paused
    case .failed(let failure): .error(failure.error)
    case .engaged(let playing):
      !playing.wantsSound ? .paused : playing.isFlowing || playing.graceUntil != nil ? .playing : .buffering
    }
  }

  var modes: Playback.Modes {
    Playback.Modes(
      repeats: queue.repeats, order: queue.order, stopsAfterCurrent: plannedStop == .afterTrack,
      stopsAfterAlbum: plannedStop.isAfterAlbum ? true : nil, sleepsAt: volume.timer?.date, isMuted: volume.isMuted,
      maximumVolume: output.settings.maximumVolume)
  }

  var listenMark: Playback.ListenMark? {
    meter.listen.map {
      Playback.ListenMark(listen: $0.subject.listen, startedAt: $0.subject.startedAt, heard: $0.heard)
    }
  }

  /// The problem that does not stop the room.
  private var notice: LunaraError? {
    if isEngaged, let retry { return retry.error }
    return output.problem ?? otherPlugin ?? passedOver
  }

  /// The notice that the track is played by another plugin than the one that comes first.
  private var otherPlugin: LunaraError? {
    guard isEngaged, let first = tracks.first, let plugin = first.plugin, let former = plugin.insteadOf else {
      return nil
    }
    return LunaraError(
      "playback.otherPlugin",
      "\(former) could not play “\(first.item?.track.title ?? "this track")”, so \(plugin.name) plays it.")
  }

  var outputState: Playback.OutputState {
    let settings = output.settings
    return Playback.OutputState(
      devices: output.devices, chosen: settings.device, used: output.used, levelling: settings.levelling,
      preamp: settings.preamp, startVolume: settings.startVolume, maximumVolume: settings.maximumVolume,
      resumesAfterCrash: settings.resumesAfterCrash, resumesLongTracks: settings.resumesLongTracks)
  }

  func checkpoint(at now: Now) -> Checkpoint {
    let isOn = isEngaged || retry != nil
    return Checkpoint(
      row: queue.currentSlot?.row, progress: progress(at: now), volume: volume.percent, subject: meter.listen?.subject,
      isPlaying: isOn && wantsSound && !isLeaving, boot: boot, resumption: resumption, repeats: queue.repeats,
      plannedStop: plannedStop,
      sleepsAt: volume.timer?.date, isMuted: volume.isMuted, title: title, output: output.settings,
      leftTracks: leftTracks)
  }

  /// Returns position and heard time of the same moment, so that after a restart neither is ahead of the other.
  func progress(at now: Now) -> Checkpoint.Progress {
    let position = position(at: now)
    var meter = meter
    if isFlowing { _ = meter.advance(to: position, at: now.moment) }
    // While no sound is wanted, the time stays that of the last use, also over restarts.
    return Checkpoint.Progress(
      position: position, heard: meter.listen?.heard ?? .zero,
      takenAt: wantsSound ? now.date : self.position.anchor.date)
  }
}

// MARK: - The passing of time

extension RoomMachine {
  /// The time when `wake` must be called if nothing happens before; nil for never.
  var deadline: MonotonicTime? {
    [
      wantsSound ? silentSince.map { $0 + Self.silenceLimit } : nil, playing?.graceUntil,
      playing?.locateAt, playing?.prepareAt, interruptions.outputDueBy, retry?.due?.moment, sleepDeadline,
      renewalDeadline, moves.deadline, waitsForMoreUntil, endDeadline, fetchDeadline,
    ]
    .compactMap { $0 }.min()
  }

  mutating func wake(at now: Now) {
    stopWaitingForOutput(at: now)
    if let waitsForMoreUntil, now.moment >= waitsForMoreUntil { stopWaitingForMore() }
    wakeForMoves(at: now)
    wakeSleep(at: now)
    stopAtEnd(at: now)
    renew(at: now)
    stopWaitingForFile(at: now)
    if let due = retry?.due, now.moment >= due.moment { return tryAgain(at: now) }
    if let silentSince, wantsSound, now.moment >= silentSince + Self.silenceLimit { return giveUp(at: now) }
    if let graceUntil = playing?.graceUntil, now.moment >= graceUntil {
      playing?.graceUntil = nil
      publish()
    }
    if let locateAt = playing?.locateAt, now.moment >= locateAt {
      playing?.locateAt = nil
      if let first = tracks.first, first.stage == .locating {
        effects.append(.find(first.id, row: first.row, locating: true, failed: first.failedPlugins))
      }
    }
    if let prepareAt = playing?.prepareAt, now.moment >= prepareAt {
      playing?.prepareAt = nil
      prepareNext(at: now)
    }
  }

  private mutating func giveUp(at now: Now) {
    let title = tracks.first?.item?.track.title ?? "the track"
    let message = "No sound came of \(title) for 8 s. Is the machine that holds it reachable?"
    fail(
      LunaraError("playback.noSound", message, cause: playing?.locateError?.description), retries: true, at: now)
  }

  /// Prepares for the end of the service: stores position and heard time, so that the same listen can continue.
  mutating func suspend(at now: Now) {
    isLeaving = true
    record(markSoundStopped(at: now))
  }
}
