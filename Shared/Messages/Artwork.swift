public import Model

/// The messages between the library and its artwork worker, each one line of JSON. Jobs are written to the worker's
/// standard input; outcomes come from its standard output in the order in which the jobs end.
public enum Artwork {
  /// The file formats of thumbnails.
  public enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    /// JPEG, which every program can show.
    case jpeg = "jpg"
    /// WebP, whose files are a third smaller.
    case webp
  }

  /// A thumbnail to make.
  public struct Want: Codable, Hashable, Sendable {
    /// The largest length of the longer side, in pixels; smaller pictures keep their size.
    public var size: Int
    /// The file format.
    public var format: Format

    public init(size: Int, format: Format) {
      self.size = size
      self.format = format
    }

    /// Returns the thumbnail's file name. It depends on the bytes of the picture, so equal pictures share the file.
    ///
    /// - Parameter digest: the digest of the picture, as in `Outcome`.
    public func fileName(of digest: String) -> String { "\(digest).\(size).\(format.rawValue)" }
  }

  /// A request to make thumbnails of one picture.
  public struct Job: Codable, Hashable, Sendable {
    /// The number of the job, which the library chooses and the outcome repeats.
    public var id: Int
    /// The path of the picture's file.
    public var path: LocalPath
    /// The folder for the thumbnails.
    public var folder: LocalPath
    /// The thumbnails to make; existing ones are not made again.
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
    /// The SHA-256 of the picture's bytes in hexadecimal digits; nil if the file could not be read.
    public var digest: String?
    /// The picture's colours; nil if the job failed.
    public var palette: Palette?
    /// The number of bytes that were written.
    public var written: Int64
    /// The error if the job failed; else nil.
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
