import CCurl
import Model
import Synchronization
import System

/// The thread that runs all transfers of a client. It starts with the first one and ends when it has been idle.
final class TransferThread: Sendable {
  private enum Command: Sendable {
    case start(Transfer)
    case cancel(Transfer)
    case resume(Transfer)
  }

  /// Safe because (1) other threads call only `curl_multi_wakeup` on it, which libcurl allows (curl_multi_wakeup(3));
  /// (2) they do so under the lock, under which it is removed from the state before it is freed.
  private struct Transfers: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

  private struct State {
    var commands: [Command] = []
    var isRunning = false
    var transfers: Transfers?
    /// True if the client is gone, so that there is nothing to wait for.
    var isRetired = false
  }

  private let linger: Duration
  private let state = Mutex(State())

  /// Creates a thread that ends after `linger` without a transfer and then closes the connections that it kept.
  init(linger: Duration) { self.linger = linger }

  var isRunning: Bool { state.withLock { $0.isRunning } }

  func start(_ transfer: Transfer) throws {
    try state.withLock { state in
      if !state.isRunning {
        do throws(Errno) { try SystemThread.start("http-client") { self.run() } } catch {
          throw LunaraError(
            "http.noThread", "The system could not start a thread. Raise its limit of threads.", cause: error)
        }
        state.isRunning = true
      }
      command(.start(transfer), &state)
    }
  }

  /// Cancels a transfer in any state; does nothing for one that has ended.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .releasing)
    state.withLock { state in if state.isRunning { command(.cancel(transfer), &state) } }
  }

  /// Resumes a transfer whose reader held it back.
  func resume(_ transfer: Transfer) {
    state.withLock { state in if state.isRunning { command(.resume(transfer), &state) } }
  }

  /// Ends the thread as soon as its transfers end.
  func retire() {
    state.withLock { state in
      state.isRetired = true
      if let transfers = state.transfers { curl_multi_wakeup(transfers.pointer) }
    }
  }

  private func command(_ command: Command, _ state: inout State) {
    state.commands.append(command)
    if let transfers = state.transfers { curl_multi_wakeup(transfers.pointer) }
  }

  private func run() {
    guard let pointer = curl_multi_init() else {
      fail()
      return
    }
    lunara_curl_keep(pointer, 4)
    state.withLock { $0.transfers = Transfers(pointer: pointer) }
    var active: [UnsafeMutableRawPointer: Transfer] = [:]
    let clock = ContinuousClock()
    var lastWork = clock.now
    while true {
      let commands = state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
      for command in commands { perform(command, pointer, &active) }
      var running: Int32 = 0
      curl_multi_perform(pointer, &running)
      var result = CURLE_OK
      while let handle = lunara_curl_ended(pointer, &result) {
        curl_multi_remove_handle(pointer, handle)
        active.removeValue(forKey: handle)?.finish(result)
      }
      if !active.isEmpty || !commands.isEmpty { lastWork = clock.now }
      if active.isEmpty, mayEnd(lastWork.duration(to: clock.now) >= linger) { break }
      // libcurl shortens this to its own next deadline, and a command ends it.
      let wait = active.isEmpty ? max(.zero, linger - lastWork.duration(to: clock.now)) : .seconds(60)
      var ready: Int32 = 0
      curl_multi_poll(pointer, nil, 0, Int32(clamping: Int(wait / .milliseconds(1)) + 1), &ready)
    }
    curl_multi_cleanup(pointer)
    lunara_curl_release_memory()
  }

  private func perform(
    _ command: Command, _ pointer: UnsafeMutableRawPointer, _ active: inout [UnsafeMutableRawPointer: Transfer]
  ) {
    switch command {
    case .start(let transfer):
      guard !transfer.isCancelled.load(ordering: .acquiring) else { return transfer.abort() }
      guard let handle = transfer.begin() else { return transfer.finish(CURLE_OUT_OF_MEMORY) }
      guard curl_multi_add_handle(pointer, handle) == CURLM_OK else { return transfer.finish(CURLE_FAILED_INIT) }
      active[handle] = transfer
    case .cancel(let transfer):
      // A transfer that has ended is not active any more.
      guard let handle = transfer.handle, active.removeValue(forKey: handle) != nil else { return }
      curl_multi_remove_handle(pointer, handle)
      transfer.abort()
    case .resume(let transfer):
      guard let handle = transfer.handle, active[handle] != nil else { return }
      curl_easy_pause(handle, CURLPAUSE_CONT)
    }
  }

  /// Returns true if no command came in meanwhile and the thread has to end; the next transfer starts another one.
  private func mayEnd(_ isIdle: Bool) -> Bool {
    state.withLock { state in
      guard state.commands.isEmpty, isIdle || state.isRetired else { return false }
      state.transfers = nil
      state.isRunning = false
      return true
    }
  }

  private func fail() {
    let commands = state.withLock { state in
      state.isRunning = false
      defer { state.commands = [] }
      return state.commands
    }
    for case .start(let transfer) in commands { transfer.finish(CURLE_OUT_OF_MEMORY) }
  }
}
