import Confinement
import Foundation
import Messages
import Model
import System
import TestSupport
import Testing

@testable import lunara_resolver

/// Pages of YouTube and Bandcamp, read by a script that stands in for yt-dlp.
@Suite struct PageReaderTests {
  private let home = TemporaryDirectory()

  /// Writes a script, and returns its path.
  private func script(_ lines: String) throws -> String {
    let path = "\(home.path)/yt-dlp"
    try "#!/bin/sh\n\(lines)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func reader(_ lines: String) throws -> PageReader { try #require(PageReader(path: try script(lines))) }

  private func failure(_ reader: PageReader) async -> LunaraError? {
    do {
      _ = try await reader.stream(of: "https://youtu.be/x")
      return nil
    } catch { return LunaraError(error) }
  }

  @Test func theAddressWithItsHeadersAndItsEndIsRead() async throws {
    let end = Int(Date().timeIntervalSince1970) + 3600
    let reader = try reader(
      """
      [ "$1 $2 $3" = "-J -f bestaudio" ] || exit 3
      for last; do :; done
      [ "$last" = "https://www.youtube.com/watch?v=abcdefghijk" ] || exit 4
      echo '{"url": "https://media.example/a?expire=\(end)", "protocol": "https", "http_headers": {"User-Agent": "x", "Cookie": "c"}}'
      """)
    let stream = try await reader.stream(of: "https://www.youtube.com/watch?v=abcdefghijk")
    #expect(stream.url == "https://media.example/a?expire=\(end)" && stream.headers == ["User-Agent": "x"])
    let left = try #require(stream.expiresIn)
    #expect(left > Milliseconds(3_500_000) && left <= Milliseconds(3_600_000))
  }

  @Test func theProgramReadsNoFileOfThePersonAndWritesNone() async throws {
    try "secret".write(toFile: "\(home.path)/secret", atomically: true, encoding: .utf8)
    let reader = try reader(
      """
      cat '\(home.path)/secret' && exit 0
      ls '\(home.path)' && exit 0
      echo x > '\(home.path)/written' && exit 0
      echo x > /tmp/lunara-written && exit 0
      cat /proc/$PPID/environ && exit 0
      kill -0 $PPID && exit 0
      [ -z "$LUNARA_TEST$XDG_RUNTIME_DIR$USER" ] || exit 0
      echo nothing > /dev/null || exit 5
      cat /etc/hosts > /dev/null || exit 6
      echo '{"url": "https://media.example/a"}'
      """)
    let stream = try await reader.stream(of: "https://a.bandcamp.com/track/b")
    #expect(stream.url == "https://media.example/a" && stream.expiresIn == Milliseconds(3_600_000))
    #expect(!FileManager.default.fileExists(atPath: "\(home.path)/written"))
    #expect(!FileManager.default.fileExists(atPath: "/tmp/lunara-written"))
  }

  @Test func whatItSaysIsReportedAndWhatItWritesIsBounded() async throws {
    let refused = await failure(try reader("echo 'WARNING: old' >&2; echo 'ERROR: Video unavailable' >&2; exit 1"))
    #expect(refused?.code == "resolver.pageUnreadable" && refused?.cause == "ERROR: Video unavailable")
    let flood = await failure(try reader("cat /dev/zero"))
    #expect(flood?.cause == "it wrote more than 8 MiB")
    for text in [
      "nothing", "[]", #"{"url": "file:///etc/passwd"}"#, #"{"url": "https://m.example/x", "is_live": true}"#,
    ] {
      let odd = await failure(try reader("echo '\(text)'"))
      #expect(odd?.cause == "it named no address that a room can play")
    }
    let missing = try #require(PageReader(path: "\(home.path)/none"))
    #expect(await failure(missing)?.message.contains("LUNARA_YT_DLP") == true)
    #expect(PageReader(path: nil) == nil && PageReader(path: "") == nil)
  }

  @Test func aProgramThatTakesTooLongIsKilledWithWhatItHasStarted() throws {
    var limits = ConfinedProgram.Limits()
    limits.time = Milliseconds(300)
    let program = ConfinedProgram(try script("sleep 60 & echo $!; sleep 60"), limits: limits)
    let answer = try program.run([])
    #expect(answer.ending == .tooSlow)
    let child = try #require(Int32(String(decoding: answer.output, as: UTF8.self).trimmingCharacters(in: .newlines)))
    let end = ContinuousClock.now + .seconds(5)
    // A killed process stays as an entry until its new parent takes note of it.
    var isGone = false
    while !isGone, ContinuousClock.now < end {
      let status = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ") Z"
      isGone = status.contains(") Z") || status.contains(") X")
    }
    #expect(isGone)
  }

  @Test func onlyPagesOfTheseServicesAreReadAndTheSourceIsALinkWithoutAReader() async throws {
    #expect(PageReader.reads("https://music.youtube.com/watch?v=1") && PageReader.reads("https://youtu.be/1"))
    #expect(!PageReader.reads("https://youtube.com.example/1") && !PageReader.reads("http://youtube.com/1"))
    let wanted = DescribedTrack(title: "Old Song", artist: "Ada Blue")
    let functions = ["resolve": "async (artist, title) => ({ title, artist, youtubeId: 'abcdefghijk' })"]
    let without = try await TestResolver()
    try await without.install("youtube", functions)
    #expect(try await without.ask(Resolver.FindSources(described: wanted)).sources.first?.kind == .link)
    await without.close()
    let reader = try reader(#"echo '{"entries": [{"requested_formats": [{"url": "https://media.example/a"}]}]}'"#)
    let resolver = try await TestResolver(pageReader: reader)
    try await resolver.install("youtube", functions)
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.first?.kind == .stream)
    guard case .url(let url, _, _, _, let plugin) = try await resolver.ask(Resolver.Locate(described: wanted)) else {
      return #expect(Bool(false))
    }
    #expect(url == "https://media.example/a" && plugin?.isPublic == true)
    await resolver.close()
  }
}
