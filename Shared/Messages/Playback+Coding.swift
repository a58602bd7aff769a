import Model

// Commands with parameters are one flat object with the command's name, which any language writes without thinking. A
// command of a newer version is refused as a whole: nothing that resembles it would be what was meant.

extension Playback.Transport.Action: Codable {
  private enum CodingKeys: String, CodingKey { case name, to, by, percent }
  private enum Name: String, Codable { case resume, pause, toggle, next, previous, stop, seek, skip, volume, jump }

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
    case .seek: self = .seek(to: try container.decode(Milliseconds.self, forKey: .to))
    case .skip: self = .skip(by: try container.decode(Milliseconds.self, forKey: .by))
    case .volume: self = .volume(try container.decode(Int.self, forKey: .percent))
    case .jump: self = .jump(to: try container.decode(Int.self, forKey: .to))
    }
  }

  /// Writes the same form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    switch self {
    case .resume, .pause, .toggle, .next, .previous, .stop: break
    case .seek(let position): try container.encode(position, forKey: .to)
    case .skip(let offset): try container.encode(offset, forKey: .by)
    case .volume(let percent): try container.encode(percent, forKey: .percent)
    case .jump(let index): try container.encode(index, forKey: .to)
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
    }
  }
}

extension Playback.EditQueue.Edit: Codable {
  private enum CodingKeys: String, CodingKey { case name, at, from, to }
  private enum Name: String, Codable { case clear, remove, move }

  /// Reads `{"name": …}` with the indexes that the edit takes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Name.self, forKey: .name) {
    case .clear: self = .clear
    case .remove: self = .remove(at: try container.decode(Int.self, forKey: .at))
    case .move:
      self = .move(from: try container.decode(Int.self, forKey: .from), to: try container.decode(Int.self, forKey: .to))
    }
  }

  /// Writes the same form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .clear: try container.encode(Name.clear, forKey: .name)
    case .remove(let index):
      try container.encode(Name.remove, forKey: .name)
      try container.encode(index, forKey: .at)
    case .move(let from, let to):
      try container.encode(Name.move, forKey: .name)
      try container.encode(from, forKey: .from)
      try container.encode(to, forKey: .to)
    }
  }
}
