import CVips
import Glibc
import Messages
import Model
import System

/// Runs a job: reads a picture once, decodes it once, and makes all thumbnails that are wanted.
enum Thumbnails {
  /// The most bytes of a file that is accepted as a picture.
  private static let byteLimit = 64 << 20
  /// The size that colours are computed from where no larger one is wanted.
  private static let least = 300

  /// Makes the thumbnails of a job that are not there yet.
  /// Throws `library.badPicture`, `library.fileMissing`, `library.artUnwritable`.
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
      // Each is made from the one before it, which is larger.
      if picture.longest > want.size { picture = try Picture(picture, size: want.size) }
      written += try save(picture, want.format, at: path(want), unfinished: "\(job.folder)/.new-\(getpid())-\(job.id)")
    }
    let small = try Picture(picture, size: Colours.side, isForced: true)
    return Artwork.Outcome(id: job.id, digest: digest, palette: Colours.palette(of: small.pixels), written: written)
  }

  private static func save(
    _ picture: Picture, _ format: Artwork.Format, at path: String, unfinished: String
  ) throws(LunaraError) -> Int64 {
    do { try picture.save(format, at: unfinished) } catch {
      unlink(unfinished)
      throw error
    }
    var status = stat()
    guard stat(unfinished, &status) == 0, rename(unfinished, path) == 0 else {
      throw LunaraError(
        "library.artUnwritable", "Pictures cannot be kept at \(path). Make room there and let this user write to it.",
        cause: .current)
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
    do { return try Files.read(path, limit: byteLimit, mustBeRegular: true) } catch {
      throw LunaraError(
        "library.fileMissing", "The picture \(path) cannot be read. Refresh the library with `lunara sync`.",
        cause: error.text)
    }
  }
}
