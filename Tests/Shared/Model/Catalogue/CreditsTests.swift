import Model
import Testing

@Suite struct CreditsTests {
  /// Databases keep the numbers: a new role is added at the end, before `unknown`.
  @Test func numbersOfRolesStay() {
    let roles = (0...13).compactMap(CreditRole.init(number:))
    #expect(
      roles == [
        .artist, .albumArtist, .composer, .conductor, .lyricist, .remixer, .performer, .arranger, .producer, .engineer,
        .mixer, .djMixer, .writer, .director,
      ])
    #expect(roles.compactMap(\.number) == Array(0...13))
    #expect(CreditRole(number: 14) == nil && CreditRole(number: -1) == nil && CreditRole.unknown.number == nil)
  }
}
