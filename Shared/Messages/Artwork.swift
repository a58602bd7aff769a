public import Model

/// The messages between the library and its artwork worker, each one message of a `SOCK_SEQPACKET` socket, in JSON. A
/// job comes with the open picture and an open file for each thumbnail; outcomes come in the order in which the jobs
/// end.
public enum Artwork {
  /// The most bytes of a file that is accepted as a picture.
  public static let byteLimit = 64 << 20

  /// The code of the error of a picture that cannot be shown.
  public static let badPictureCode = "library.badPicture"

  /// Returns the error of a picture that cannot be shown.
  ///
  /// - Parameter cause: the reason why the picture cannot be shown, as part of a sentence.
  public static func badPicture(_ cause: String) -> LunaraError {
    LunaraError(
      badPictureCode, "A picture cannot be shown: it is damaged, too large or of an unknown form.", cause: cause)
  }

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

    /// Returns the thumbnail's file name. It depends on the bytes of the picture, so equal pictures share the file.
    ///
    /// - Parameter digest: the SHA-256 of the picture's bytes in hexadecimal digits.
    public func fileName(of digest: String) -> String { "\(digest).\(size).\(format.rawValue)" }
  }

  /// A request to make thumbnails of one picture.
  public struct Job: Codable, Hashable, Sendable {
    /// The number of the job, which the library chooses and the outcome repeats.
    public var id: Int
    /// The thumbnails to make, in the order of their files.
    public var wants: [Want]
  }

  /// The outcome of a job.
  public struct Outcome: Codable, Hashable, Sendable {
    /// The number of the job.
    public var id: Int
    /// The picture's colours; nil if the job failed.
    public var palette: Palette? = nil
    /// The error if the job failed, or if the end of the picture is missing, so that a part of it was made; else nil.
    public var failure: LunaraError? = nil
  }
}
