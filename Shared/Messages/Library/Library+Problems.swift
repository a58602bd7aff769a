public import Model

/// The problems of sources, files, sheets and pictures.
extension Library {
  /// The kinds into which problems are divided by what a person does about them.
  public enum ProblemKind: String, TolerantName {
    /// A file whose audio or tags cannot be read.
    case damaged
    /// A file or folder that the user of the service may not read, or whose disk does not answer.
    case unreadable
    /// A file without tags, which is listed by its name.
    case untagged
    /// A file whose tags are probably in another encoding than they say.
    case encoding
    /// A CUE sheet that is not used.
    case cue
    /// A picture that cannot be shown.
    case cover
    /// A music folder as a whole.
    case folder
    /// Files in a music folder that are no music, and that the library does not use otherwise.
    case unused
    /// Files and folders that are left out by a rule: hidden ones, and those that ignore files name.
    case ignored
    /// Anything else that a source reported.
    case source
    case unknown
  }

  /// One problem.
  public struct Problem: Codable, Hashable, Sendable {
    /// The kind.
    public var kind: ProblemKind
    /// The name of the source.
    public var source: String
    /// The file or folder on the library's host; nil if it is none.
    public var path: LocalPath? = nil
    /// The cause, and what to do.
    public var problem: LunaraError
    /// The track that the file is nevertheless; nil if there is none.
    public var track: TrackID? = nil
    /// The number of files and folders for which it stands; nil for one.
    public var count: Int? = nil
  }

  /// The number of problems with one code.
  public struct ProblemCount: Codable, Hashable, Sendable {
    /// Their kind.
    public var kind: ProblemKind
    /// Their code.
    public var code: String
    /// The number of them; of the kinds `unused` and `ignored` that of files and folders.
    public var count: Int
  }

  /// Lists the problems of the last refresh of each source. Since 0.2.
  public struct ListProblems: ReadRequest {
    public static let kind = "library.list-problems"
    /// A page of problems; refused with `library.badCursor`.
    public typealias Answer = ProblemPage
    /// If set, only problems of this kind. Those of the kinds `unused` and `ignored` are listed only if asked for.
    public var only: ProblemKind? = nil
    /// If set, only problems of files in this folder of the library's host and below it, as a `file:` URL.
    public var folder: LocalPath? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of problems; at most 200.
    public var limit: Int = 100
  }

  /// A page of problems.
  public struct ProblemPage: Codable, Hashable, Sendable {
    /// Those of sources first, then those of pictures, of files that are not listed, and of files that are.
    public var items: [Problem]
    /// The numbers of all problems of the folder, or of all folders, whatever kind was asked for.
    public var counts: [ProblemCount]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }
}
