public import Model

/// The messages between the library and its tag reader, each one message of a `SOCK_SEQPACKET` socket. They are packed,
/// as a scan exchanges one answer for each file.
///
/// The tag reader first sends its version, one byte, when it is ready. A request for tags comes with the open files as
/// descriptors, in the order of its files, and is answered by one answer for each of them, in the same order. A request
/// for a picture comes with the open music file and the open file for the picture's bytes.
public enum TagReading {
  /// The version of the reader. It is raised whenever a reader gives more of a file than before, or other values. The
  /// library stores it with each file, and reads the files again that a reader of another version read.
  public static let version: UInt8 = 2
  /// The message of a tag reader that is ready.
  public static let ready = [version]
  /// The most files of a request.
  public static let fileLimit = 32
  /// The most bytes of all properties of a file; those after them are left out.
  public static let textLimit = 96 << 10

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
  /// The bytes of the message: outcome, flags, error number (4 bytes, the lowest first), duration (8 bytes), bit rate
  /// (4 bytes), sample rate (4 bytes), bits of a sample, channels, the length of the codec's name, this name, and the
  /// text. Properties of the audio that are unknown are 0.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [outcome.rawValue, (hasPicture ? 1 : 0) | (isLossless ? 2 : 0)]
    let codec = Array((audio.codec ?? "").utf8.prefix(Int(UInt8.max)))
    bytes.reserveCapacity(25 + codec.count + text.count)
    bytes.append(systemError)
    bytes.append(duration)
    bytes.append(UInt32(clamping: audio.bitRate ?? 0))
    bytes.append(UInt32(clamping: audio.sampleRate ?? 0))
    bytes.append(UInt8(clamping: audio.bitDepth ?? 0))
    bytes.append(UInt8(clamping: audio.channels ?? 0))
    bytes.append(UInt8(codec.count))
    return bytes + codec + text
  }

  /// Reads a message; nil where it is no answer.
  public init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard let outcome = rest.popFirst().flatMap(TagReading.Outcome.init(rawValue:)), let flags = rest.popFirst(),
      let error = rest.popNumber(Int32.self), let duration = rest.popNumber(Int64.self),
      let bitRate = rest.popNumber(UInt32.self), let sampleRate = rest.popNumber(UInt32.self),
      let bitDepth = rest.popFirst(), let channels = rest.popFirst(), let length = rest.popFirst(), rest.count >= length
    else { return nil }
    self.init(outcome)
    (systemError, self.duration, hasPicture, isLossless) = (error, duration, flags & 1 != 0, flags & 2 != 0)
    func known(_ number: some FixedWidthInteger) -> Int? { number == 0 ? nil : Int(number) }
    audio = AudioProperties(
      codec: length == 0 ? nil : String(decoding: rest.prefix(Int(length)), as: UTF8.self), bitRate: known(bitRate),
      sampleRate: known(sampleRate), bitDepth: known(bitDepth), channels: known(channels))
    text = Array(rest.dropFirst(Int(length)))
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
