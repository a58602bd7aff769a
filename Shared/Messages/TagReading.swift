public import Model

/// The messages between the library and its tag reader on a `SOCK_SEQPACKET` socket, and the answers in a file in
/// memory. They are packed, as a scan needs one answer for each file.
///
/// The tag reader first sends `ready`. A request for tags comes with the open music files as descriptors, in the order
/// of its files, and after them a file in memory. The tag reader writes one answer for each music file to that, in the
/// same order and each as soon as it is known, and sends `ready` after the last one. So a scan wakes the library once
/// for a request, and if the tag reader ends, the answers until then are there.
///
/// A request for a picture comes with the open music file and the open file for the picture's bytes, and is answered by
/// a message with one answer.
public enum TagReading {
  /// The version of the reader. It is raised whenever a reader gives more of a file than before, or other values. The
  /// library stores it with each file, and reads the files again that a reader of another version read.
  public static let version: UInt8 = 2
  /// The message of a tag reader that waits for a request: its version.
  public static let ready = [version]
  /// The most files of a request.
  public static let fileLimit = 32
  /// The most bytes of all properties of a file; those after them are left out.
  public static let textLimit = 96 << 10
  /// The most bytes of an answer.
  public static let answerLimit = 29 + Int(UInt8.max) + textLimit

  /// An open music file.
  public struct File: Hashable, Sendable {
    /// Its name, whose ending says which format is tried first.
    public var name: [UInt8]
    /// Its length in bytes.
    public var size: Int64

    public init(name: [UInt8], size: Int64) { (self.name, self.size) = (name, size) }
  }

  /// The kinds of requests.
  public enum Request: Hashable, Sendable {
    case tags([File])
    case picture(File)
  }

  /// The outcomes of reading a file.
  public enum Outcome: UInt8, Sendable {
    case read
    /// The file is no audio file, or incomplete.
    case broken
    /// The kernel could not read the file; `systemError` says why.
    case unreadable
    /// The file needs more memory than is allowed.
    case outOfMemory
  }

  /// The answer for one file.
  public struct Answer: Hashable, Sendable {
    /// The outcome.
    public var outcome: Outcome
    /// The kernel's error number for `Outcome.unreadable`, else 0.
    public var systemError: Int32 = 0
    /// The duration in milliseconds.
    public var duration: Int64 = 0
    /// True if a picture is embedded that can stand for the album. For a request for a picture: true if it was written.
    public var hasPicture = false
    /// True if the audio is lossless.
    public var isLossless = false
    /// The properties of the audio.
    public var audio = AudioProperties()
    /// The properties in UTF-8, each as its name in capitals, NUL, its value, NUL. A name with several values comes
    /// several times.
    public var text: [UInt8] = []

    public init(_ outcome: Outcome) { self.outcome = outcome }
  }
}

extension TagReading.Request {
  /// The bytes of the message: the kind, then for each file its size (8 bytes, the lowest first), the length of its
  /// name (2 bytes) and its name.
  public var bytes: [UInt8] {
    switch self {
    case .tags(let files): files.reduce(into: [0]) { $1.append(to: &$0) }
    case .picture(let file): [1] + [file].reduce(into: []) { $1.append(to: &$0) }
    }
  }

  /// Reads a message; nil where it is no request.
  public init?(_ bytes: [UInt8]) {
    var rest = bytes.dropFirst()
    var files: [TagReading.File] = []
    while !rest.isEmpty {
      guard let file = TagReading.File(&rest) else { return nil }
      files.append(file)
    }
    switch (bytes.first, files.count) {
    case (0, 1...TagReading.fileLimit): self = .tags(files)
    case (1, 1): self = .picture(files[0])
    default: return nil
    }
  }
}

extension TagReading.File {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(size)
    bytes.append(UInt16(clamping: name.count))
    bytes += name.prefix(Int(UInt16.max))
  }

  fileprivate init?(_ rest: inout ArraySlice<UInt8>) {
    guard let size = rest.popNumber(Int64.self), let length = rest.popNumber(UInt16.self), rest.count >= length else {
      return nil
    }
    self.init(name: Array(rest.prefix(Int(length))), size: size)
    rest = rest.dropFirst(Int(length))
  }
}

extension TagReading.Answer {
  /// The bytes of the answer: the length of the text (4 bytes, the lowest first), outcome, flags, error number (4
  /// bytes), duration (8 bytes), bit rate (4 bytes), sample rate (4 bytes), bits of a sample, channels, the length of
  /// the codec's name, this name, and the text. Properties of the audio that are unknown are 0.
  public var bytes: [UInt8] {
    let codec = (audio.codec ?? "").utf8.prefix(Int(UInt8.max))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(29 + codec.count + text.count)
    bytes.append(UInt32(clamping: text.count))
    bytes += [outcome.rawValue, (hasPicture ? 1 : 0) | (isLossless ? 2 : 0)]
    bytes.append(systemError)
    bytes.append(duration)
    bytes.append(UInt32(clamping: audio.bitRate ?? 0))
    bytes.append(UInt32(clamping: audio.sampleRate ?? 0))
    bytes.append(UInt8(clamping: audio.bitDepth ?? 0))
    bytes.append(UInt8(clamping: audio.channels ?? 0))
    bytes.append(UInt8(codec.count))
    return bytes + codec + text
  }

  /// Reads an answer from the start of `rest`, and removes it there; nil where there is none.
  public init?(_ rest: inout ArraySlice<UInt8>) {
    var left = rest
    guard let length = left.popNumber(UInt32.self), let outcome = left.popFirst(), let flags = left.popFirst(),
      let error = left.popNumber(Int32.self), let duration = left.popNumber(Int64.self),
      let bitRate = left.popNumber(UInt32.self), let sampleRate = left.popNumber(UInt32.self),
      let bitDepth = left.popFirst(), let channels = left.popFirst(), let codecLength = left.popFirst(),
      left.count >= Int(codecLength) + Int(length), let outcome = TagReading.Outcome(rawValue: outcome)
    else { return nil }
    self.init(outcome)
    (systemError, self.duration, hasPicture, isLossless) = (error, duration, flags & 1 != 0, flags & 2 != 0)
    func known(_ number: some FixedWidthInteger) -> Int? { number == 0 ? nil : Int(number) }
    audio = AudioProperties(
      codec: codecLength == 0 ? nil : String(decoding: left.prefix(Int(codecLength)), as: UTF8.self),
      bitRate: known(bitRate), sampleRate: known(sampleRate), bitDepth: known(bitDepth), channels: known(channels))
    left = left.dropFirst(Int(codecLength))
    text = Array(left.prefix(Int(length)))
    rest = left.dropFirst(Int(length))
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func popNumber<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard count >= size else { return nil }
    let number = prefix(size).reversed().reduce(0) { ($0 << 8) | Number(truncatingIfNeeded: $1) } as Number
    removeFirst(size)
    return number
  }
}
