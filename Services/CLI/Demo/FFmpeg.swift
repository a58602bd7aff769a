import CPlatform
import Glibc
import Model

/// Encodes sound and pictures with the program `ffmpeg`, a process a file.
struct FFmpeg: Sendable {
  /// The program's file.
  let path: String

  /// Looks for the program in the folders of `PATH`.
  init(environment: Environment) throws {
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    let candidates = folders.map { folder in "\(folder)/ffmpeg" }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw LunaraError(
        "demo.noFFmpeg",
        "The demo library needs ffmpeg to encode its music. Install it (on Debian: apt install ffmpeg; make setup does), "
          + "or use your own music with --music DIR.")
    }
    self.path = path
  }

  /// Encodes a picture as JPEG.
  func encode(_ picture: Canvas, to file: String) throws {
    try run(
      ["-f", "image2pipe", "-c:v", "ppm", "-i", "pipe:0", "-frames:v", "1", "-q:v", "2", "-pix_fmt", "yuvj444p", file],
      input: picture.pixmap, file: file)
  }

  /// Encodes signed 16-bit stereo samples at 44.1 kHz as FLAC with tags and, where one is given, a cover.
  func encode(_ samples: [UInt8], tags: [(String, String)], cover: String?, to file: String) throws {
    var words = ["-f", "s16le", "-ar", "\(Waveform.rate)", "-ac", "2", "-i", "pipe:0"]
    if let cover {
      words += ["-i", cover, "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"]
      words += ["-metadata:s:v", "title=Cover", "-metadata:s:v", "comment=Cover (front)"]
    }
    words += ["-c:a", "flac", "-compression_level", "4", "-bitexact"]
    for (name, value) in tags { words += ["-metadata", "\(name)=\(value)"] }
    try run(words + [file], input: samples, file: file)
  }

  private func run(_ words: [String], input: [UInt8], file: String) throws {
    let pipe = try Descriptor.pipe()
    let complaints = try Descriptor.pipe()
    let arguments = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1"] + words
    var pid: pid_t = 0
    let descriptors = [pipe.read.number, complaints.write.number, complaints.write.number]
    let error = CStrings.with(arguments) { arguments in
      CStrings.with(["LC_ALL=C.UTF-8"]) { variables in
        lunara_spawn(&pid, path, arguments, variables, descriptors, Int32(descriptors.count))
      }
    }
    guard error == 0 else {
      throw LunaraError("demo.cannotEncode", "Cannot start \(path).", cause: String(cString: strerror(error)))
    }
    complaints.write.close()
    pipe.read.close()
    let isWritten = Descriptor.write(input, to: pipe.write.number)
    pipe.write.close()
    var words: [UInt8] = []
    while case .bytes(let bytes) = complaints.read.read() { words += bytes }
    var ending: Int32 = 0
    _ = lunara_reap(pid, 1, &ending)
    guard isWritten, ending == 0 else {
      throw LunaraError(
        "demo.cannotEncode", "ffmpeg could not write \(file). Is there room on the disk?",
        cause: String(decoding: words.prefix(400), as: UTF8.self))
    }
  }
}
