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
/// a message with one answer. Requests for lyrics and for all tags are alike; the file then gets these.
public enum TagReading {
  /// The version of the reader. It is raised whenever a reader gives more of a file than before, or other values. The
  /// library stores it with each file, and reads the files again that a reader of another version read.
  public static let version: UInt8 = 9
  /// The message of a tag reader that waits for a request: its version.
  public static let ready = [version]
  /// The most files of a request.
  public static let fileLimit = 32
  /// The most bytes of all properties of a file; those after them are left out.
  public static let textLimit = 96 << 10
  /// The most bytes of the tags that they are: normal forms and marks for broken characters may be three times as long.
  public static let packedLimit = 4 * textLimit
  /// The most bytes of an answer.
  public static let answerLimit = headLength + Int(UInt8.max) + packedLimit
  /// The bytes of an answer before the codec's name.
  static let headLength = 38

  /// An open music file.
  public struct File: Hashable, Sendable {
    /// Its name, whose ending says which format is tried first.
    public var name: [UInt8]
    /// Its length in bytes.
    public var size: Int64
    /// The encoding of text that claims to be Latin-1: 0 for Latin-1, else the place, from 1 on, among the encodings
    /// with which the reader was started.
    public var encoding: UInt8 = 0
  }

  /// The kinds of requests.
  public enum Request: Hashable, Sendable {
    case tags([File])
    case picture(File)
    case lyrics(File)
    /// All tags as they stand in the file.
    case allTags(File)
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
    /// True if a picture is embedded that can stand for the album. For a request for a part of the file: true if
    /// that was written.
    public var hasPicture = false
    /// True if the audio is lossless.
    public var isLossless = false
    /// True if the audio of a lossy file becomes lossless with a correction file beside it.
    public var isHybrid = false
    /// True if lyrics are embedded.
    public var hasLyrics = false
    /// True if lyrics are embedded of which each line has its time.
    public var hasTimedLyrics = false
    /// True if a value is marked as Latin-1 and is not ASCII: such values are often in another encoding.
    public var hasLegacyText = false
    /// True if the file is shorter than its header says. For a request for a picture: true if a better one was left
    /// out, as its end is missing.
    public var isTruncated = false
    /// A digest by which equal audio is recognised whatever its tags are; 0 if unknown.
    public var audioDigest: UInt64 = 0
    /// The properties of the audio.
    public var audio = AudioProperties()
    /// While a file is read, its properties in UTF-8, each as its name in capitals, NUL, its value, NUL; a name with
    /// several values comes several times. In an answer, the tags that the reader made of them, as the library stores
    /// them.
    public var text: [UInt8] = []

    public init(_ outcome: Outcome) { self.outcome = outcome }
  }
}

extension TagReading.Request {
  /// The bytes of the message: the kind, then for each file its size (8 bytes, the lowest first), its encoding, the
  /// length of its name (2 bytes) and its name.
  public var bytes: [UInt8] {
    switch self {
    case .tags(let files): files.reduce(into: [0]) { $1.append(to: &$0) }
    case .picture(let file): [1] + [file].reduce(into: []) { $1.append(to: &$0) }
    case .lyrics(let file): [2] + [file].reduce(into: []) { $1.append(to: &$0) }
    case .allTags(let file): [3] + [file].reduce(into: []) { $1.append(to: &$0) }
    }
  }

  /// Reads a message; nil if it is no request.
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
    case (2, 1): self = .lyrics(files[0])
    case (3, 1): self = .allTags(files[0])
    default: return nil
    }
  }
}

extension TagReading.File {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(size)
    bytes.append(encoding)
    bytes.append(UInt16(clamping: name.count))
    bytes += name.prefix(Int(UInt16.max))
  }

  fileprivate init?(_ rest: inout ArraySlice<UInt8>) {
    guard let size = rest.popNumber(Int64.self), let encoding = rest.popFirst(),
      let length = rest.popNumber(UInt16.self), rest.count >= length
    else { return nil }
    self.init(name: Array(rest.prefix(Int(length))), size: size, encoding: encoding)
    rest = rest.dropFirst(Int(length))
  }
}

extension TagReading.Answer {
  /// The bytes of the answer: the length of the text (4 bytes, the lowest first), outcome, flags (2 bytes), error
  /// number (4 bytes), duration (8 bytes), bit rate (4 bytes), sample rate (4 bytes), bits of a sample, channels, the
  /// digest of the audio (8 bytes), the length of the codec's name, this name, and the text. Properties of the audio
  /// that are unknown are 0.
  public var bytes: [UInt8] {
    let codec = (audio.codec ?? "").utf8.prefix(Int(UInt8.max))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(TagReading.headLength + codec.count + text.count)
    bytes.append(UInt32(clamping: text.count))
    bytes.append(outcome.rawValue)
    bytes.append(flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt16($1.offset) : 0) } as UInt16)
    bytes.append(systemError)
    bytes.append(duration)
    bytes.append(UInt32(clamping: audio.bitRate ?? 0))
    bytes.append(UInt32(clamping: audio.sampleRate ?? 0))
    bytes.append(UInt8(clamping: audio.bitDepth ?? 0))
    bytes.append(UInt8(clamping: audio.channels ?? 0))
    bytes.append(audioDigest)
    bytes.append(UInt8(codec.count))
    return bytes + codec + text
  }

  /// The flags, that of the lowest bit first.
  private var flags: [Bool] {
    get { [hasPicture, isLossless, hasLyrics, hasTimedLyrics, hasLegacyText, isHybrid, isTruncated] }
    set {
      guard newValue.count == 7 else { return }
      hasPicture = newValue[0]
      isLossless = newValue[1]
      hasLyrics = newValue[2]
      hasTimedLyrics = newValue[3]
      hasLegacyText = newValue[4]
      isHybrid = newValue[5]
      isTruncated = newValue[6]
    }
  }

  /// Reads an answer from the start of `rest`, and removes it there; nil if there is none.
  public init?(_ rest: inout ArraySlice<UInt8>) {
    var left = rest
    guard let length = left.popNumber(UInt32.self), let outcome = left.popFirst(),
      let flags = left.popNumber(UInt16.self),
      let error = left.popNumber(Int32.self), let duration = left.popNumber(Int64.self),
      let bitRate = left.popNumber(UInt32.self), let sampleRate = left.popNumber(UInt32.self),
      let bitDepth = left.popFirst(), let channels = left.popFirst(), let digest = left.popNumber(UInt64.self),
      let codecLength = left.popFirst(),
      left.count >= Int(codecLength) + Int(length), let outcome = TagReading.Outcome(rawValue: outcome)
    else { return nil }
    self.init(outcome)
    systemError = error
    self.duration = duration
    audioDigest = digest
    self.flags = (0..<7).map { flags & 1 << UInt16($0) != 0 }
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
