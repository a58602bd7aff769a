import CVips
import Messages
import Model
import System

/// Runs a job: reads a picture once, decodes it once, and makes all thumbnails that are wanted.
enum Thumbnails {
  /// The size that colours are computed from where no larger one is wanted.
  private static let least = 300

  /// Makes the thumbnails of a job.
  ///
  /// - Parameters:
  ///   - job: the job.
  ///   - files: the open picture, and an open file for each thumbnail in the order of `Artwork.Job.wants`.
  /// - Throws: `library.badPicture`, `library.fileMissing`, `library.artUnwritable`.
  static func make(_ job: Artwork.Job, _ files: [Descriptor]) throws(LunaraError) -> Artwork.Outcome {
    guard let source = files.first, files.count == job.wants.count + 1 else {
      throw LunaraError("internal.unexpected", "A job for thumbnails lacks its files.")
    }
    defer { lunara_vips_end_thread() }
    let bytes = try contents(of: source)
    let wants = zip(job.wants, files.dropFirst()).sorted { $0.0.size > $1.0.size }
    var picture = try Picture(bytes, size: wants.first?.0.size ?? least)
    let damage = picture.damage
    for (want, file) in wants {
      // Each is made from the one before it, which is larger.
      if picture.longest > want.size { picture = try Picture(picture, size: want.size) }
      let thumbnail = try picture.encoded(as: want.format)
      do { try file.write(thumbnail) } catch {
        throw LunaraError(
          "library.artUnwritable", "A thumbnail cannot be written. Make room on the disk of LUNARA_HOME.", cause: error)
      }
    }
    let small = try Picture(picture, size: Colours.side, isForced: true)
    return Artwork.Outcome(
      id: job.id, palette: Colours.palette(of: small.pixels), failure: damage.map(Artwork.badPicture))
  }

  private static func contents(of file: Descriptor) throws(LunaraError) -> [UInt8] {
    do { return try file.readToEnd(limit: Artwork.byteLimit) } catch {
      throw LunaraError(
        "library.fileMissing", "A picture cannot be read. Refresh the library with `lunara sync`.", cause: error)
    }
  }
}
