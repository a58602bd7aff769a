public import Model

/// The messages between the library and its worker for pictures: one JSON text a line, jobs on the worker's standard
/// input, outcomes on its standard output in the order in which they are done.
public enum Artwork {
  /// The form of a picture's file.
  public enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    /// Shown by everything.
    case jpeg = "jpg"
    /// A third smaller.
    case webp
  }

  /// A thumbnail that is wanted.
  public struct Want: Codable, Hashable, Sendable {
    /// The longest side at most, in pixels; smaller pictures stay as they are.
    public var size: Int
    /// The form.
    public var format: Format

    public init(size: Int, format: Format) {
      self.size = size
      self.format = format
    }

    /// The name of its file. It follows from the bytes of the picture, so that two pictures of the same bytes share it.
    ///
    /// - Parameter digest: as in `Outcome`.
    public func fileName(of digest: String) -> String { "\(digest).\(size).\(format.rawValue)" }
  }

  /// Thumbnails to be made of one picture.
  public struct Job: Codable, Hashable, Sendable {
    /// The number of the job, chosen by the library; its outcome has the same.
    public var id: Int
    /// The file of the picture.
    public var path: LocalPath
    /// The folder that the thumbnails are written to.
    public var folder: LocalPath
    /// The thumbnails to make; those that are there are not made again.
    public var wants: [Want]

    public init(id: Int, path: LocalPath, folder: LocalPath, wants: [Want]) {
      self.id = id
      self.path = path
      self.folder = folder
      self.wants = wants
    }
  }

  /// The outcome of a job.
  public struct Outcome: Codable, Hashable, Sendable {
    /// The number of the job.
    public var id: Int
    /// The SHA-256 of the picture's bytes in hexadecimal digits; nil where it could not be read.
    public var digest: String?
    /// The picture's colours; nil where it failed.
    public var palette: Palette?
    /// The number of bytes that were written.
    public var written: Int64
    /// The error of a job that failed; nil for one that did not.
    public var failure: LunaraError?

    public init(
      id: Int, digest: String? = nil, palette: Palette? = nil, written: Int64 = 0, failure: LunaraError? = nil
    ) {
      self.id = id
      self.digest = digest
      self.palette = palette
      self.written = written
      self.failure = failure
    }
  }
}
