import Model

// Commands with parameters are one flat object with the command's name, which any language writes without thinking. A
// command of a newer version is refused as a whole: nothing that resembles it would be what was meant.

extension Playback.Transport.Action: Codable {
  private enum CodingKeys: String, CodingKey { case name, to, by, percent, of, on, mode, after }
  private enum Name: String, Codable {
    case resume, pause, toggle, next, previous, stop, seek, skip, volume, jump, mute, sleep
    case repeats = "repeat"
    case stopAfterCurrent = "stop-after-current"
  }

  /// Reads `{"name": …}` with `to`, `by` or `percent` where the action takes one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Name.self, forKey: .name) {
    case .resume: self = .resume
    case .pause: self = .pause
    case .toggle: self = .toggle
    case .next: self = .next
    case .previous: self = .previous
    case .stop: self = .stop
    case .seek:
      self = .seek(
        to: try container.decode(Milliseconds.self, forKey: .to),
        of: try container.decodeIfPresent(EntryID.self, forKey: .of))
    case .skip: self = .skip(by: try container.decode(Milliseconds.self, forKey: .by))
    case .volume: self = .volume(try container.decode(Int.self, forKey: .percent))
    case .jump:
      self = .jump(
        to: try container.decode(Int.self, forKey: .to), of: try container.decodeIfPresent(EntryID.self, forKey: .of))
    case .mute: self = .mute(try container.decode(Bool.self, forKey: .on))
    case .repeats: self = .repeats(try container.decode(Playback.Repeat.self, forKey: .mode))
    case .stopAfterCurrent: self = .stopAfterCurrent(try container.decode(Bool.self, forKey: .on))
    case .sleep: self = .sleep(after: try container.decodeIfPresent(Milliseconds.self, forKey: .after))
    }
  }

  /// Writes the same form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    switch self {
    case .resume, .pause, .toggle, .next, .previous, .stop: break
    case .seek(let position, let entry):
      try container.encode(position, forKey: .to)
      try container.encodeIfPresent(entry, forKey: .of)
    case .skip(let offset): try container.encode(offset, forKey: .by)
    case .volume(let percent): try container.encode(percent, forKey: .percent)
    case .jump(let index, let entry):
      try container.encode(index, forKey: .to)
      try container.encodeIfPresent(entry, forKey: .of)
    case .mute(let isOn), .stopAfterCurrent(let isOn): try container.encode(isOn, forKey: .on)
    case .repeats(let mode): try container.encode(mode, forKey: .mode)
    case .sleep(let time): try container.encodeIfPresent(time, forKey: .after)
    }
  }

  private var name: Name {
    switch self {
    case .resume: .resume
    case .pause: .pause
    case .toggle: .toggle
    case .next: .next
    case .previous: .previous
    case .stop: .stop
    case .seek: .seek
    case .skip: .skip
    case .volume: .volume
    case .jump: .jump
    case .mute: .mute
    case .repeats: .repeats
    case .stopAfterCurrent: .stopAfterCurrent
    case .sleep: .sleep
    }
  }
}

extension Playback.EditQueue.Edit: Codable {
  private enum CodingKeys: String, CodingKey { case name, at, from, to, of, order, seed, tracks }
  private enum Name: String, Codable { case clear, remove, move, order, forget }

  /// Reads `{"name": …}` with the indexes that the edit takes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Name.self, forKey: .name) {
    case .clear: self = .clear
    case .remove:
      self = .remove(
        at: try container.decode(Int.self, forKey: .at), of: try container.decodeIfPresent(EntryID.self, forKey: .of))
    case .move:
      self = .move(
        from: try container.decode(Int.self, forKey: .from), to: try container.decode(Int.self, forKey: .to),
        of: try container.decodeIfPresent(EntryID.self, forKey: .of))
    case .order:
      self = .order(
        try container.decode(Playback.Order.self, forKey: .order),
        seed: try container.decode(UInt64.self, forKey: .seed))
    case .forget: self = .forget(try container.decode([TrackID].self, forKey: .tracks))
    }
  }

  /// Writes the same form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .clear: try container.encode(Name.clear, forKey: .name)
    case .remove(let index, let entry):
      try container.encode(Name.remove, forKey: .name)
      try container.encode(index, forKey: .at)
      try container.encodeIfPresent(entry, forKey: .of)
    case .move(let from, let to, let entry):
      try container.encode(Name.move, forKey: .name)
      try container.encode(from, forKey: .from)
      try container.encode(to, forKey: .to)
      try container.encodeIfPresent(entry, forKey: .of)
    case .order(let order, let seed):
      try container.encode(Name.order, forKey: .name)
      try container.encode(order, forKey: .order)
      try container.encode(seed, forKey: .seed)
    case .forget(let tracks):
      try container.encode(Name.forget, forKey: .name)
      try container.encode(tracks, forKey: .tracks)
    }
  }
}
