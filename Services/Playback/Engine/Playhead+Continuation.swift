import Model

/// Playing on from one cue to the next one in the same file.
///
/// If the next cue is the next segment of the open file, nothing is opened and nothing is cut: a decoder that starts
/// over in the middle of a lossy file gives other samples at first than one that has decoded what comes before. So
/// libmpv plays on over the cut, and stops at the end of the last segment that is wanted. That end is moved while the
/// decoder is before it, and moved back where the next cue becomes another one.
extension Playhead {
  /// A prepared cue that follows in the open file.
  struct Continuation: Hashable, Sendable {
    var cue: Cue
    /// True if libmpv was told to play on to the end of this cue.
    var isEndMoved: Bool
  }

  /// The sound by which libmpv may be ahead of a device: more than the buffers of libmpv and of usual devices hold.
  private static let lead = Milliseconds(600)

  /// The sound by which libmpv may be ahead of a pipe: it writes 65,536 samples at a time, and a position is as old as
  /// the last pieces.
  private static let pipeLead = Milliseconds(6000)

  /// The sound by which the decoder may be ahead of the last known audible position.
  private var reach: Milliseconds {
    switch pace {
    case .steady(let rate): Milliseconds(Int64(Double(Self.lead.rawValue) * max(1, rate)))
    case .free: Self.pipeLead
    }
  }

  /// The indices of the cues in the open file, or in the last one that was open.
  var cuesOfFile: Range<Int> {
    let first = openCues.firstIndex { $0.entry == openCues.last?.entry } ?? openCues.count
    return first..<openCues.count
  }

  /// The time when the decoder may reach the end of the open cue; nil if it need not be watched.
  var continuationTime: MonotonicTime? {
    guard continuation != nil, openCues.count == 1, let length = openCues[0].cue.length else { return nil }
    return time(of: length - reach)
  }

  /// Prepares a cue by playing on in the file that is open, or about to be. Returns nil if the cue is not in that file
  /// where the open cue ends, or if the decoder may have reached that end.
  mutating func continueFile(with cue: Cue, at now: MonotonicTime) -> [Action]? {
    if let former = continuation, former.isEndMoved, let last = openCues.last?.cue, cue.continues(last) {
      continuation = Continuation(cue: cue, isEndMoved: true)
      return former.cue.length == cue.length ? [] : [.player(.end(cue))]
    }
    guard playsOn, let last = pending ?? openCueBeingDecoded, let length = last.length, cue.continues(last) else {
      return nil
    }
    let isHeard = pending == nil && !isSeeking && cuesOfFile.lowerBound == 0 && anchor != nil
    let position =
      isHeard ? openCues[0].cue.offset + position(at: now) : last.offset + (openCues.last?.from ?? last.start)
    guard position + reach < last.offset + length else { return nil }
    continuation = Continuation(cue: cue, isEndMoved: false)
    // While nothing is heard of the file, it may not be open yet.
    return isHeard ? goOnInFile(at: position) : []
  }

  /// The last of the open cues, if it is not known to be decoded to its end.
  private var openCueBeingDecoded: Cue? {
    guard let last = openCues.last, last.phase == .running || last.phase == .opening else { return nil }
    return last.cue
  }

  /// Makes libmpv stop at the end of the open cue again, if it was told to play on.
  mutating func endFile() -> [Action] {
    defer { continuation = nil }
    guard let continuation, continuation.isEndMoved, let last = openCues.last, last.phase == .running else { return [] }
    return [.player(.end(last.cue))]
  }

  /// Makes libmpv play on into the prepared continuation, and opens that when the decoder may have reached it.
  /// `position` is the audible one in the open file.
  mutating func goOnInFile(at position: Milliseconds) -> [Action] {
    guard let next = continuation, !isSeeking, let last = openCues.last, last.phase == .running,
      let length = last.cue.length
    else { return [] }
    let isNear = position + reach >= last.cue.offset + length
    guard next.isEndMoved else {
      continuation = isNear ? nil : Continuation(cue: next.cue, isEndMoved: true)
      // If libmpv may have left the file, the cue is a file of its own.
      return isNear ? [append(next.cue)] : [.player(.end(next.cue))]
    }
    guard isNear else { return [] }
    continuation = nil
    openCues[openCues.count - 1].end = length
    var open = OpenCue(next.cue, entry: last.entry)
    open.phase = .running
    open.fileDuration = last.fileDuration
    openCues.append(open)
    cached = nil
    return [.report(.decoding(next.cue.id))] + (open.duration.map { [.report(.duration(next.cue.id, $0))] } ?? [])
  }

  /// Handles that a file was decoded up to a position in it, and no further.
  mutating func decoded(upTo end: Milliseconds) {
    let cues = cuesOfFile
    for index in cues {
      let (cue, position) = (openCues[index].cue, end - openCues[index].cue.offset)
      if index > cues.lowerBound, position <= Self.tolerance {
        openCues[index].phase = .opening
        openCues[index].end = cue.start
      } else {
        openCues[index].end = max(cue.start, cue.length.map { min($0, position) } ?? position)
      }
    }
    // libmpv had left the file when it was told to play on, so the cue is opened when the file was heard.
    guard let last = openCues.last, cues.count > 1, last.phase == .opening, prepared == nil,
      end + Self.lead >= last.cue.offset
    else { return }
    openCues.removeLast()
    continuation = Continuation(cue: last.cue, isEndMoved: true)
  }

  /// The error of a position that libmpv reports.
  private static let tolerance = Milliseconds(20)
}
