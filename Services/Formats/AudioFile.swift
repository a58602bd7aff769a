import CAVFormat
import Glibc
import Messages
import Model
import System

/// A file that libavformat has opened, and its stream of audio. Only the demuxers and decoders are used by which a room
/// would play it, and only for files that begin like audio; libavformat can open nothing itself.
struct AudioFile: ~Copyable {
  enum Failure: Error {
    /// The file is no audio file, or nothing in it can be played.
    case broken
    case unreadable(Errno)
    case outOfMemory
  }

  /// The length of the part in which the kind of the file and its streams are looked for.
  private static let probeLength = 1 << 20
  /// The length of sound, in microseconds, that is read to learn of a stream what the header does not say.
  private static let analysedLength = 5_000_000
  private static let bufferLength: Int32 = 16_384

  private let source: UnsafeMutablePointer<DescriptorSource>
  let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>
  var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }
  /// The size of the file in bytes.
  let size: Int64

  /// Turns off libavformat's messages.
  static func silenceLibrary() { av_log_set_level(AV_LOG_QUIET) }

  /// Opens a file.
  init(_ descriptor: Descriptor, _ file: TagReading.File) throws(Failure) {
    try Self.checkStart(of: descriptor)
    let source = UnsafeMutablePointer<DescriptorSource>.allocate(capacity: 1)
    source.initialize(to: DescriptorSource(descriptor: descriptor.number, size: file.size))
    let (context, stream) = try Self.open(source, name: String(decoding: file.name, as: UTF8.self))
    self.source = source
    self.context = context
    self.stream = stream
    size = file.size
    for index in 0..<Int(context.pointee.nb_streams) where context.pointee.streams[index] != stream {
      context.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
    }
  }

  deinit { Self.close(context, source) }

  /// Throws the failure of a result of libavformat below 0.
  func check(_ result: Int32) throws(Failure) { try Self.check(result, source) }

  private static func check(_ result: Int32, _ source: UnsafeMutablePointer<DescriptorSource>) throws(Failure) {
    if let error = source.pointee.error { throw .unreadable(error) }
    if result == lunara_av_no_memory { throw .outOfMemory }
    if result < 0 { throw .broken }
  }

  /// Checks that a file begins like audio, as the room does.
  private static func checkStart(of descriptor: Descriptor) throws(Failure) {
    let head: [UInt8]
    do throws(Errno) {
      head = try descriptor.readBytes(upTo: AudioContainer.headLength, at: 0)
    } catch {
      throw .unreadable(error)
    }
    guard AudioContainer(head: head) != nil else { throw .broken }
  }

  /// Opens a file and finds its stream of audio. Frees the source where it throws.
  private static func open(
    _ source: UnsafeMutablePointer<DescriptorSource>, name: String
  ) throws(Failure) -> (UnsafeMutablePointer<AVFormatContext>, UnsafeMutablePointer<AVStream>) {
    let context: UnsafeMutablePointer<AVFormatContext>
    do throws(Failure) { context = try openContext(source, name) } catch {
      source.deallocate()
      throw error
    }
    do throws(Failure) {
      try check(avformat_find_stream_info(context, nil), source)
      let number = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
      guard number >= 0, let stream = context.pointee.streams[Int(number)] else { throw .broken }
      return (context, stream)
    } catch {
      close(context, source)
      throw error
    }
  }

  private static func openContext(
    _ source: UnsafeMutablePointer<DescriptorSource>, _ name: String
  ) throws(Failure) -> UnsafeMutablePointer<AVFormatContext> {
    guard let buffer = av_malloc(Int(bufferLength)) else { throw .outOfMemory }
    var input = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), bufferLength, 0, source,
      { DescriptorSource.from($0)?.pointee.read($1, $2) ?? lunara_av_read_error }, nil,
      { DescriptorSource.from($0)?.pointee.seek($1, $2) ?? -1 })
    guard let opened = input else {
      av_free(buffer)
      throw .outOfMemory
    }
    var context = avformat_alloc_context()
    guard context != nil else {
      av_freep(&opened.pointee.buffer)
      avio_context_free(&input)
      throw .outOfMemory
    }
    context?.pointee.pb = opened
    var options: OpaquePointer?
    let settings = [
      ("format_whitelist", AudioContainer.demuxers.joined(separator: ",")),
      ("codec_whitelist", AudioDecoders.probed.joined(separator: ",")), ("protocol_whitelist", "none"),
      ("probesize", "\(probeLength)"), ("analyzeduration", "\(analysedLength)"),
    ]
    for (key, value) in settings { av_dict_set(&options, key, value, 0) }
    let result = avformat_open_input(&context, name, nil, &options)
    av_dict_free(&options)
    guard result >= 0, let context else {
      // avformat_open_input has freed the context, but not what reads for it.
      av_freep(&opened.pointee.buffer)
      avio_context_free(&input)
      try check(min(result, -1), source)
      throw .broken
    }
    return context
  }

  private static func close(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ source: UnsafeMutablePointer<DescriptorSource>
  ) {
    var input = context.pointee.pb
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
    if let opened = input { av_freep(&opened.pointee.buffer) }
    avio_context_free(&input)
    source.deallocate()
  }
}

