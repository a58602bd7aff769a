import Bus
import Model
import TestSupport
import Testing

@testable import Media

/// The signed addresses that the library gives to rooms.
struct MediaLinkTests {
  private let track = MediaLink.Item.audio(TrackID(source: "files", native: "t7"))

  /// Parses an address as the server gives the request of a client to its handler.
  private func asked(_ target: String) -> (path: String, query: [String: String]) {
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = parts[1].split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return (decoded(String(parts[0])), Dictionary(uniqueKeysWithValues: query.map { ($0[0], $0[1]) }))
  }

  private func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func refusal(
    _ path: String, _ query: [String: String], _ signing: Signing, now: Int64 = 0
  ) -> MediaLink.Refusal? {
    do { _ = try MediaLink(path: path, query: query, signing: signing, now: now) } catch { return error }
    return nil
  }

  @Test(arguments: [
    MediaLink.Item.audio(TrackID(source: "files", native: "t7")),
    .art(ArtID(source: "files", native: "c1.ab"), size: nil, takesWebP: false),
    .art(ArtID(source: "plex", native: "/library/metadata/7/thumb/8?x=1&y #ü%"), size: 300, takesWebP: true),
  ])
  func aSignedLinkIsAccepted(_ thing: MediaLink.Item) throws {
    let signing = try Signing(label: MediaLink.label, keys: nil)
    let link = MediaLink(thing, expires: 100)
    let (path, query) = asked(link.target(signing: signing))
    #expect(try MediaLink(path: path, query: query, signing: signing, now: 99) == link)
    #expect(refusal(path, query, signing, now: 100) == .expired)
  }

  @Test func aChangedLinkIsRefused() throws {
    let signing = try Signing(label: MediaLink.label, keys: nil)
    let art = MediaLink.Item.art(ArtID(source: "files", native: "c1.ab"), size: 300, takesWebP: false)
    let (path, query) = asked(MediaLink(art, expires: 100).target(signing: signing))
    func changed(_ name: String, _ value: String?) -> MediaLink.Refusal? {
      var query = query
      query[name] = value
      return refusal(path, query, signing)
    }
    #expect(refusal(path, query, signing) == nil)
    #expect(changed("expires", "101") == .unsigned)
    #expect(changed("size", "1024") == .unsigned)
    #expect(changed("size", nil) == .unsigned)
    #expect(changed("size", "x") == .unknown)
    #expect(changed("webp", "1") == .unsigned)
    #expect(changed("signature", nil) == .unsigned)
    #expect(changed("signature", "") == .unsigned)
    #expect(changed("signature", String(repeating: "0", count: 64)) == .unsigned)
    #expect(refusal("/art/files:c2.ab", query, signing) == .unsigned)
    #expect(refusal("/audio/files:c1.ab", query, signing) == .unsigned)
    for path in ["/", "/audio/", "/audio/nothing", "/art", "/etc/passwd", "/audio/../../etc/passwd"] {
      #expect(refusal(path, query, signing) == .unknown, "\(path)")
    }
  }

  @Test func aSignatureOfAnotherHouseholdIsRefused() throws {
    let (one, other) = (try Signing(label: MediaLink.label, keys: nil), try Signing(label: MediaLink.label, keys: nil))
    let (path, query) = asked(MediaLink(track, expires: 100).target(signing: one))
    #expect(refusal(path, query, other) == .unsigned)
    // A signature that was made for another use is refused, too.
    let keys = try #require(try TestHousehold().keys)
    let use = try Signing(label: "another-use", keys: keys)
    let (path2, query2) = asked(MediaLink(track, expires: 100).target(signing: use))
    #expect(refusal(path2, query2, try Signing(label: MediaLink.label, keys: keys)) == .unsigned)
    #expect(refusal(path2, query2, use) == nil)
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
