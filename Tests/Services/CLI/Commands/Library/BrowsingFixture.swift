import Bus
import Messages
import Model
import TestSupport

@testable import lunara

extension CommandFixture {
  /// People, works and folders of a library.
  func browsing(_ node: Node) async {
    let bach = Artist(
      id: ArtistID(source: "files", native: "r3"), name: "Bach", albumCount: 0, trackCount: 2, roles: [.composer])
    let work = Library.WorkEntry(
      id: WorkID(source: "library", native: "w3"), title: "Suite", composer: ArtistName(name: "Bach", id: bach.id),
      trackCount: 2)
    let track = Sample.track("t1", "Last Tram")
    await node.serve(Library.ListArtists.self) { request, _ in
      let order = (request.sort.map { " \($0)" } ?? "") + (request.isReversed == true ? " reversed" : "")
      self.record("artists \(request.role.map { "\($0)" } ?? "-") \(request.startingAt ?? "-")\(order)")
      return Library.Page(items: [bach], next: nil)
    }
    await node.serve(Library.ReadArtist.self) { _, _ in
      Library.ArtistPage(
        artist: bach, summary: nil, genres: [], albums: [],
        appearances: [.init(role: .artist, albums: 1, tracks: 1), .init(role: .composer, albums: 1, tracks: 2)])
    }
    await node.serve(Library.ListCredits.self) { request, _ in
      self.record("credits \(request.artist) \(request.role) \(request.limit)")
      let credit = Credit(role: request.role, name: "Bach", artist: bach.id, instrument: "organ")
      return Library.Page(items: [Library.CreditedTrack(track: track, credit: credit)], next: nil)
    }
    await node.serve(Library.ListWorks.self) { request, _ in
      self.record("works \(request.composer.map { "\($0)" } ?? "-")")
      return Library.Page(items: [work], next: nil)
    }
    await node.serve(Library.ReadWork.self) { request, _ in
      Library.WorkPage(work: work, tracks: [track], next: request.after == nil ? "n" : nil)
    }
    await node.serve(Library.ListFolder.self) { request, _ in
      self.record("folder \(request.path?.description ?? "-") \(request.after ?? "-") \(request.limit)")
      let id = PlayableID(source: "library", native: "folder:/m/Jazz")
      let folders = [Library.FolderPage.Folder(name: "Jazz", path: LocalPath("/m/Jazz"), id: id)]
      return request.after == nil
        ? Library.FolderPage(path: request.path, folders: folders, next: "n")
        : Library.FolderPage(path: request.path, folders: [], tracks: [.init(name: "1.flac", track: track)])
    }
  }
}
