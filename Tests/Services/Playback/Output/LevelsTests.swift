import Messages
import Model
import Testing

@testable import lunara_playback

/// The gain of a track.
struct LevelsTests {
  private func track(_ levels: Levels?, album: String = "a") -> Track {
    Track(
      id: TrackID(source: "files", native: "t"), albumID: AlbumID(source: "files", native: album), title: "T",
      artist: "A", albumArtist: "A", album: "A", duration: Milliseconds(1000), levels: levels)
  }

  private let whole = Levels(trackGain: -3, trackPeak: 0.5, albumGain: -7, albumPeak: 0.9)

  private func gain(
    _ levelling: Playback.Levelling, _ levels: Levels?, before: Track? = nil, after: Track? = nil, preamp: Double = 0
  ) -> Double? {
    levelling.gain(of: track(levels), before: before, after: after, preamp: preamp)
  }

  @Test func eachModeUsesItsOwnGain() {
    #expect(gain(.off, whole) == nil)
    #expect(gain(.unknown, whole) == nil)
    #expect(gain(.track, whole) == -3)
    #expect(gain(.album, whole) == -7)
  }

  @Test(
    arguments: [
      (nil, nil, -3.0), ("a", nil, -7), (nil, "a", -7), ("a", "a", -7), ("b", "a", -7), ("b", "b", -3), ("b", nil, -3),
    ] as [(String?, String?, Double)])
  func smartModeUsesTheAlbumGainWithinAnAlbum(before: String?, after: String?, expected: Double) {
    let neighbours = [before, after].map { album in album.map { track(nil, album: $0) } }
    #expect(gain(.smart, whole, before: neighbours[0], after: neighbours[1]) == expected)
  }

  @Test func aMissingGainIsReplacedByTheOtherOrLeftOut() {
    #expect(gain(.track, Levels(albumGain: -4)) == -4)
    #expect(gain(.album, Levels(trackGain: -5)) == -5)
    let own = track(nil)
    #expect(gain(.smart, Levels(trackGain: -5), before: own) == -5)
    #expect(gain(.smart, Levels(albumGain: -4)) == -4)
    for levelling in Playback.Levelling.allCases {
      #expect(gain(levelling, nil, preamp: 6) == nil)
      #expect(gain(levelling, Levels(trackPeak: 0.1, albumPeak: 0.1), preamp: 6) == nil)
    }
  }

  @Test func nothingIsLiftedOverFullScale() {
    // A peak of 0.5 leaves 6.02 dB to full scale.
    #expect(gain(.track, Levels(trackGain: 9, trackPeak: 0.5)) == 6.02)
    #expect(gain(.track, Levels(trackGain: 3, trackPeak: 0.5)) == 3)
    #expect(gain(.track, Levels(trackGain: 0, trackPeak: 0.5), preamp: 4) == 4)
    // A peak over full scale, as in lossy files, is lowered to full scale.
    #expect(gain(.track, Levels(trackGain: 0, trackPeak: 2)) == -6.03)
    #expect(gain(.track, Levels(trackGain: -12, trackPeak: 2)) == -12)
    // Without a known peak, full scale is assumed.
    #expect(gain(.track, Levels(trackGain: 4)) == nil)
    #expect(gain(.track, Levels(trackGain: -4), preamp: 15) == nil)
    #expect(gain(.track, Levels(trackGain: -4), preamp: 3) == -1)
    // Without its own peak, the other kind's peak is used.
    #expect(gain(.track, Levels(trackGain: 9, albumPeak: 0.5)) == 6.02)
    #expect(gain(.album, Levels(trackPeak: 0.5, albumGain: 9)) == 6.02)
  }

  @Test func noModeLiftsATrackOverFullScale() {
    let values: [Double?] = [nil, -60, -6, -0.004, 0, 0.004, 3.3, 20, .nan, .infinity, -.infinity]
    let peaks: [Double?] = [nil, -1, 0, 0.001, 0.3, 0.99999, 1, 1.7, .nan, .infinity]
    let own = track(nil)
    for levelling in Playback.Levelling.allCases {
      for trackGain in values {
        for albumGain in values {
          for peak in peaks {
            for preamp in [-99, -15, 0, 15, 99, .nan] {
              let levels = Levels(trackGain: trackGain, trackPeak: peak, albumGain: albumGain, albumPeak: peak)
              guard let gain = gain(levelling, levels, before: own, preamp: preamp) else { continue }
              let real = peak.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? 1
              #expect(Decibels.headroom(over: real) >= gain)
              #expect(gain != 0 && gain >= -50 && gain.isFinite)
            }
          }
        }
      }
    }
  }

  @Test func thePreampIsAddedWithinBounds() {
    let quiet = Levels(trackGain: -20, trackPeak: 0.01)
    #expect(gain(.track, quiet, preamp: 2.5) == -17.5)
    #expect(gain(.track, quiet, preamp: -2.5) == -22.5)
    #expect(gain(.track, quiet, preamp: 40) == -5)
    #expect(gain(.track, quiet, preamp: -40) == -35)
    #expect(gain(.track, quiet, preamp: .nan) == -20)
    #expect(gain(.track, Levels(trackGain: -300)) == -50)
  }

  @Test func aGainOfNothingIsNoFilter() {
    #expect(gain(.track, Levels(trackGain: 0, trackPeak: 0.5)) == nil)
    #expect(gain(.track, Levels(trackGain: -3, trackPeak: 0.5), preamp: 3) == nil)
  }
}

/// The gain that a room gives to its tracks.
struct RoomLevelsTests {
  @Test func levelsGoIntoCuesAndAChangeOfThemIntoThePreparedOne() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.levels = Levels(trackGain: -7)
    try room.set(Playback.SetOutput(levelling: .track))
    room.answerFinds()
    let cues = room.engineCommands().cues
    #expect(cues.map(\.gain) == [-7, -7])
    try room.set(Playback.SetOutput(preamp: 2))
    #expect(room.engineCommands().cues.map(\.gain) == [-5])
    try room.set(Playback.SetOutput(levelling: .off))
    #expect(room.engineCommands().cues.map(\.gain) == [nil])
  }

  @Test func neighboursInTheQueueDecideAboutTheGain() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.levels = Levels(trackGain: -7, albumGain: -3)
    room.playFirst()
    _ = room.engineCommands()
    // The neighbours of the prepared track have not been read yet.
    try room.set(Playback.SetOutput(levelling: .smart))
    room.neighbours.before = QueueItem.numbered(1).track
    room.answerFinds()
    #expect(room.engineCommands().cues.last?.gain == -3)
    room.neighbours.before?.albumID = AlbumID(source: "files", native: "other")
    room.edit { try $0.move(from: 0, to: 0) }
    room.answerFinds()
    #expect(room.engineCommands().cues.map(\.gain) == [-7])
    room.edit { try $0.move(from: 0, to: 0) }
    room.answerFinds()
    #expect(room.engineCommands().cues.isEmpty)
  }
}
