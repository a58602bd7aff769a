import Messages
package import Model
package import MusicTags
import Text

/// The tracks that a CUE sheet makes of one audio file.
package struct FileCut: Sendable {
  /// One track of the file.
  package struct Segment: Sendable {
    /// The number of the sound before the first track, which no track of a sheet has.
    package static let hidden = CueSheet.mostTracks + 1

    /// The number of the track in the sheet, by which it keeps its id when the sheet is mended.
    package var number: Int
    package var segment: AudioSegment
    package var reading: FileMetadata
  }

  package var segments: [Segment]
}

/// Applies CUE sheets to the audio files of their folder. A pure function of the sheet and of the names of the files.
package enum CueLayout {
  /// Returns the files that a sheet names, by the names that it uses.
  ///
  /// A file is found by its name, also in other letters of the alphabet's cases, or else by its stem, as a sheet for a
  /// `.wav` stays beside the `.flac` that was made of it. The only file of a sheet may also be the only one in the
  /// folder.
  ///
  /// - Throws: `CueError` where a file is missing or lies elsewhere.
  package static func files(of sheet: CueSheet, among names: [[UInt8]]) throws(CueError) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    func folded(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self).normalised.caseFolded }
    for file in sheet.files where found[file] == nil {
      guard !file.contains("/"), !file.contains("\\") else {
        throw CueError(reason: "it names a file in another folder, \(file)")
      }
      let wanted = Array(file.utf8)
      let stem = FileName.stem(wanted).normalised.caseFolded
      let match =
        names.first { $0 == wanted } ?? names.first { folded($0) == folded(wanted) }
        ?? names.first { FileName.stem($0).normalised.caseFolded == stem }
        ?? (Set(sheet.files).count == 1 && names.count == 1 ? names.first : nil)
      guard let match else { throw CueError(reason: "its file \(file) is not beside it") }
      found[file] = match
    }
    return found
  }

  /// Returns the tracks that a sheet makes of one of its files; nil if the file is one track by itself, to which the
  /// sheet adds nothing but tags.
  ///
  /// - Parameters:
  ///   - file: the file as the sheet names it.
  ///   - tags: the tags of the file.
  /// - Throws: `CueError` where a track would begin behind the end of the file, or the sample rate is unknown.
  package static func cut(
    _ sheet: CueSheet, _ file: String, _ tags: FileTags, folder: [UInt8], name: [UInt8], _ rules: TagRules
  ) throws(CueError) -> FileCut? {
    let tracks = sheet.tracks.filter { $0.file == file }
    guard tracks.count > 1 || tracks.first.map({ $0.start > 0 }) ?? false else { return nil }
    guard let rate = tags.audio.properties.sampleRate, rate > 0 else {
      throw CueError(reason: "the sample rate of \(file) is unknown")
    }
    let length = Int64(tags.audio.duration.rawValue) * Int64(rate) / 1000
    var segments: [FileCut.Segment] = []
    func add(_ number: Int, _ segment: AudioSegment, _ track: FileTags) {
      var own = track
      own.audio.duration = segment.length ?? Milliseconds((length - segment.start) * 1000 / Int64(rate))
      if own.audio.digest != 0 {
        own.audio.digest = UInt64(
          bitPattern: contentHash(of: "\(tags.audio.digest) \(segment.start) \(segment.end ?? -1)".utf8))
      }
      segments.append(
        FileCut.Segment(
          number: number, segment: segment, reading: FileMetadata(own, folder: folder, name: name, rules)))
    }
    for (index, track) in tracks.enumerated() where track.isAudio {
      let start = sample(track, rate)
      let end = index + 1 < tracks.count ? sample(tracks[index + 1], rate) : nil
      guard start < length else {
        throw CueError(line: track.line, reason: "track \(track.number) is not within the file, which is shorter")
      }
      if track == sheet.tracks.first, start > Int64(rate) * shortestHiddenTrack {
        add(
          FileCut.Segment.hidden, AudioSegment(start: 0, end: start, sampleRate: rate),
          hiddenTags(before: track, in: sheet, tags))
      }
      add(track.number, AudioSegment(start: start, end: end, sampleRate: rate), self.tags(of: track, in: sheet, tags))
    }
    return segments.isEmpty ? nil : FileCut(segments: segments)
  }

  /// The seconds before the first track from which on they are a track that was hidden there. Most discs have a part of
  /// a second of silence, which is left out.
  private static let shortestHiddenTrack: Int64 = 4

  /// Returns the tags of the sound before the first track, which a sheet only mentions.
  private static func hiddenTags(before track: CueSheet.Track, in sheet: CueSheet, _ file: FileTags) -> FileTags {
    let hidden = CueSheet.Track(number: 0, file: track.file, fileIndex: track.fileIndex, start: 0, line: track.line)
    var tags = tags(of: hidden, in: sheet, file)
    tags.title.title = "Hidden track"
    return tags
  }

  /// Returns the tags of a file that is one track of a sheet, with those of the sheet where the file has none.
  package static func filled(_ file: FileTags, from track: CueSheet.Track, in sheet: CueSheet) -> FileTags {
    let sheetTags = tags(of: track, in: sheet, FileTags())
    var tags = file
    if tags.title.title == nil, track.title != nil { tags.title.title = sheetTags.title.title }
    if tags.artists.names.isEmpty { tags.artists = sheetTags.artists }
    if tags.albumArtists.names.isEmpty { tags.albumArtists = sheetTags.albumArtists }
    if tags.albumName.title == nil { tags.albumName.title = sheetTags.albumName.title }
    if tags.place.number == nil, tags.place.numberText == nil { tags.place.number = track.number }
    tags.place.disc = tags.place.disc ?? sheet.discNumber
    tags.place.discTotal = tags.place.discTotal ?? sheet.discTotal
    tags.dates.date = tags.dates.date ?? (tags.dates.year == nil ? sheet.date : nil)
    if tags.words.genres.isEmpty { tags.words.genres = sheetTags.words.genres }
    if !tags.people.contains(where: { $0.role == .composer }) { tags.people += sheetTags.people }
    tags.ids.isrc = tags.ids.isrc ?? track.isrc
    tags.audio.levels = tags.audio.levels ?? sheetTags.audio.levels
    return tags
  }

  /// The sample at which a track begins.
  private static func sample(_ track: CueSheet.Track, _ rate: Int) -> Int64 {
    track.startSample ?? Int64(track.start) * Int64(rate) / Int64(CueSheet.framesPerSecond)
  }

  /// Returns the tags of a track: those of the sheet, and those of the file where the sheet says nothing.
  static func tags(of track: CueSheet.Track, in sheet: CueSheet, _ file: FileTags) -> FileTags {
    var tags = file
    tags.cueSheet = nil
    tags.cueBlock = nil
    tags.title = TitleTags()
    tags.title.title = track.title.map(\.normalised) ?? "Track \(track.number)"
    tags.place.number = track.number
    tags.place.numberText = nil
    tags.place.disc = sheet.discNumber ?? file.place.disc
    tags.place.discTotal = sheet.discTotal ?? file.place.discTotal
    tags.place.total = sheet.tracks.count { $0.isAudio }
    tags.ids.recordingID = nil
    tags.ids.acoustID = nil
    tags.ids.isrc = track.isrc
    if let album = sheet.title {
      tags.albumName.title = album.normalised
      tags.albumName.sort = nil
    } else {
      tags.albumName.title = file.albumName.title ?? file.title.title
    }
    if let barcode = sheet.catalogue { tags.albumName.barcode = tags.albumName.barcode ?? barcode }
    if let performer = sheet.performer {
      tags.albumArtists = ArtistTags()
      tags.albumArtists.shown = [performer.normalised]
    } else if tags.albumArtists.names.isEmpty {
      tags.albumArtists = file.artists
    }
    if let performer = track.performer ?? sheet.performer {
      tags.artists = ArtistTags()
      tags.artists.shown = [performer.normalised]
    }
    if let songwriter = track.songwriter ?? sheet.songwriter {
      tags.people.removeAll { $0.role == .composer }
      tags.people.append(CreditTag(role: .composer, name: songwriter.normalised))
    }
    if let genre = sheet.genre { tags.words.genres = [genre.normalised] }
    if let date = sheet.date { tags.dates.date = date }
    var levels = Levels(
      trackGain: track.gain, trackPeak: track.peak, albumGain: sheet.albumGain ?? file.audio.levels?.albumGain,
      albumPeak: sheet.albumPeak ?? file.audio.levels?.albumPeak)
    if levels.isEmpty, let whole = file.audio.levels {
      // The whole file was measured as one piece: its loudness is that of the album.
      levels = Levels(albumGain: whole.trackGain, albumPeak: whole.trackPeak)
    }
    tags.audio.levels = levels.isEmpty ? nil : levels
    return tags
  }
}
