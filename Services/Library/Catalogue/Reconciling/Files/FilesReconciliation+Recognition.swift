import Model
import MusicTags
import Records
import Storage

/// Recognises new files as tracks that the catalogue had before, though path and stamp of the file are new.
extension FilesReconciliation {
  /// A track that a file makes and that has no row yet: by the index of the file in `matching.written`, and the number
  /// of the track in the sheet that cuts the file, or 0.
  struct NewTrack: Hashable {
    var index: Int
    var segment = 0
  }

  private struct LostFile {
    var file: KnownFiles.File
    var recognition: TrackRecognition
  }

  /// Returns the new files that are one track each and no stored ones so far.
  private func newFiles() -> [(index: Int, recognition: TrackRecognition)] {
    matching.written.enumerated().compactMap { index, written in
      let file = scan.folders[written.folder].files[written.file]
      guard written.known == nil, file.cut == nil, case .read(let reading) = file.finding else { return nil }
      return (index, TrackRecognition(reading))
    }
  }

  /// Returns the new tracks of all files, also of those that were cut in another way before.
  private func newTracks() -> [(track: NewTrack, recognition: TrackRecognition)] {
    matching.written.enumerated().flatMap { index, written -> [(track: NewTrack, recognition: TrackRecognition)] in
      let file = scan.folders[written.folder].files[written.file]
      guard case .read(let reading) = file.finding, written.known?.track == nil || file.cut != nil else { return [] }
      guard let cut = file.cut else { return [(NewTrack(index: index), TrackRecognition(reading))] }
      return cut.segments.map { (NewTrack(index: index, segment: $0.number), TrackRecognition($0.reading)) }
    }
  }

  /// Finds new files that are stored ones in folders that could not be read: they have moved, and would be listed
  /// twice.
  private func recogniseUnseen(among guarding: inout DeletionGuard) {
    let deletable = Set(guarding.deletable.map(\.file.id))
    let unseen = matching.vanished.filter { missing in
      missing.file.trackCount > 0 && missing.file.stamp.identifiesFile && !deletable.contains(missing.file.id)
    }
    guard !unseen.isEmpty else { return }
    var byStamp = Dictionary(unseen.map { ($0.file.stamp, $0) }) { first, _ in first }
    var links: [Int: KnownFiles.File] = [:]
    for (index, written) in matching.written.enumerated() where written.known == nil {
      let file = scan.folders[written.folder].files[written.file]
      guard case .read = file.finding, let missing = byStamp[file.stamp] else { continue }
      if file.cut == nil, missing.file.track != nil {
        links[index] = missing.file
        guarding.release(1)
      } else {
        // Its tracks leave and return at once.
        guarding.giveUp(missing)
      }
      byStamp[file.stamp] = nil
    }
    matching.relink(links)
  }

  /// Finds new files that are missing ones, as they were moved and their tags changed at once. A missing file that is
  /// found is not deleted.
  func recogniseFiles(among guarding: inout DeletionGuard) throws {
    recogniseUnseen(among: &guarding)
    guard !guarding.deletable.isEmpty, matching.written.contains(where: { $0.known == nil }) else { return }
    let lost = try guarding.deletable.filter { $0.file.track != nil }.compactMap { missing in
      try transaction.row("SELECT name, tags FROM files WHERE id = ?", missing.file.id) { row in
        let reading = FileMetadata(packed: try row.value(1), folder: missing.folder, name: try row.value(0), rules)
        return LostFile(file: missing.file, recognition: TrackRecognition(reading))
      }
    }
    var links: [Int: KnownFiles.File] = [:]
    var taken: Set<Int64> = []
    let new = newFiles()
    for kind in TrackRecognition.Kind.allCases {
      let byKey = Dictionary(grouping: lost.filter { $0.recognition.keys[kind] != nil }) { $0.recognition.keys[kind] }
      for file in new where links[file.index] == nil {
        guard let key = file.recognition.keys[kind] else { continue }
        let match = byKey[key]?.first {
          !taken.contains($0.file.id) && file.recognition.matches(kind, length: $0.recognition.duration)
        }
        guard let match else { continue }
        links[file.index] = match.file
        taken.insert(match.file.id)
      }
    }
    // Without a number that lasts and without tags, only size and time tell, if the file is gone for certain.
    let unnumbered = lost.filter { $0.recognition.keys.isEmpty && !$0.file.stamp.identifiesFile }
    let lostByStamp = Dictionary(grouping: unnumbered) { $0.file.stamp }
    let newByStamp = Dictionary(grouping: new.filter(\.recognition.keys.isEmpty)) { file in
      let written = matching.written[file.index]
      return scan.folders[written.folder].files[written.file].stamp
    }
    for (stamp, files) in newByStamp {
      // Several of the same size and time cannot be told apart.
      guard files.count == 1, let lost = lostByStamp[stamp], lost.count == 1 else { continue }
      links[files[0].index] = lost[0].file
      taken.insert(lost[0].file.id)
    }
    matching.relink(links)
    guarding.keep(taken)
  }

  /// Returns the tracks that left the music folders before and come back now.
  func returningTracks() throws -> [NewTrack: DepartedTracks.Departed] {
    guard try !departures.isEmpty else { return [:] }
    var found: [NewTrack: DepartedTracks.Departed] = [:]
    var taken: Set<Int64> = []
    let new = newTracks()
    for kind in TrackRecognition.Kind.allCases {
      for (track, recognition) in new where found[track] == nil {
        guard let departed = try departures.find(recognition, by: kind, except: taken) else { continue }
        found[track] = departed
        taken.insert(departed.track)
      }
    }
    return found
  }
}
