import Messages
import Model

/// What a room does about a test sound.
extension Room {
  /// Lets the chord be heard, and answers when it was. Who asks while it sounds waits for the same one.
  func testSound(_ reply: Reply<Done>) {
    guard let sound = outlet.testSound,
      testing != nil || machine.refusalOfTestSound(sharing: sound.canShareOutput) == nil
    else {
      let none = LunaraError("playback.noTestSound", "\(name) has no test sound.")
      return reply.continuation.resume(throwing: machine.refusalOfTestSound(sharing: true) ?? none)
    }
    let (device, volume) = (machine.output.device, machine.volume)
    let test = testing ?? Task { try await sound.play(on: device, volume: volume) }
    testing = test
    Task {
      let result = await test.result
      if testing == test { testing = nil }
      reply.continuation.resume(with: result.map { Done() })
    }
  }

  /// Ends a test sound: music comes first, and gets the output for itself.
  func endTestSound() async {
    guard let test = testing else { return }
    testing = nil
    test.cancel()
    _ = await test.result
  }
}

extension RoomMachine {
  /// Why no test sound may be heard now; nil where it may.
  ///
  /// - Parameter isShared: whether it can be heard while this room's player has its output open.
  func refusalOfTestSound(sharing isShared: Bool) -> LunaraError? {
    func refusal(_ reason: String) -> LunaraError { LunaraError("playback.noTestSound", reason) }
    if phase == .engaged, wantsSound {
      return refusal("Music plays in \(room), which is test enough. Pause it to hear the test sound.")
    }
    if phase == .engaged, !isShared {
      return refusal("The music that is held in \(room) has the output open. Stop it to hear the test sound.")
    }
    if moves.arrival != nil { return refusal("Music is on its way to \(room), which is test enough.") }
    if isMuted { return refusal("\(room) is muted. Let it sound again to hear the test sound.") }
    if volume == 0 { return refusal("The volume of \(room) is 0. Turn it up to hear the test sound.") }
    return nil
  }

  /// What the longest title of a room has, in characters.
  static let longestTitle = 64

  /// Takes what people call the room; nil for its name.
  ///
  /// - Throws: `playback.badSetting`.
  mutating func setTitle(_ title: String?) throws(LunaraError) {
    let words = title?.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let isPlain = words?.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) } ?? true
    guard words?.isEmpty != true, isPlain, words?.count ?? 0 <= Self.longestTitle, words?.utf8.count ?? 0 <= 512 else {
      throw LunaraError(
        "playback.badSetting",
        "A room's title has 1 to \(Self.longestTitle) characters on one line. Give none to go by its name.")
    }
    guard words != self.title else { return }
    self.title = words
    record()
    show()
  }
}
