import Confinement
import HTTP
import Messages
import Model
import Plugins
import System

/// Finds the sound behind a page of YouTube or Bandcamp with yt-dlp, which a person has named by `LUNARA_YT_DLP`. The
/// program runs confined: it reads files of the system and its own, writes none, and uses the network.
struct PageReader: Sendable {
  /// The hosts whose pages are read, and all hosts below them.
  private static let hosts = ["youtube.com", "youtu.be", "bandcamp.com"]
  /// The time for which an address holds that does not say so itself.
  private static let usualLifetime = Milliseconds(3_600_000)

  private let program: ConfinedProgram
  /// Two at once: each takes a second of processor time, and services want no more.
  private let limiter = CallLimiter(.init(atOnce: 2, gap: .zero, errorLimit: nil, pause: .zero))

  /// Creates the reader for the program that the setting names; nil without one.
  init?(path: String?) {
    guard let path, !path.isEmpty else { return nil }
    program = ConfinedProgram(path)
  }

  /// Returns true for a page that can be read.
  static func reads(_ page: String) -> Bool {
    guard let origin = Origin(page), origin.scheme == "https" else { return false }
    return hosts.contains { origin.host == $0 || origin.host.hasSuffix(".\($0)") }
  }

  /// Returns the address of the sound behind a page.
  ///
  /// - Throws: `resolver.pageUnreadable`.
  func stream(of page: String) async throws -> StreamAddress {
    try await limiter.run {
      let options = ["--ignore-config", "--no-cache-dir", "--no-playlist"]
      let answer = try await run(["-J", "-f", "bestaudio"] + options + ["--", page])
      switch answer.ending {
      case .tooSlow: throw failure(page, "it took longer than 15 s")
      case .tooMuch: throw failure(page, "it wrote more than 8 MiB")
      case .ended(0): break
      case .ended(let status):
        let words = answer.errors.split(whereSeparator: \.isNewline).last { $0.contains("ERROR") }.map(String.init)
        throw failure(page, PluginError.bounded(words ?? answer.errors) ?? "it ended with the status \(status)")
      }
      guard let json = JSONView(answer.output), let stream = Self.stream(json, at: .now()) else {
        throw failure(page, "it named no address that a room can play")
      }
      return stream
    }
  }

  /// Reads the address, headers and lifetime from what yt-dlp prints; nil for what has no single address of sound.
  static func stream(_ json: JSONView, at now: Timestamp) -> StreamAddress? {
    let entry = json["entries"]?.elements.first ?? json
    let formats = [entry["requested_downloads"]?.elements.first, entry["requested_formats"]?.elements.first]
    let chosen = entry["url"]?.string == nil ? formats.compactMap { $0 }.first ?? entry : entry
    // Lists of short parts, and live broadcasts, are no file that a room can play.
    let protocols = ["http", "https"]
    guard let url = chosen["url"]?.string, protocols.contains(chosen["protocol"]?.string ?? "https"),
      entry["is_live"]?.isTrue != true
    else { return nil }
    let headers = (chosen["http_headers"] ?? entry["http_headers"])?.members ?? []
    let source = PluginValue.object([
      "type": .text("direct"), "url": .text(url),
      "headers": .object(
        Dictionary(headers.compactMap { one in one.value.string.map { (one.name, PluginValue.text($0)) } }) { $1 }),
    ])
    guard var stream = SourceAnswers.stream(source) else { return nil }
    stream.expiresIn = lifetime(of: url, at: now)
    return stream
  }

  /// Returns the time for which an address holds: YouTube's say until when, in seconds since 1970.
  private static func lifetime(of url: String, at now: Timestamp) -> Milliseconds {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let end = query.split(separator: "&").first { $0.hasPrefix("expire=") }.flatMap { Int64($0.dropFirst(7)) }
    guard let end, (0...4_000_000_000).contains(end) else { return usualLifetime }
    return max(.zero, Timestamp(seconds: end) - now)
  }

  private func run(_ arguments: [String]) async throws -> ConfinedProgram.Answer {
    let program = program
    return try await withCheckedThrowingContinuation { continuation in
      do throws(Errno) {
        try SystemThread.start("lunara-yt-dlp") {
          do throws(Errno) { continuation.resume(returning: try program.run(arguments)) } catch {
            continuation.resume(throwing: Self.unusable(program.path, error))
          }
        }
      } catch { continuation.resume(throwing: Self.unusable(program.path, error)) }
    }
  }

  private static func unusable(_ path: String, _ error: Errno) -> any Error {
    LunaraError(
      "resolver.pageUnreadable",
      "\(path), which LUNARA_YT_DLP names, cannot be run confined. `lunara doctor` says what is missing.", cause: error)
  }

  private func failure(_ page: String, _ cause: String) -> LunaraError {
    LunaraError(
      "resolver.pageUnreadable", "yt-dlp found nothing to play at \(page). Update it if this happens often.",
      cause: cause)
  }
}

extension FoundTrack {
  /// The page of the track that `PageReader` reads; nil if it has none.
  var readablePage: String? {
    let named = [page] + ["youtubeUrl", "bandcampUrl"].map { SourceAnswers.address(own[$0]) }
    if let known = named.compactMap({ $0 }).first(where: PageReader.reads) { return known }
    let isID = { (id: String) in id.utf8.count == 11 && id.utf8.allSatisfy { $0 > 44 && $0 < 123 && $0 != 47 } }
    return own["youtubeId"]?.string.flatMap { isID($0) ? "https://www.youtube.com/watch?v=\($0)" : nil }
  }

  /// The address of a preview, about 30 s of the track; nil if the plugin gave none.
  var preview: StreamAddress? {
    SourceAnswers.address(own["previewUrl"]).map { StreamAddress(url: $0, headers: [:], expiresIn: nil) }
  }
}
