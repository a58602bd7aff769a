import CVips
import Glibc
import Messages
import Model

/// Carries out a job: reads a picture once, decodes it once, and makes all that is wanted of it.
enum Thumbnails {
  /// The largest file that is taken for a picture.
  private static let byteLimit = 64 << 20
  /// The size that colours are taken from where no larger one is wanted.
  private static let least = 300

  /// - Throws: `library.badPicture`, `library.fileMissing`, `library.artUnwritable`.
  static func make(_ job: Artwork.Job) throws(LunaraError) -> Artwork.Outcome {
    let bytes = try contents(of: job.path)
    defer { lunara_vips_end_thread() }
    let digest = digest(of: bytes)
    let wants = job.wants.sorted { $0.size > $1.size }
    func path(_ want: Artwork.Want) -> String { "\(job.folder)/\(want.fileName(of: digest))" }
    let missing = wants.filter { access(path($0), F_OK) != 0 }
    var picture = try Picture(bytes, size: missing.first?.size ?? least)
    var written: Int64 = 0
    for want in missing {
      // Each is made of the one before it, which is larger.
      if picture.longest > want.size { picture = try Picture(picture, size: want.size) }
      written += try save(picture, want.format, at: path(want), unfinished: "\(job.folder)/.new-\(getpid())-\(job.id)")
    }
    let small = try Picture(picture, size: Colours.side, isForced: true)
    return Artwork.Outcome(id: job.id, digest: digest, palette: Colours.palette(of: small.pixels), written: written)
  }

  private static func save(
    _ picture: Picture, _ format: Artwork.Format, at path: String, unfinished: String
  ) throws(LunaraError) -> Int64 {
    do {
      switch format {
      case .jpeg: try picture.saveJPEG(unfinished)
      case .webp: try picture.saveWebP(unfinished)
      }
    } catch {
      unlink(unfinished)
      throw error
    }
    var status = stat()
    guard stat(unfinished, &status) == 0, rename(unfinished, path) == 0 else {
      throw LunaraError(
        "library.artUnwritable", "Pictures cannot be kept at \(path). Make room there and let this user write to it.",
        cause: String(cString: strerror(errno)))
    }
    return Int64(status.st_size)
  }

  private static func digest(of bytes: [UInt8]) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65) { buffer in
      guard let text = buffer.baseAddress else { return "" }
      lunara_sha256(bytes, bytes.count, text)
      return String(cString: text)
    }
  }

  private static func contents(of path: LocalPath) throws(LunaraError) -> [UInt8] {
    // A pipe or device under this name must not block.
    let name = path.bytes.map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw missing(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw missing(path, "no regular file")
    }
    guard status.st_size <= byteLimit else { throw missing(path, "it has \(status.st_size) bytes") }
    let size = Int(status.st_size)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        count += got
      }
    }
    guard failure == 0 else { throw missing(path, String(cString: strerror(failure))) }
    return bytes
  }

  private static func missing(_ path: LocalPath, _ cause: String) -> LunaraError {
    LunaraError(
      "library.fileMissing", "The picture \(path) cannot be read. Refresh the library with `lunara sync`.",
      cause: cause)
  }
}
