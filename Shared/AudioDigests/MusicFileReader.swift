import CPlatform
public import Messages
package import MusicTags
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
  /// Answers the library's requests until it closes the socket. Tags are interpreted here as well, so a file whose
  /// tags break that ends this process, as does one that takes more than 10 s of processor time.
  ///
  /// - Parameters:
  ///   - socket: the socket to the library.
  ///   - rules: the rules by which the library splits names.
  /// - Throws: `EPIPE` if the library is gone, `EINVAL` for a request that it does not know, and the other errors of
  ///   the socket and of the files that are written.
  package func answerRequests(on socket: MessageSocket, _ rules: TagRules) throws {
    let patience: Int32 = 10
    var interpreter = TagInterpreter(rules)
    try socket.send(TagReading.ready)
    while let message = try socket.receive() {
      let files = message.descriptors
      switch TagReading.Request(message.bytes) {
      case .tags(let requested) where files.count == requested.count + 1:
        for (file, descriptor) in zip(requested, files) {
          lunara_limit_processor_time(patience)
          var answer = tags(of: file, descriptor)
          interpreter.interpret(&answer, of: file.name)
          try files[requested.count].write(answer.bytes)
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
