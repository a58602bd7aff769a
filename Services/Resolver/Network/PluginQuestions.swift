import Bus
import Digests
import HTTP
import Messages
import Model
import Plugins
import ServiceKit
import System

/// Answers the questions that plugins ask from their processes. Nothing of the household but the library's tracks is
/// within their reach, and nothing of another plugin.
struct PluginQuestions: Sendable {
  let network: PluginNetwork
  let store: PluginStore
  /// Searches the library.
  let search: @Sendable (_ words: String) async throws -> [Track]
  /// Returns a plugin that may be run.
  let plugin: @Sendable (_ id: String) async throws -> PluginRegistry.Usable
  /// Notes that a server was refused to a plugin.
  let refused: @Sendable (_ id: String, LunaraError) async -> Void

  /// The most bytes of a key.
  private static let keyLimit = 256

  /// Answers a question of a plugin.
  func answer(
    _ kind: String, _ fields: JSONView, of id: String
  ) async -> Result<PluginValue, PluginRunner.QuestionError> {
    do { return .success(try await value(kind, fields, of: id)) } catch let error as PluginRunner.QuestionError {
      return .failure(error)
    } catch {
      let error = LunaraError(error)
      await reportRefusal(error, of: id)
      return .failure(.init(error.message))
    }
  }

  private func value(_ kind: String, _ fields: JSONView, of id: String) async throws -> PluginValue {
    switch kind {
    case "fetch", "itunesFetch":
      let access = try await plugin(id).askingAccess
      let answer =
        kind == "fetch"
        ? try await network.send(fields, of: id, access) : try await network.sendToApple(fields, of: id, access)
      return .object(["status": .number(Double(answer.status)), "text": .text(answer.text)])
    case "proxyFetch": return await proxied(fields, of: id)
    case "storeGet": return try await store.value(try key(fields), of: id) ?? .null
    case "storeSet": return try await set(fields["value"].flatMap { PluginValue($0) } ?? .null, fields, of: id)
    case "storeDelete": return try await set(nil, fields, of: id)
    case "config":
      let config = try await plugin(id).config()
      return fields["name"]?.string.map { config[$0] ?? .null } ?? config
    case "digest": return .text(try digest(fields))
    case "localSearch":
      return .list(try await search(fields["words"]?.string ?? "").prefix(50).map { Self.value(of: $0) })
    case "localResolve": return try await localTrack(fields)
    case "refreshToken": return try await plugin(id).renewedToken()
    // No service is asked for MusicBrainz ids in the name of plugins.
    case "recordingID": return .null
    default: throw PluginRunner.QuestionError("There is no question \(kind.prefix(40))")
    }
  }

  private func proxied(_ fields: JSONView, of id: String) async -> PluginValue {
    do {
      let access = try await plugin(id).askingAccess
      let answer = try await network.send(fields, of: id, access)
      return .members([
        "success": .bool((200..<300).contains(answer.status)), "status": .number(Double(answer.status)),
        "text": .text(answer.text), "finalUrl": .text(answer.url),
        "data": JSONView(Array(answer.text.utf8)).flatMap { PluginValue($0) },
      ])
    } catch {
      let error = LunaraError(error)
      await reportRefusal(error, of: id)
      return .object(["success": .bool(false), "status": .number(0), "error": .text(error.message)])
    }
  }

  private func reportRefusal(_ error: LunaraError, of id: String) async {
    if ["resolver.hostRefused", "resolver.householdRefused"].contains(error.code) { await refused(id, error) }
  }

  private func key(_ fields: JSONView) throws -> String {
    guard let key = fields["key"]?.string, !key.isEmpty, key.utf8.count <= Self.keyLimit else {
      throw PluginRunner.QuestionError("A key has 1 to \(Self.keyLimit) bytes")
    }
    return key
  }

  private func set(_ value: PluginValue?, _ fields: JSONView, of id: String) async throws -> PluginValue {
    guard try await store.store(value, try key(fields), of: id) else {
      throw PluginRunner.QuestionError("No more than 1 MiB can be stored")
    }
    return .bool(true)
  }

  private func digest(_ fields: JSONView) throws -> String {
    let text = fields["text"]?.string ?? ""
    switch fields["name"]?.string {
    case "md5": return try MD5.hex(text)
    case "sha256": return Hexadecimal.text(try SHA256.digest(text))
    default: throw PluginRunner.QuestionError("There is no such digest")
    }
  }

  /// Finds tracks of the library by their names, the best one first; null where there is none.
  private func localTrack(_ fields: JSONView) async throws -> PluginValue {
    let (artist, title) = (fields["artist"]?.string ?? "", fields["title"]?.string ?? "")
    let found = try await search("\(artist) \(title)")
    let wanted = MatchConfidence.Names(artist: artist, title: title)
    let ranked = SourceAnswers.ranked(found, for: wanted, album: fields["album"]?.string)
    return ranked.isEmpty ? .null : .list(ranked.prefix(50).map { Self.value(of: $0, for: wanted) })
  }

  /// Returns a track as plugins get it. It is surely a wanted one where both have the same names.
  private static func value(of track: Track, for wanted: MatchConfidence.Names? = nil) -> PluginValue {
    let isSure = wanted.map { $0 == .init(artist: track.artist, title: track.title) } ?? true
    return .members([
      "id": .text(track.id.description), "title": .text(track.title), "artist": .text(track.artist),
      "album": .text(track.album), "duration": .number((track.duration.seconds).rounded()),
      "isrc": .optional(track.isrc), "mbid": .optional(track.recordingID),
      "confidence": .number(isSure ? 1 : MatchConfidence.fitting),
    ])
  }
}
