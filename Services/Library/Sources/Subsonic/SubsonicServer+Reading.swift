import Messages
import Model

/// Whether anything changed, and reading it.
extension SubsonicServer {
  /// Stars, ratings and plays change without a scan: once a day all is read.
  static let freshness = Milliseconds(86_400_000)
  private static let tries = 3

  func checkForChanges(since mark: SyncMark?, sections: [String]) async throws -> ServerChangeCheck {
    guard let mark, let completeAt = mark.completeAt else { return ServerChangeCheck(need: .everything, method: "full") }
    let state = try await state(sections)
    // While the server looks through its music, what it says is half of the old and half of the new.
    if state.isScanning { return ServerChangeCheck(need: .nothing, method: "counter") }
    guard !state.counters.isEmpty, state.counters == mark.counters, now() - completeAt < Self.freshness else {
      return ServerChangeCheck(need: .everything, method: "full")
    }
    return ServerChangeCheck(need: .nothing, method: "counter")
  }

  func read(
    _ scope: ReadScope, since mark: SyncMark?, sections: [String], into staging: StagingTable, progress: RefreshProgress
  ) async throws -> SyncMark {
    let reading = SubsonicReader(client: client, staging: staging, progress: progress, areKeysWanted: scope == .keys)
    let all = try await self.sections()
    for attempt in 1... {
      let before = try await state(sections)
      // Where no folder is wanted nothing is read; where a server tells of none there is only everything.
      if all.isEmpty { try await reading.run(section: nil) }
      for section in sections { try await reading.run(section: section, isOnly: all.count == 1) }
      try await reading.playlists()
      progress.allListed()
      let after = try await state(sections)
      let isWhole = !before.isScanning && before == after
      if isWhole || attempt == Self.tries {
        // Without counters the next look finds that all is to be read.
        return isWhole ? SyncMark(counters: after.counters, completeAt: now()) : SyncMark()
      }
      // Items moved between the pages: some may have been missed.
      try await staging.clear()
    }
    throw CancellationError()
  }

  private struct State: Equatable {
    /// What stays the same while nothing changes; empty where the server cannot say.
    var counters: [String: String] = [:]
    var isScanning = false
  }

  /// How far the server's own scan is, by the one or the other question that it knows, and its playlists.
  private func state(_ sections: [String]) async throws -> State {
    var state = State()
    let scan = try await client.callIfKnown("getScanStatus")?["scanStatus"]
    state.isScanning = scan?["scanning"]?.isTrue == true
    if let last = scan?["lastScan"]?.string {
      state.counters["scan"] = "\(last)/\(scan?["count"]?.string ?? "")"
    } else if let changed = try await client.callIfKnown("getIndexes", [("ifModifiedSince", "99999999999999")]) {
      // Asked for what will change in the far future, the server sends nothing but the time of the last change.
      if let last = changed["indexes"]?["lastModified"]?.string { state.counters["scan"] = last }
    }
    guard !state.counters.isEmpty else { return state }
    state.counters["sections"] = sections.joined(separator: ",")
    let playlists = try await client.callIfKnown("getPlaylists")?["playlists"]?["playlist"]?.elements ?? []
    state.counters["playlists"] = playlists.map { row in
      "\(row["id"]?.string ?? ""):\(row["changed"]?.string ?? ""):\(row["songCount"]?.string ?? "")"
    }.joined(separator: ",")
    return state
  }
}
