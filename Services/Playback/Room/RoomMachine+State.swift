import Messages
import Model

/// The room as others see it, and as it is stored.
extension RoomMachine {
  /// What the room plays.
  var state: Playback.RoomState {
    let isShownFlowing = isFlowing && wantsSound
    return Playback.RoomState(
      room: room, state: playbackState, item: tracks.first?.item,
      position: Position(
        offset: anchor.position, rate: isShownFlowing ? max(pace.rate, pace == .free ? 1 : 0) : 0,
        takenAt: anchor.date),
      duration: duration, volume: volume, queueRevision: queue.revision, modes: modes, listen: listenMark,
      buffered: tracks.first?.buffered, notice: notice, retriesAt: retry?.due?.date, interruption: interruptions.shown,
      title: title)
  }

  private var playbackState: PlaybackState {
    switch phase {
    case .idle: .idle
    case .cold: .paused
    case .failed(let error): .error(error)
    case .engaged: !wantsSound ? .paused : isFlowing || graceUntil != nil ? .playing : .buffering
    }
  }

  /// What the room does by itself.
  var modes: Playback.Modes {
    Playback.Modes(
      repeats: queue.repeats, order: queue.order, stopsAfterCurrent: stopsAfterCurrent, sleepsAt: sleep?.date,
      isMuted: isMuted, maximumVolume: output.maximumVolume)
  }

  /// The listen that is not over.
  var listenMark: Playback.ListenMark? {
    meter.listen.map {
      Playback.ListenMark(listen: $0.subject.listen, startedAt: $0.subject.startedAt, heard: $0.heard)
    }
  }

  /// What is not as it should be though the room goes on.
  private var notice: LunaraError? {
    if case .engaged = phase, let retry { return retry.error }
    return outputTrouble
  }

  /// How the room sounds.
  var outputState: Playback.OutputState {
    Playback.OutputState(
      devices: devices, chosen: output.device, used: usedDevice, levelling: output.levelling, preamp: output.preamp,
      startVolume: output.startVolume, maximumVolume: output.maximumVolume, resumesAfterCrash: output.resumesAfterCrash)
  }

  /// Whether more of the queue's continuation is wanted.
  var wantsMore: Bool { isDry || queue.wantsMore(playing: tracks.first?.item?.track.albumID) }

  /// How things stand, to be stored.
  func checkpoint(at now: Now) -> Checkpoint {
    let isOn = phase == .engaged || retry != nil
    return Checkpoint(
      row: queue.currentSlot?.row, progress: progress(at: now), volume: volume, subject: meter.listen?.subject,
      isPlaying: isOn && wantsSound && !isLeaving, repeats: queue.repeats, stopsAfterCurrent: stopsAfterCurrent,
      sleepsAt: sleep?.date, isMuted: isMuted, title: title, output: output)
  }

  /// How far things have come: as far in the listen as in the track, so that neither is ahead of the other after a
  /// restart.
  func progress(at now: Now) -> Checkpoint.Progress {
    let position = position(at: now)
    var meter = meter
    if isFlowing { _ = meter.hear(upTo: position, at: now.moment) }
    return Checkpoint.Progress(position: position, heard: meter.listen?.heard ?? .zero, takenAt: now.date)
  }
}
