import HTTP
import Messages
import Model
import Sync

/// ListenBrainz, and servers with the same interface (listenbrainz.readthedocs.io, Playlists and Feedback).
///
/// Its playlists and its loved tracks consist of MusicBrainz recordings, so that the provider's id of a track is the
/// recording's, in small letters. It checks no revision when a list is edited: the library reads the list just before.
struct ListenBrainzProvider: ListProvider {
  /// The most tracks that one call adds.
  private static let batch = 100

  let user: String
  let address: String
  let caller: ProviderCaller

  /// - Parameters:
  ///   - user: the name of the person at ListenBrainz.
  ///   - address: the base address, such as `https://api.listenbrainz.org`.
  init(user: String, address: String, caller: ProviderCaller) {
    self.user = user
    self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
    self.caller = caller
  }

  /// Returns the changes that are possible. The loved tracks are in the order in which they were loved, each once.
  func capabilities(of list: String) -> ListCapabilities {
    list == Self.liked
      ? ListCapabilities(removal: .track, insertion: .atEnd, canReorder: false, batch: Self.batch)
      : ListCapabilities(removal: .position, insertion: .anywhere, canReorder: true, batch: Self.batch)
  }

  func create(title: String, summary: String) async throws -> String {
    let annotation = summary.isEmpty ? nil : PlaylistAnnotation.html(summary)
    let body = JSPFBody(title: title, annotation: annotation, options: .init(isPublic: false))
    let answer = try await post("/1/playlist/create", body)
    guard let id = answer["playlist_mbid"]?.string.flatMap(Self.id) else { throw unclear() }
    return id
  }

  /// Sets the title and the description. The collaborators are sent again, since ListenBrainz removes those that a
  /// request does not name.
  func describe(_ list: String, title: String, summary: String) async throws {
    let present = try await playlist(list)
    let collaborators = Self.options(of: present)?["collaborators"]?.elements.compactMap(\.string)
    let body = JSPFBody(
      title: title, annotation: PlaylistAnnotation.html(summary), options: .init(collaborators: collaborators ?? []))
    try await post("/1/playlist/edit/\(PercentCoding.encode(list))", body)
  }

  func delete(_ list: String) async throws { try await post(Self.path(of: list) + "/delete", EmptyBody()) }

  func apply(_ step: RemoteStep, to list: String) async throws {
    if list == Self.liked { return try await applyToLiked(step) }
    let path = Self.path(of: list) + "/item"
    switch step {
    case .removeAt(let index, let expected):
      guard !expected.isEmpty else { return }
      try await expect(expected, at: index, in: list)
      try await post(path + "/delete", DeleteBody(index: index, count: expected.count))
    case .insert(let natives, let index):
      guard !natives.isEmpty else { return }
      guard natives.allSatisfy({ Self.id($0) != nil }) else { throw refused() }
      let place = try await place(index, in: list)
      try await post(path + "/add" + place, JSPFBody(title: "tracks", recordings: natives))
    case .move(let from, let to, let native, _):
      guard Self.id(native) != nil else { throw refused() }
      try await expect([native], at: from, in: list)
      try await post(path + "/move", MoveBody(mbid: native, from: from, to: to))
    case .removeEntries, .removeTracks, .replace: throw refused()
    }
  }

  /// Loves tracks or ends that, by one call each.
  private func applyToLiked(_ step: RemoteStep) async throws {
    let natives: [String]
    let score: Int
    switch step {
    case .insert(let added, nil):
      natives = added
      score = 1
    case .removeTracks(let removed):
      natives = removed
      score = 0
    default: throw refused()
    }
    guard natives.allSatisfy({ Self.id($0) != nil }) else { throw refused() }
    for native in natives {
      try await post("/1/feedback/recording-feedback", ScoreBody(recording_mbid: native, score: score))
    }
  }

  /// Throws `library.providerChanged` unless these tracks stand at a position of a list.
  private func expect(_ natives: [String], at index: Int, in list: String) async throws {
    let present = try await entries(of: list).map(\.native)
    guard index >= 0, index + natives.count <= present.count, present[index..<index + natives.count] == natives[...]
    else { throw ProviderError.changed(caller.title) }
  }

  /// Returns the end of the path of a call that adds tracks at a position. A position behind the end would leave a gap,
  /// by which ListenBrainz counts wrong from then on.
  private func place(_ index: Int?, in list: String) async throws -> String {
    guard let index else { return "" }
    let count = try await entries(of: list).count
    guard index >= 0, index <= count else { throw ProviderError.changed(caller.title) }
    return index < count ? "/\(index)" : ""
  }

  func known(_ track: DescribedTrack) -> String? { Library.ProviderKind.listenBrainz.known(track) }

  func track(_ track: DescribedTrack) async throws -> String? {
    guard !track.artist.isEmpty, !track.title.isEmpty else { return nil }
    let view = try await get(
      "/1/metadata/lookup/?artist_name=\(PercentCoding.encode(track.artist))"
        + "&recording_name=\(PercentCoding.encode(track.title))")
    guard let id = view["recording_mbid"]?.string.flatMap(Self.id),
      let artist = view["artist_credit_name"]?.string, let title = view["recording_name"]?.string,
      NormalForm.of(artist) == NormalForm.of(track.artist),
      NormalForm.of(NormalForm.withoutRemaster(title)) == NormalForm.of(NormalForm.withoutRemaster(track.title))
    else { return nil }
    return id
  }

  /// Returns the name of a token's user; nil if the token is not valid. Throws `library.providerAway`,
  /// `CancellationError`.
  static func user(of token: String, address: String, http: HTTPClient) async throws -> String? {
    let response: HTTPResponse
    do {
      response = try await http.send(
        HTTPRequest(
          .reads, url: "\(address.hasSuffix("/") ? String(address.dropLast()) : address)/1/validate-token",
          headers: [("Authorization", "Token \(token)")], responseLimit: answerLimit, redirectLimit: 0))
    } catch let error as CancellationError {
      throw error
    } catch {
      throw LunaraError(
        "library.providerAway", "ListenBrainz cannot be asked at the moment. \(LunaraError(error).message)")
    }
    if [400, 401, 403].contains(response.status) { return nil }
    guard response.status == 200, let view = JSONView(response.body), let valid = view["valid"] else {
      throw notUnderstood("ListenBrainz")
    }
    guard valid.isTrue else { return nil }
    guard let name = view["user_name"]?.string, !name.isEmpty else { throw notUnderstood("ListenBrainz") }
    return name
  }
}
