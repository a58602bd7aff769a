import Model
import Storage

/// Recognises new files as tracks that the catalogue had before, though path and stamp of the file are new.
extension FilesReconciliation {
  /// A new file, by its index in `matching.written`.
  private struct NewFile {
    var index: Int
    var recognition: TrackRecognition
  }

  private struct LostFile {
    var file: KnownFiles.File
    var recognition: TrackRecognition
  }

  /// Returns the new files that are no stored ones so far.
  private func newFiles() -> [NewFile] {
    matching.written.enumerated().compactMap { index, written in
      guard written.known == nil,
        case .read(let reading) = scan.folders[written.folder].files[written.file].finding
      else { return nil }
      return NewFile(index: index, recognition: TrackRecognition(reading))
    }
  }

  /// Finds new files that are missing ones, as they were moved and their tags changed at once. A missing file that is
  /// found is not deleted.
  func recogniseFiles(among guarding: inout DeletionGuard) throws {
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
    matching.relink(links)
    guarding.keep(taken)
  }

  /// Returns the tracks that left the music folders before and come back now, by the index of their new file.
  func returningTracks() throws -> [Int: DepartedTracks.Departed] {
    guard try !departures.isEmpty else { return [:] }
    var found: [Int: DepartedTracks.Departed] = [:]
    var taken: Set<Int64> = []
    let new = newFiles()
    for kind in TrackRecognition.Kind.allCases {
      for file in new where found[file.index] == nil {
        guard let track = try departures.find(file.recognition, by: kind, except: taken) else { continue }
        found[file.index] = track
        taken.insert(track.track)
      }
    }
    return found
  }
}
