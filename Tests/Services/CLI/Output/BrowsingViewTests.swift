import Messages
import Model
import Testing

@testable import lunara

/// People and their parts as text.
struct BrowsingViewTests {
  @Test func theCreditsOfAnAlbumAreOneLineForEachRole() {
    let credits: [Library.AlbumCredit] = [
      .init(credit: Credit(role: .composer, name: "Bach"), tracks: 9),
      .init(credit: Credit(role: .djMixer, name: "Cyn"), tracks: 2),
      .init(credit: Credit(role: .performer, name: "Ann", instrument: "cello"), tracks: 9),
      .init(credit: Credit(role: .performer, name: "Ben", instrument: "oboe"), tracks: 1),
    ]
    #expect(
      credits.lines(total: 9) == [
        "composer: Bach", "DJ mixer: Cyn (2 tracks)", "performer: Ann (cello), Ben (oboe, 1 track)",
      ])
    #expect([Library.AlbumCredit]().lines(total: 9).isEmpty)
  }
}
