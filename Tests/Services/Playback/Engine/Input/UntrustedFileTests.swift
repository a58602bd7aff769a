import Glibc
import HTTP
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Files and streams that are made to have the room open something else: it plays the one resource it was told.
  @Suite struct UntrustedFileTests {
    private let audio = Audio()

    /// Lists of files that players know. Each names an address on `port`, and a file beside it.
    private static let lists: [(name: String, text: @Sendable (Int, String) -> String)] = [
      ("edl", { "# mpv EDL v0\nhttp://127.0.0.1:\($0)/a.flac,0,1\n\($1),0,1\n" }),
      ("m3u", { "#EXTM3U\n#EXTINF:1,a\nhttp://127.0.0.1:\($0)/a.flac\n\($1)\n" }),
      (
        "hls",
        {
          "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:\($0)/a.ts\n#EXTINF:1,\n\($1)\n#EXT-X-ENDLIST\n"
        }
      ),
      ("pls", { "[playlist]\nNumberOfEntries=2\nFile1=http://127.0.0.1:\($0)/a.flac\nFile2=\($1)\n" }),
      ("sdp", { "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio \($0) RTP/AVP 0\n# \($1)\n" }),
      ("ref", { "[Reference]\nRef1=http://127.0.0.1:\($0)/a.flac\nRef2=\($1)\n" }),
      ("concat", { "ffconcat version 1.0\nfile 'http://127.0.0.1:\($0)/a.flac'\nfile '\($1)'\n" }),
      // Behind a tag, which libavformat skips before it looks for a format.
      ("tagged", { "ID3\u{4}\0\0\0\0\0\0#EXTM3U\n#EXTINF:1,a\nhttp://127.0.0.1:\($0)/a.flac\n\($1)\n" }),
    ]

    /// Plays cues one after the other and returns the recorder at the end of all.
    private func play(_ cues: [Cue]) async throws -> EngineRecorder {
      let engine = MPVEngine(output: try AudioOutput(audio: "null") { _ in "max" })
      let listener = EngineRecorder(engine)
      for (index, cue) in cues.enumerated() { engine.send(index == 0 ? .play(cue, paused: false) : .prepare(cue)) }
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      return listener
    }

    @Test(arguments: ["mp3", "aac", "flac"])
    func aListNamedLikeAudioOpensNothingAndTheNextTrackPlays(ending: String) async throws {
      let outside = try await audio.sine("outside.flac", seconds: 3)
      let next = try await audio.sine("next.flac", seconds: 1)
      let visits = try VisitCounter()
      for (name, text) in Self.lists {
        let file = try audio.file("\(name).\(ending)", Array(text(visits.port, outside.description).utf8))
        let listener = try await play([Cue(1, file), Cue(2, next)])
        #expect(await listener.failures.map(\.code) == ["playback.notAudio"], "\(name)")
        #expect(await listener.heard == [CueID(number: 2): Milliseconds(1000)], "\(name)")
      }
      #expect(visits.count == 0)
    }

    @Test func aListFromAServerOpensNothing() async throws {
      let outside = try await audio.sine("outside.flac", seconds: 3)
      let visits = try VisitCounter()
      let server = try await StandIn("streams", [audio.folder.path])
      for (name, text) in Self.lists {
        _ = try audio.file("\(name).mp3", Array(text(visits.port, outside.description).utf8))
        let listener = try await play([
          Cue(1, "http://127.0.0.1:\(server.port)/whole/\(name).mp3", headers: ["X-Plex-Token": "secret"])
        ])
        #expect(await listener.failures.map(\.code) == ["playback.notAudio"], "\(name)")
        #expect(await listener.heard.isEmpty, "\(name)")
      }
      #expect(visits.count == 0)
    }

    /// Files of every codec that ffmpeg can write into a container that the library lists.
    private static let kept: [(name: String, codec: String)] = [
      ("a.flac", "flac"), ("a.mp3", "libmp3lame"), ("a.mp2", "mp2"), ("a.ogg", "libvorbis"), ("a.opus", "libopus"),
      ("f.ogg", "flac"), ("a.m4a", "aac"), ("b.m4a", "alac"), ("c.m4a", "ac3"), ("a.aac", "aac"), ("a.wma", "wmav2"),
      ("b.wma", "wmav1"), ("a.wv", "wavpack"), ("a.tta", "tta"), ("a.mka", "eac3"), ("b.mka", "truehd"),
      ("c.mka", "pcm_f32le"), ("a.caf", "pcm_s24be"), ("b.caf", "alac"), ("a.aiff", "pcm_s16be"),
      ("b.aiff", "pcm_s24be"),
      ("a.wav", "pcm_s16le"), ("b.wav", "pcm_s24le"), ("c.wav", "pcm_f32le"), ("d.wav", "pcm_u8"),
      ("e.wav", "pcm_mulaw"),
      ("f.wav", "adpcm_ms"), ("g.wav", "adpcm_ima_wav"), ("h.wav", "mp3"), ("i.wav", "pcm_f64le"),
    ]

    @Test func everyCodecThatPeopleKeepPlays() async throws {
      let sine = try await audio.sine("sine.wav", seconds: 1)
      for (name, codec) in Self.kept {
        let file = try await audio.part(name, of: sine, from: 0, seconds: 1, ["-strict", "-2", "-c:a", codec])
        let listener = try await play([Cue(1, file)])
        #expect(await listener.failures.isEmpty, "\(name)")
        #expect(await listener.heard[CueID(number: 1), default: .zero] > Milliseconds(900), "\(name)")
      }
    }

    @Test(arguments: [("a.wav", "adpcm_yamaha"), ("b.wav", "g726")])
    func aCodecThatNobodyKeepsIsNotDecoded(name: String, codec: String) async throws {
      let sine = try await audio.sine("sine.wav", seconds: 1, rate: 8000)
      let file = try await audio.part(
        name, of: sine, from: 0, seconds: 1, ["-ac", "1", "-ar", "8000", "-strict", "-2", "-c:a", codec])
      let next = try await audio.sine("next.flac", seconds: 1)
      let listener = try await play([Cue(1, file), Cue(2, next)])
      #expect(await listener.failures.map(\.code) == ["playback.notAudio"])
      #expect(await listener.heard == [CueID(number: 2): Milliseconds(1000)])
    }

    @Test(arguments: [9, 14_646_528, 2_097_152_000] as [UInt32])
    func anImpossibleSampleRateIsAFaultOfTheFileAndNotOfTheOutput(rate: UInt32) async throws {
      var bytes = try audio.bytes(of: await audio.sine("sine.wav", seconds: 1))
      // The rate is in bytes 24 to 27 of the header that ffmpeg writes, the lowest first.
      for place in 0..<4 { bytes[24 + place] = UInt8(truncatingIfNeeded: rate >> (8 * UInt32(place))) }
      let file = try audio.file("bad.wav", bytes)
      let listener = try await play([Cue(1, file), Cue(2, try await audio.sine("next.flac", seconds: 1))])
      #expect(await listener.failures.map(\.code) == ["playback.notAudio"])
      #expect(await listener.heard == [CueID(number: 2): Milliseconds(1000)])
    }

    @Test func anAddressThatIsNoHTTPIsNotOpened() async throws {
      let visits = try VisitCounter()
      for url in [
        "tcp://127.0.0.1:\(visits.port)", "lunara://1", "file:///etc/passwd", "udp://127.0.0.1:\(visits.port)",
      ] {
        let listener = try await play([Cue(1, url)])
        #expect(await listener.failures.count == 1, "\(url)")
        #expect(await listener.heard.isEmpty, "\(url)")
      }
      #expect(visits.count == 0)
    }

    @Test func aPipeOrAFolderIsNotOpenedAsATrack() async throws {
      let pipe = LocalPath(audio.path("pipe.mp3"))
      #expect(pipe.cString.withUnsafeBufferPointer { $0.baseAddress.map { mkfifo($0, 0o600) } } == 0)
      for path in [pipe, LocalPath(audio.folder.path), LocalPath("/dev/zero")] {
        #expect(try await play([Cue(1, path)]).failures.map(\.code) == ["playback.notAudio"], "\(path)")
      }
    }

    @Test func aRedirectionToAnotherServerCarriesNoCredential() async throws {
      _ = try await audio.sine("a.flac", seconds: 1)
      let visits = try VisitCounter(
        answer: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      let first = try VisitCounter(
        answer:
          "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(visits.port)/a.flac\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      )
      let listener = try await play([
        Cue(1, "http://127.0.0.1:\(first.port)/a.flac", headers: ["X-Plex-Token": "secret", "Authorization": "secret"])
      ])
      #expect(await listener.failures.map(\.code) == ["playback.streamNotFound"])
      #expect(first.heads.contains { $0.contains("secret") })
      #expect(!visits.heads.isEmpty)
      #expect(!visits.heads.contains { $0.lowercased().contains("secret") || $0.lowercased().contains("x-plex-token") })
    }

    @Test func aServerOfMusicLeadsTheRoomToNoOtherServerAtHome() async throws {
      _ = try await audio.sine("a.flac", seconds: 1)
      let hidden = try HTTPServer(address: "127.0.0.2", port: 0) { _ in HTTPServerResponse(text: "hidden") }
      let first = try VisitCounter(
        answer:
          "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2:\(hidden.port)/a.flac\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      )
      let listener = try await play([Cue(1, "http://127.0.0.1:\(first.port)/a.flac")])
      #expect(await listener.failures.map(\.code) == ["playback.streamUnreachable"])
      #expect(!first.heads.isEmpty)
      await hidden.stop()
    }

    @Test func aRedirectionOnTheSameServerIsFollowed() async throws {
      _ = try await audio.sine("a.flac", seconds: 1)
      let server = try await StandIn("streams", [audio.folder.path])
      let listener = try await play([Cue(1, "http://127.0.0.1:\(server.port)/moved/a.flac")])
      #expect(await listener.heard == [CueID(number: 1): Milliseconds(1000)])
    }
  }
}

/// A server on loopback that counts its visitors, and keeps what they send first.
private final class VisitCounter: Sendable {
  let port: Int
  private let socket: Descriptor
  private let seen = Mutex<[String]>([])

  var heads: [String] { seen.withLock { $0 } }
  var count: Int { heads.count }

  /// Listens on a free port; each visitor gets `answer`.
  init(answer: String = "") throws {
    socket = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = socket.number
    let bound = withUnsafeMutableBytes(of: &address) { bytes in
      let generic = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return bind(number, generic, length) == 0 && listen(number, 8) == 0 && getsockname(number, generic, &length) == 0
    }
    try #require(bound)
    port = Int(UInt16(bigEndian: address.sin_port))
    let socket = socket
    try SystemThread.start("visits") { [weak self] in
      while case let visitor = accept(socket.number, nil, nil), visitor >= 0 {
        let visitor = Descriptor(owning: visitor)
        var head = ""
        while !head.contains("\r\n\r\n"), case .bytes(let more) = visitor.read() {
          head += String(decoding: more, as: UTF8.self)
        }
        self?.seen.withLock { $0.append(head) }
        Descriptor.write(Array(answer.utf8), to: visitor.number)
      }
    }
  }

  deinit { shutdown(socket.number, Int32(SHUT_RDWR)) }
}
