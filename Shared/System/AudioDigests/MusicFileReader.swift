import CPlatform
public import Messages
public import System

/// Reads music files for the library, in a process of its own: `lunara-tags` and `lunara-formats`, each with another
/// library.
public protocol MusicFileReader: ~Copyable {
  /// Reads the properties of an open file.
  func tags(of file: TagReading.File, _ descriptor: Descriptor) -> TagReading.Answer

  /// Writes the cover picture in an open file to another open file.
  func picture(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer

  /// Writes the lyrics in the tags of an open file to another open file.
  func lyrics(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer

  /// Writes all tags of an open file, as they stand there, to another open file.
  func allTags(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer
}

extension MusicFileReader where Self: ~Copyable {
  /// Answers the library's requests until it closes the socket. A file that takes more than 10 s of processor time ends
  /// this process.
  ///
  /// - Throws: `EPIPE` if the library is gone, `EINVAL` for a request that it does not know, and the other errors of
  ///   the socket and of the files that are written.
  public func answerRequests(on socket: MessageSocket) throws {
    let patience: Int32 = 10
    try socket.send(TagReading.ready)
    while let message = try socket.receive() {
      let files = message.descriptors
      switch TagReading.Request(message.bytes) {
      case .tags(let requested) where files.count == requested.count + 1:
        for (file, descriptor) in zip(requested, files) {
          lunara_limit_processor_time(patience)
          try files[requested.count].write(tags(of: file, descriptor).bytes)
        }
        try socket.send(TagReading.ready)
      case .picture(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(picture(of: file, files[0], to: files[1]).bytes)
      case .lyrics(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(lyrics(of: file, files[0], to: files[1]).bytes)
      case .allTags(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(allTags(of: file, files[0], to: files[1]).bytes)
      default: throw Errno.invalidArgument
      }
      lunara_limit_processor_time(0)
    }
  }
}
