import Model

// A command with parameters is one flat object with the command's name, which is easy to write in any language. An
// unknown name, as of a newer version, is refused: no known command could replace it.

extension Playback.Transport.Action: Codable {
  private struct Form: Codable {
    enum Name: String, Codable {
      case resume, pause, toggle, next, previous, stop, seek, skip, volume, jump, mute, sleep
      case repeats = "repeat"
      case stopAfterCurrent = "stop-after-current"
      case stopAfterAlbum = "stop-after-album"
    }

    /// The name of the action.
    var name: Name
    /// The milliseconds of `seek`, or the index of `jump`.
    var to: Int64?
    /// The offset of `skip`.
    var by: Milliseconds?
    /// The volume, 0 to 100.
    var percent: Int?
    /// The entry that is meant.
    var of: EntryID?
    /// True to switch it on.
    var on: Bool?
    /// The mode of `repeat`.
    var mode: Playback.Repeat?
    /// The time until `sleep` pauses the room; nil stops the timer.
    var after: Milliseconds?
  }

  /// Reads `{"name": …}` with the parameters of the action.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    self =
      switch form.name {
      case .resume: .resume
      case .pause: .pause
      case .toggle: .toggle
      case .next: .next
      case .previous: .previous
      case .stop: .stop
      case .seek: .seek(to: Milliseconds(try form.to.required(by: decoder)), of: form.of)
      case .skip: .skip(by: try form.by.required(by: decoder))
      case .volume: .volume(try form.percent.required(by: decoder))
      case .jump: .jump(to: Int(try form.to.required(by: decoder)), of: form.of)
      case .mute: .mute(try form.on.required(by: decoder))
      case .repeats: .repeats(try form.mode.required(by: decoder))
      case .stopAfterCurrent: .stopAfterCurrent(try form.on.required(by: decoder))
      case .stopAfterAlbum: .stopAfterAlbum(try form.on.required(by: decoder))
      case .sleep: .sleep(after: form.after)
      }
  }

  /// Writes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    let form =
      switch self {
      case .resume: Form(name: .resume)
      case .pause: Form(name: .pause)
      case .toggle: Form(name: .toggle)
      case .next: Form(name: .next)
      case .previous: Form(name: .previous)
      case .stop: Form(name: .stop)
      case .seek(let position, let entry): Form(name: .seek, to: position.rawValue, of: entry)
      case .skip(let offset): Form(name: .skip, by: offset)
      case .volume(let percent): Form(name: .volume, percent: percent)
      case .jump(let index, let entry): Form(name: .jump, to: Int64(index), of: entry)
      case .mute(let isOn): Form(name: .mute, on: isOn)
      case .repeats(let mode): Form(name: .repeats, mode: mode)
      case .stopAfterCurrent(let isOn): Form(name: .stopAfterCurrent, on: isOn)
      case .stopAfterAlbum(let isOn): Form(name: .stopAfterAlbum, on: isOn)
      case .sleep(let time): Form(name: .sleep, after: time)
      }
    try form.encode(to: encoder)
  }
}

extension Playback.EditQueue.Edit: Codable {
  private struct Form: Codable {
    enum Name: String, Codable {
      case clear, remove, move, order, forget, restore, renew
      case continues = "continue"
      case removeAll = "remove-all"
    }

    /// The name of the edit.
    var name: Name
    /// The index of the item.
    var at: Int?
    /// The index of the item that is moved.
    var from: Int?
    /// The index to which it is moved.
    var to: Int?
    /// The entry that is meant.
    var of: EntryID?
    /// The order.
    var order: Playback.Order?
    /// The seed for shuffling.
    var seed: UInt64?
    /// The tracks that are gone.
    var tracks: [TrackID]?
    /// True to let the queue continue.
    var on: Bool?
    /// The tracks as the library now has them.
    var renewed: [Track]?
    /// The items to remove.
    var items: [Playback.EditQueue.IndexRange]?
    /// The revision of the queue to which the indices belong.
    var revision: Int64?
  }

  /// Reads `{"name": …}` with the parameters of the edit.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    self =
      switch form.name {
      case .clear: .clear
      case .remove: .remove(at: try form.at.required(by: decoder), of: form.of)
      case .removeAll:
        .removeAll(at: try form.items.required(by: decoder), revision: try form.revision.required(by: decoder))
      case .move:
        .move(from: try form.from.required(by: decoder), to: try form.to.required(by: decoder), of: form.of)
      case .order: .order(try form.order.required(by: decoder), seed: try form.seed.required(by: decoder))
      case .forget: .forget(try form.tracks.required(by: decoder))
      case .restore: .restore
      case .continues: .continues(try form.on.required(by: decoder))
      case .renew: .renew(try form.renewed.required(by: decoder))
      }
  }

  /// Writes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    let form =
      switch self {
      case .clear: Form(name: .clear)
      case .remove(let index, let entry): Form(name: .remove, at: index, of: entry)
      case .removeAll(let items, let revision): Form(name: .removeAll, items: items, revision: revision)
      case .move(let from, let to, let entry): Form(name: .move, from: from, to: to, of: entry)
      case .order(let order, let seed): Form(name: .order, order: order, seed: seed)
      case .forget(let tracks): Form(name: .forget, tracks: tracks)
      case .restore: Form(name: .restore)
      case .continues(let isOn): Form(name: .continues, on: isOn)
      case .renew(let tracks): Form(name: .renew, renewed: tracks)
      }
    try form.encode(to: encoder)
  }
}

extension Optional {
  /// Returns the value of a required field; throws a decoding error if it is missing.
  func required(by decoder: any Decoder) throws -> Wrapped {
    if let value = self { return value }
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "a field of type \(Wrapped.self) is missing"))
  }
}
