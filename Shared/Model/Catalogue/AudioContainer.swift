/// The containers of audio that Lunara takes: the library lists files by the endings here, a room plays what begins
/// like one of them (`init(head:)`), and libavformat is limited to their demuxers in both.
public enum AudioContainer: String, CaseIterable, Sendable {
  case aac, ac3, aiff, ape, asf, au, caf, dff, dsf, dts, flac, matroska, module, mp3, mp4, musepack, ogg, shorten, tak
  case tta, wav, wave64, wavPack

  /// The programs that read tags.
  public enum TagReader: Hashable, Sendable {
    /// `lunara-tags`, which uses TagLib and knows more of the tags.
    case tags
    /// `lunara-formats`, which uses libavformat and knows more formats.
    case formats
  }

  /// The container that a file's ending stands for, in lower case, and the reader that is asked for its tags first; nil
  /// for all other endings.
  ///
  /// - Parameter ending: the letters after the last dot of the file's name.
  public static func named(ending: String) -> (container: AudioContainer, reader: TagReader)? { byEnding[ending] }

  /// All endings of names by which files are taken, in lower case.
  public static var endings: some Collection<String> { byEnding.keys }

  /// The names of the demuxers of libavformat that read these containers; of several of one demuxer the first.
  public static let demuxers = Array(Set(allCases.flatMap { $0.facts.demuxers })).sorted()

  private static let byEnding: [String: (container: AudioContainer, reader: TagReader)] = {
    var table: [String: (container: AudioContainer, reader: TagReader)] = [:]
    for container in allCases {
      for ending in container.facts.tags { table[ending] = (container, .tags) }
      for ending in container.facts.formats { table[ending] = (container, .formats) }
    }
    return table
  }()

  /// The demuxers of a container, the endings of files that TagLib reads, and those that only libavformat reads.
  private struct Facts {
    var demuxers: [String]
    var tags: [String] = []
    var formats: [String] = []
  }

  private var facts: Facts {
    switch self {
    case .aac: Facts(demuxers: ["aac"], formats: ["aac"])
    case .ac3: Facts(demuxers: ["ac3", "eac3"], formats: ["ac3", "eac3", "ec3"])
    case .aiff: Facts(demuxers: ["aiff"], tags: ["aif", "aiff", "aifc"])
    case .ape: Facts(demuxers: ["ape"], tags: ["ape"])
    case .asf: Facts(demuxers: ["asf"], tags: ["wma", "asf"])
    case .au: Facts(demuxers: ["au"], formats: ["au", "snd"])
    case .caf: Facts(demuxers: ["caf"], formats: ["caf"])
    case .dff: Facts(demuxers: ["iff"], tags: ["dff"])
    case .dsf: Facts(demuxers: ["dsf"], tags: ["dsf"])
    case .dts: Facts(demuxers: ["dts", "dtshd"], formats: ["dts", "dtshd"])
    case .flac: Facts(demuxers: ["flac"], tags: ["flac"])
    case .matroska: Facts(demuxers: ["matroska"], formats: ["mka", "webm"])
    case .module: Facts(demuxers: ["libopenmpt"], formats: ["mod", "xm", "it", "s3m", "mptm"])
    case .mp3: Facts(demuxers: ["mp3"], tags: ["mp3", "mp2"])
    case .mp4: Facts(demuxers: ["mov"], tags: ["m4a", "m4b", "mp4"])
    case .musepack: Facts(demuxers: ["mpc", "mpc8"], tags: ["mpc", "mp+", "mpp"])
    case .ogg: Facts(demuxers: ["ogg"], tags: ["ogg", "oga", "opus", "spx"])
    case .shorten: Facts(demuxers: ["shn"], formats: ["shn"])
    case .tak: Facts(demuxers: ["tak"], formats: ["tak"])
    case .tta: Facts(demuxers: ["tta"], tags: ["tta"])
    case .wav: Facts(demuxers: ["wav"], tags: ["wav"], formats: ["rf64"])
    case .wave64: Facts(demuxers: ["w64"], formats: ["w64"])
    case .wavPack: Facts(demuxers: ["wv"], tags: ["wv"])
    }
  }
}
