import Messages
import Model
import ServiceKit

extension Room {
  /// Plays the test sound, and answers when it was heard. Requests that come while it plays wait for the same sound.
  func playTestSound(_ reply: Reply<Done>) {
    guard let sound = testSound,
      testSoundTask != nil || machine.refusalOfTestSound(sharing: sound.output.isShared) == nil
    else {
      let none = LunaraError("playback.noTestSound", "\(name) has no test sound.")
      return reply.resume(throwing: machine.refusalOfTestSound(sharing: true) ?? none)
    }
    let (device, volume) = (machine.output.settings.device, machine.volume.percent)
    let test = testSoundTask ?? Task { try await sound.play(on: device, volume: volume) }
    testSoundTask = test
    Task {
      let result = await test.result
      if testSoundTask == test { testSoundTask = nil }
      reply.resume(with: result.map { Done() })
    }
  }

  /// Ends a test sound, as music has priority and needs the output.
  func endTestSound() async {
    guard let test = testSoundTask else { return }
    testSoundTask = nil
    test.cancel()
    _ = await test.result
  }

  private static let deviceTimeout = Duration.seconds(3)

  /// Answers with the output settings when the engine has listed the devices.
  func readOutput(_ reply: Reply<Playback.OutputState>) {
    whenDevicesAreListed { room, _ in reply.resume(returning: room.machine.outputState) }
  }

  /// Changes the output settings. A device is chosen only if the engine lists it. Throws `playback.badSetting`.
  func setOutput(
    _ request: Playback.SetOutput, _ reply: Reply<Playback.OutputState>, _ now: Now
  ) async throws {
    guard let device = request.device, machine.output.mustBeListed(device) else {
      try machine.set(request, at: now)
      return await answer(reply, machine.outputState, now)
    }
    whenDevicesAreListed { room, now in
      do {
        try room.machine.output.requireListed(device, in: room.name)
        try room.machine.set(request, at: now)
        await room.answer(reply, room.machine.outputState, now)
      } catch {
        reply.resume(throwing: error)
      }
    }
  }

  /// Asks the engine for the devices, and runs a body when it has listed them, or after `deviceTimeout`.
  private func whenDevicesAreListed(_ body: @escaping Input) {
    deviceWait.inputs.append(body)
    engine.send(.listDevices)
    guard deviceWait.timer == nil else { return }
    let number = deviceWait.number
    deviceWait.timer = Task { [inbox] in
      do { try await Task.sleep(for: Self.deviceTimeout) } catch { return }
      inbox.yield { room, now in await room.deviceTimeoutEnded(ofWait: number, at: now) }
    }
  }

  /// Handles the end of a wait's timer. That of requests that were answered meanwhile must not answer later ones.
  func deviceTimeoutEnded(ofWait number: Int, at now: Now) async {
    if deviceWait.number == number { await devicesListed(at: now) }
  }

  /// Runs the bodies that wait for the devices.
  func devicesListed(at now: Now) async {
    let wait = deviceWait
    wait.timer?.cancel()
    deviceWait = DeviceWait(number: wait.number + 1)
    for input in wait.inputs { await input(self, now) }
  }

  /// The requests that wait for the engine's list of devices.
  struct DeviceWait {
    /// The number of this wait, by which its timer knows it.
    var number = 0
    var inputs: [Input] = []
    var timer: Task<Void, Never>?
  }
}

/// The interruptions by the host: sleep, and headphones that are unplugged.
extension Room {
  /// The longest time to wait until the engine has stopped the sound. A host's sleep must not be delayed for long
  /// (`InhibitDelayMaxSec` of logind.conf(5) is 5 s).
  private static let holdTimeout = Duration.seconds(1)

  /// Pauses if there is sound; returns when the sound has stopped and the position is stored.
  nonisolated func interrupt(_ reason: Interruption) async {
    do {
      _ = try await ask { room, reply, now in
        room.machine.interrupt(reason, at: now)
        room.answerWhenHeld(reply)
      }
    } catch {
      // A room that is being stopped is silent as well, and has stored its state.
      log.debug("\(LunaraError(error))")
    }
  }

  nonisolated func interruptionOver(_ reason: Interruption) {
    inbox.yield { $0.machine.interruptionOver(reason, at: $1) }
  }

  /// Answers when the engine has stopped the sound, or after `holdTimeout`.
  private func answerWhenHeld(_ reply: Reply<Done>) {
    interruptionReplies.append(reply)
    guard machine.isFlowing else { return }
    Task { [inbox] in
      // A cancelled task answers at once.
      do { try await Task.sleep(for: Self.holdTimeout) } catch {}
      inbox.yield { room, _ in room.answerInterruptions() }
    }
  }

  /// Answers the waiting interruptions when all is stored.
  func answerInterruptions() {
    guard !interruptionReplies.isEmpty else { return }
    let replies = interruptionReplies
    interruptionReplies = []
    Task { [writer] in
      await writer.flush()
      for reply in replies { reply.resume(returning: Done()) }
    }
  }
}
