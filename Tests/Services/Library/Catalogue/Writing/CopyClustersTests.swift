import Model
import TestSupport
import Testing

@testable import Catalogue

/// Which albums of one name are one album.
struct CopyClustersTests {
  /// Makes a member of tracks such as `1 Song` or `2.1 Song 200`: disc and number, title, seconds.
  private func member(_ number: Int64, release: String? = nil, _ tracks: String...) -> CopyClusters.Member {
    let source = SourceRank(isRemote: false, position: 1, name: "files")
    return CopyClusters.Member(
      number: number, release: release,
      tracks: tracks.enumerated().map { index, text in
        let words = text.split(separator: " ").map(String.init)
        let place = words[0].split(separator: ".").compactMap { Int($0) }
        let identity = number * 100 + Int64(index)
        return TrackPairing.Track(
          number: identity, album: number,
          place: .init(disc: place.count > 1 ? place[0] : 1, number: place.last, title: words[1]),
          duration: Milliseconds(1000 * (words.count > 2 ? Int64(words[2]) ?? 0 : 180)),
          rank: .init(isLossless: true, audio: AudioProperties(), source: source, number: identity))
      })
  }

  private func clusters(_ members: CopyClusters.Member...) -> [[Int64]] { CopyClusters.clusters(of: members) }

  @Test func copiesOfMostTracksAreOneAlbum() {
    #expect(clusters(member(1, "1 A", "2 B"), member(2, "1 a", "2 b 182")) == [[1, 2]])
    #expect(clusters(member(1, "1 A", "2 B", "3 C"), member(2, "1 A", "2 B", "3 X")) == [[1, 2]])
    #expect(clusters(member(1, "1 A", "2 B"), member(2, "1 A", "2 X")) == [[1, 2]])
    #expect(clusters(member(1, "1 A", "2 B", "3 C"), member(2, "1 A", "2 X", "3 Y")) == [[1], [2]])
  }

  @Test func lengthsTellRecordingsApart() {
    #expect(clusters(member(1, "1 A", "2 B"), member(2, "1 A 183", "2 B 183")) == [[1], [2]])
  }

  @Test func partsWithoutACommonPlaceAreOneAlbum() {
    #expect(clusters(member(1, "1.1 A"), member(2, "2.1 B")) == [[1, 2]])
    #expect(clusters(member(1, "1 A", "2 B"), member(2, "3 C")) == [[1, 2]])
  }

  @Test func differentReleasesAreNeverOne() {
    #expect(clusters(member(1, release: "x", "1 A"), member(2, release: "y", "1 A")) == [[1], [2]])
    #expect(
      clusters(member(1, release: "x", "1 A"), member(2, "1 A"), member(3, release: "y", "1 A")) == [[1, 2], [3]])
    #expect(clusters(member(1, release: "x", "1.1 A"), member(2, release: "y", "2.1 B")) == [[1], [2]])
  }

  @Test func aMemberJoinsItsCopiesBeforeParts() {
    #expect(clusters(member(1, "1 A"), member(2, "1 B", "2.1 C"), member(3, "2.1 C")) == [[1], [2, 3]])
  }

  @Test func tracksWithoutNumbersAreComparedByTitle() {
    #expect(clusters(member(1, "x A", "x B"), member(2, "x A", "x B")) == [[1, 2]])
    #expect(clusters(member(1, "x A", "x B"), member(2, "x A 300", "x B 300")) == [[1], [2]])
  }

  @Test(arguments: 1...1000)
  func anyOrderOfMembersGivesTheSameClusters(_ seed: UInt64) {
    var random = Seeded(seed)
    let titles = ["A", "B", "C"]
    let members = (1...6).map { number in
      var member = member(Int64(number))
      member.release = Bool.random(using: &random) ? nil : ["x", "y"].randomElement(using: &random)
      for place in 1...3 where Bool.random(using: &random) {
        let title = titles.randomElement(using: &random) ?? "A"
        let seconds = Int64.random(in: 178...183, using: &random)
        member.tracks += self.member(Int64(number), "\(place) \(title) \(seconds)").tracks
      }
      return member
    }
    let expected = CopyClusters.clusters(of: members)
    #expect(CopyClusters.clusters(of: members.shuffled(using: &random)) == expected)
    #expect(expected.flatMap(\.self).sorted() == Array(1...6))
  }
}
