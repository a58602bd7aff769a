import Messages
import Model

/// Output settings, devices and the test sound.
extension Room {
  /// Plays the test sound, and answers when it was heard. Who asks while it plays waits for the same one.
  func testSound(_ reply: Reply<Done>) {
    guard let sound = environment.testSound,
      testSoundTask != nil || machine.refusalOfTestSound(sharing: sound.output.isShared) == nil
    else {
      let none = LunaraError("playback.noTestSound", "\(name) has no test sound.")
      return reply.continuation.resume(throwing: machine.refusalOfTestSound(sharing: true) ?? none)
    }
    let (device, volume) = (machine.output.settings.device, machine.volume.percent)
    let test = testSoundTask ?? Task { try await sound.play(on: device, volume: volume) }
    testSoundTask = test
    Task {
      let result = await test.result
      if testSoundTask == test { testSoundTask = nil }
      reply.continuation.resume(with: result.map { Done() })
    }
  }

  /// Ends a test sound: music comes first, and gets the output for itself.
  func endTestSound() async {
    guard let test = testSoundTask else { return }
    testSoundTask = nil
    test.cancel()
    _ = await test.result
  }

  /// Changes the output settings, and answers when that is stored.
  func set(_ request: Playback.SetOutput, _ reply: Reply<Playback.OutputState>, _ now: Now) async {
    do {
      try machine.set(request, at: now)
    } catch {
      return reply.continuation.resume(throwing: error)
    }
    let state = machine.outputState
    await perform(at: now)
    answer(reply, state)
  }

  /// The longest time to wait for the list of devices.
  private static let deviceTimeout = Duration.seconds(3)

  /// Asks the engine for the devices there are, and answers when it has listed them.
  func readOutput(_ reply: Reply<Playback.OutputState>) {
    deviceReplies.append(reply)
    engine.send(.listDevices)
    guard deviceReplies.count == 1 else { return }
    Task {
      do { try await Task.sleep(for: Self.deviceTimeout) } catch { return }
      answerDeviceReplies()
    }
  }

  /// Answers those who wait for the devices, as far as they are known.
  func answerDeviceReplies() {
    for reply in deviceReplies { reply.continuation.resume(returning: machine.outputState) }
    deviceReplies = []
  }
}
