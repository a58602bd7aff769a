import Model
import ServiceKit
import TestSupport
import Testing

/// The addresses that the library gives to other hosts.
struct MediaLinkTests {
  private let folder = TemporaryDirectory()
  private var seal: MediaSeal { MediaSeal(store: CredentialStore(home: folder.path), pause: .zero) }
  private let expires = Timestamp(seconds: 100)

  /// Returns the sealed part of an address.
  private func sealed(_ link: MediaLink) throws -> String {
    let parts = try seal.target(of: link, named: "files:t7").split(separator: "?link=", maxSplits: 1)
    #expect(parts[0] == (link.duration == nil ? "/art/files:t7" : "/audio/files:t7"))
    return String(parts[1])
  }

  private func refusal(_ sealed: String?, path: String = "/audio/files:t7", at seconds: Int64 = 99) -> MediaLink
    .Refusal?
  {
    let query = sealed.map { ["link": $0] } ?? [:]
    do { _ = try seal.link(at: path, query: query, now: Timestamp(seconds: seconds)) } catch {
      return error as? MediaLink.Refusal
    }
    return nil
  }

  private var links: [MediaLink] {
    [
      MediaLink(file: LocalPath("/music/Größe/01 – Ü.flac"), duration: Milliseconds(1000), expires: expires),
      MediaLink(file: LocalPath(bytes: Array("/music/".utf8) + [0xe4, 0x2e]), duration: nil, expires: expires),
      MediaLink(
        stream: .init(source: "plex", url: "http://127.0.0.1:32400/parts/1", headers: ["X-Plex-Token": "secret"]),
        duration: Milliseconds(1000), expires: expires),
    ]
  }

  @Test func anotherProcessOpensWhatWasSealed() throws {
    for link in links {
      let sealed = try sealed(link)
      #expect(try seal.link(at: "/audio/x", query: ["link": sealed], now: Timestamp(seconds: 99)) == link)
      #expect(refusal(sealed, at: 100) == .expired)
      #expect(sealed.utf8.allSatisfy { $0 == 45 || $0 == 95 || $0.isLetterOrDigit })
    }
  }

  @Test func aProcessThatRanBeforeTheKeyWasMadeOpensItToo() throws {
    let reader = seal
    func read(_ sealed: String) throws -> MediaLink {
      try reader.link(at: "/audio/x", query: ["link": sealed], now: Timestamp(seconds: 0))
    }
    #expect(throws: MediaLink.Refusal.sealedByOthers) { try read("AAAA") }
    let first = try sealed(links[0])
    #expect(try read(first) == links[0])
    // A key that was made anew, such as after a restore.
    try CredentialStore(home: folder.path).remove("media")
    #expect(try read(try sealed(links[1])) == links[1])
    #expect(throws: MediaLink.Refusal.sealedByOthers) { try read(first) }
  }

  @Test func aChangedAddressIsRefused() throws {
    let sealed = try sealed(links[0])
    #expect(refusal(sealed) == nil)
    for place in stride(from: 0, to: sealed.utf8.count, by: 5) {
      var bytes = Array(sealed.utf8)
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(refusal(String(decoding: bytes, as: UTF8.self)) == .sealedByOthers)
    }
    for text in [String(sealed.dropLast(30)), sealed + "A", "", "ü", "../../etc/passwd", nil] {
      #expect(refusal(text) == .sealedByOthers, "\(text ?? "none")")
    }
    for path in ["/", "/media/files:t7", "/audio", "/art", "/etc/passwd"] {
      #expect(refusal(sealed, path: path) == .unknown, "\(path)")
    }
    let others = TemporaryDirectory()
    let foreign = try MediaSeal(store: CredentialStore(home: others.path)).target(of: links[0], named: "x")
    #expect(refusal(String(foreign.dropFirst("/audio/x?link=".count))) == .sealedByOthers)
  }

  @Test func theAddressIsThatOfTheNodeUnlessItIsSet() {
    let alone = MediaAddress(setting: nil, listening: nil)
    #expect(alone.host == "127.0.0.1" && alone.port == 8788 && alone.isLoopback && !alone.isChosen)
    #expect(alone.base(port: 8788, advertised: nil) == "http://127.0.0.1:8788")
    let all = MediaAddress(setting: nil, listening: "*")
    #expect(all.host == "::" && !all.isLoopback)
    #expect(all.base(port: 9, advertised: "192.168.1.5") == "http://192.168.1.5:9")
    #expect(all.base(port: 9, advertised: "fd00::1") == "http://[fd00::1]:9")
    let behindNAT = MediaAddress(setting: nil, listening: "10.0.0.1")
    #expect(behindNAT.base(port: 9, advertised: "music.example") == "http://music.example:9")
    let chosen = MediaAddress(setting: ("10.1.1.1", 80), listening: "10.0.0.1")
    #expect(chosen.base(port: 80, advertised: "10.0.0.1") == "http://10.1.1.1:80")
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
  }
}
