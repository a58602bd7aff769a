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
  private func script(_ lines: String) throws -> String { try program("#!/bin/sh\n\(lines)") }

  private func program(_ text: String) throws -> String {
    let path = "\(home.path)/yt-dlp"
    try TestProgram.install(text, at: path)
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

  /// Writes a program for the system's Python that tries what `attempts` name, each a function without arguments, and
  /// answers with the names of those that did not fail.
  private func trying(_ attempts: String, then last: String = "") throws -> PageReader {
    let lines = """
      #!/usr/bin/env python3
      import json, os, signal, socket, ssl, subprocess, sys, threading
      attempts = {}
      def attempt(body): attempts[body.__name__] = body
      parent, secret = os.getppid(), "\(home.path)/secret"
      \(attempts)
      done = []
      for name, body in attempts.items():
          try:
              body()
              done.append(name)
          except OSError:
              pass
      \(last)
      print(json.dumps({"url": "https://media.example/" + ",".join(done)}))
      """
    try "secret".write(toFile: "\(home.path)/secret", atomically: true, encoding: .utf8)
    return try #require(PageReader(path: try program(lines)))
  }

  @Test func theProgramReadsNoFileOfThePersonAndChangesNone() async throws {
    let reader = try trying(
      """
      @attempt
      def read(): open(secret).read()
      @attempt
      def list_folder(): os.listdir(os.path.dirname(secret))
      @attempt
      def write(): open(secret, "w")
      @attempt
      def create(): open("/tmp/lunara-written", "w")
      @attempt
      def mode(): os.chmod(secret, 0o777)
      @attempt
      def mode_of_folder(): os.chmod(os.path.dirname(secret), 0o777)
      @attempt
      def owner(): os.chown(secret, -1, os.getgid())
      @attempt
      def time(): os.utime(secret, (1, 1))
      @attempt
      def attribute(): os.setxattr(secret, "user.a", b"a")
      @attempt
      def remove(): os.remove(secret)
      @attempt
      def environment_of_parent(): open(f"/proc/{parent}/environ").read()
      """,
      then: """
        if any(name in os.environ for name in ("LUNARA_TEST", "XDG_RUNTIME_DIR", "USER")): sys.exit(3)
        open("/dev/null", "w").write("nothing")
        open("/etc/hosts").read()
        """)
    let stream = try await reader.stream(of: "https://a.bandcamp.com/track/b")
    #expect(stream.url == "https://media.example/" && stream.expiresIn == Milliseconds(3_600_000))
    #expect(try String(contentsOfFile: "\(home.path)/secret", encoding: .utf8) == "secret")
    #expect(!FileManager.default.fileExists(atPath: "/tmp/lunara-written"))
  }

  @Test func theProgramStartsNothingAndReachesNoOtherProcess() async throws {
    let reader = try trying(
      """
      @attempt
      def start(): subprocess.run(["true"])
      @attempt
      def start_by_shell(): subprocess.check_output("true", shell=True)
      @attempt
      def fork():
          if os.fork() == 0: os._exit(0)
      @attempt
      def signal_parent(): os.kill(parent, 0)
      @attempt
      def signal_group(): os.killpg(0, 0)
      @attempt
      def local_socket(): socket.socket(socket.AF_UNIX)
      @attempt
      def local_datagrams(): socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
      @attempt
      def local_pair(): socket.socketpair()
      @attempt
      def listen(): socket.create_server(("127.0.0.1", 0))
      @attempt
      def limit_parent(): __import__("resource").prlimit(parent, 0)
      """)
    let stream = try await reader.stream(of: "https://youtu.be/x")
    #expect(stream.url == "https://media.example/")
  }

  @Test func theProgramHasThreadsAndConnections() async throws {
    let reader = try trying(
      """
      @attempt
      def connect():
          context = ssl.create_default_context()
          assert context.cert_store_stats()["x509_ca"] > 0
          socket.getaddrinfo("localhost", 443)
          server = socket.socket()
          server.settimeout(1)
          try: server.connect(("127.0.0.1", 9))
          except ConnectionRefusedError: pass
      @attempt
      def threads():
          values = []
          all = [threading.Thread(target=lambda: values.append(1)) for _ in range(8)]
          for one in all: one.start()
          for one in all: one.join()
          assert len(values) == 8
      """)
    #expect(try await reader.stream(of: "https://youtu.be/x").url == "https://media.example/connect,threads")
  }

  @Test func whatItSaysIsReportedAndWhatItWritesIsBounded() async throws {
    let refused = await failure(try reader("echo 'WARNING: old' >&2; echo 'ERROR: Video unavailable' >&2; exit 1"))
    #expect(refused?.code == "resolver.pageUnreadable" && refused?.cause == "ERROR: Video unavailable")
    let flood = await failure(try reader("exec cat /dev/zero"))
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

  @Test func aProgramThatTakesTooLongIsKilled() async throws {
    var limits = ConfinedProgram.Limits()
    limits.time = Milliseconds(300)
    let program = ConfinedProgram(try script("echo $$; exec sleep 60"), limits: limits)
    let answer = try program.run([])
    #expect(answer.ending == .tooSlow)
    let child = try #require(Int32(String(decoding: answer.output, as: UTF8.self).trimmingCharacters(in: .newlines)))
    // A killed process stays as an entry until its new parent takes note of it.
    #expect(
      await eventually {
        (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ") Z"
      } satisfies: {
        $0.contains(") Z") || $0.contains(") X")
      })
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