extension AudioFile {
  /// The tags of the file, then those of its stream that the file lacks, by the names that TagLib uses.
  var tags: [(name: String, value: [UInt8])] {
    var tags: [(name: String, value: [UInt8])] = []
    for dictionary in [context.pointee.metadata, stream.pointee.metadata] {
      let known = Set(tags.map(\.name))
      var entry = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
      while let found = entry {
        let name = TagNames.standard(String(cString: found.pointee.key))
        if !known.contains(name) {
          // Bytes that are no UTF-8 are replaced.
          tags.append((name, Array(String(cString: found.pointee.value).utf8)))
        }
        entry = av_dict_get(dictionary, "", found, AV_DICT_IGNORE_SUFFIX)
      }
    }
    return tags
  }

  /// The chapters of the file as a CUE sheet has its tracks: a block as `CueBlock` describes it, and their titles.
  /// Empty for fewer than two chapters.
  ///
  /// Programs write chapters in any order, and more than once where a file has several editions; the first of those
  /// that begin together counts.
  var chapters: [(name: String, value: [UInt8])] {
    let second = AVRational(num: 1, den: parameters.pointee.sample_rate)
    var starts: Set<Int64> = []
    let chapters = (0..<Int(context.pointee.nb_chapters)).compactMap { index -> (start: Int64, title: String?)? in
      guard second.den > 0, let chapter = context.pointee.chapters[index]?.pointee, chapter.time_base.den > 0 else {
        return nil
      }
      let start = max(0, av_rescale_q(chapter.start, chapter.time_base, second))
      guard starts.insert(start).inserted else { return nil }
      let title = av_dict_get(chapter.metadata, "title", nil, 0).map { String(cString: $0.pointee.value) }
      return (start, title)
    }
    guard chapters.count > 1 else { return [] }
    let sorted = chapters.sorted { $0.start < $1.start }.enumerated()
    let block = sorted.map { "\n\($0.offset + 1) \($0.element.start) 1" }.joined()
    return [("FLAC:CUESHEET", Array(block.utf8))]
      + sorted.compactMap { index, chapter in
        chapter.title.map { ("TITLE[\(index + 1)]", Array($0.utf8)) }
      }
  }

  /// The tags of the file, of its stream and its pictures as libavformat names them, with the name of the format.
  var allTags: TagReading.AllTags {
    var all = TagReading.AllTags()
    let kind = context.pointee.iformat.map { String(cString: $0.pointee.long_name ?? $0.pointee.name) } ?? ""
    for dictionary in [context.pointee.metadata, stream.pointee.metadata] {
      var entry = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
      while let found = entry {
        all.append(
          kind: kind, name: String(cString: found.pointee.key), value: String(cString: found.pointee.value))
        entry = av_dict_get(dictionary, "", found, AV_DICT_IGNORE_SUFFIX)
      }
    }
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let picture = context.pointee.streams[index],
        picture.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, picture.pointee.attached_pic.size > 0
      else { continue }
      let codec = String(cString: avcodec_get_name(picture.pointee.codecpar.pointee.codec_id))
      all.append(kind: kind, name: "picture", value: codec, length: Int(picture.pointee.attached_pic.size))
    }
    return all
  }

  /// Calls `body` with the bytes of the first picture that is embedded; with nil if there is none.
  func withPicture<Result, Thrown>(
    _ body: (UnsafeBufferPointer<UInt8>?) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index] else { continue }
      let picture = stream.pointee.attached_pic
      if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, let bytes = picture.data, picture.size > 0 {
        return try body(UnsafeBufferPointer(start: bytes, count: Int(picture.size)))
      }
    }
    return try body(nil)
  }
}

/// The bytes of an open file for libavformat.
struct DescriptorSource {
  let descriptor: Int32
  let size: Int64
  private var offset: Int64 = 0
  /// The first error of the kernel.
  private(set) var error: Errno?

  init(descriptor: Int32, size: Int64) {
    self.descriptor = descriptor
    self.size = size
  }

  /// Returns the source that libavformat passes to its callbacks.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<DescriptorSource>? {
    pointer?.assumingMemoryBound(to: DescriptorSource.self)
  }

  mutating func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
    while true {
      let length = pread(descriptor, buffer, Int(count), off_t(offset))
      if length < 0, errno == EINTR { continue }
      if length < 0 {
        error = error ?? .current
        return lunara_av_read_error
      }
      offset += Int64(length)
      return length == 0 ? lunara_av_end : Int32(length)
    }
  }

  /// Moves the position, or returns the size for `AVSEEK_SIZE`; -1 for a position that no file has.
  mutating func seek(_ target: Int64, _ whence: Int32) -> Int64 {
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return size
    case SEEK_SET: base = 0
    case SEEK_CUR: base = offset
    case SEEK_END: base = size
    default: return -1
    }
    let (place, isTooLarge) = base.addingReportingOverflow(target)
    guard !isTooLarge, place >= 0 else { return -1 }
    offset = place
    return place
  }
}
