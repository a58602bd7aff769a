import Bus
import CPulse
import Glibc
import Model
import Synchronization

/// A connection to the user's sound server, PulseAudio or PipeWire: reports its outputs and the one that the player
/// plays on. It has its own thread, on which libpulse waits, and which ends with the connection.
final class SoundServer: Sendable {
  /// The outputs, at first and whenever they may have changed; ends when the connection is lost or closed. Only one
  /// reader may read them.
  let states: AsyncStream<SoundServerState>

  private let continuation: AsyncStream<SoundServerState>.Continuation
  private let stop = StopFlag()

  /// Connects in the background; if there is no server, `states` ends without a value. `address` is the server's, in
  /// the form of PULSE_SERVER; nil for the user's own. `player` returns the id of the process that plays; nil for none.
  init(
    address: String? = nil, library: String = "libpulse.so.0", player: @escaping @Sendable () -> Int32? = { getpid() }
  ) {
    (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
    let thread = IOThread()
    guard thread.failure == nil else {
      continuation.finish()
      return
    }
    Task(executorPreference: thread) { [stop, continuation] in
      if let connection = SoundServerConnection(address, library, player, report: { continuation.yield($0) }) {
        connection.serve(until: stop)
      }
      continuation.finish()
      thread.stop()
    }
  }

  deinit { close() }

  var isClosed: Bool { stop.isSet }

  func close() { stop.set() }
}

/// A flag that tells a loop to end. Setting it wakes the loop.
final class StopFlag: Sendable {
  private let state = Mutex<(isSet: Bool, wake: (@Sendable () -> Void)?)>((false, nil))

  var isSet: Bool { state.withLock { $0.isSet } }

  func set() {
    state.withLock { state in
      state.isSet = true
      state.wake?()
    }
  }

  /// Sets the function that wakes the loop; nil when it must no longer be called.
  func onSet(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }
}

/// The connection. Used on one thread only; libpulse calls its functions on that thread, within `serve`.
private final class SoundServerConnection {
  private let functions: lunara_pulse
  private let loop: OpaquePointer
  private var context: OpaquePointer?
  private let player: () -> Int32?
  private let report: (SoundServerState) -> Void
  /// True if the server reported a change since the lists were requested.
  private var isStale = false
  /// The number of requested lists that are not complete.
  private var listing: Int32 = 0
  private var clients: Set<UInt32> = []
  private var outputs: [(index: UInt32, output: SoundServerState.Output)] = []
  private var inputs: [(client: UInt32, sink: UInt32)] = []

  init?(
    _ address: String?, _ library: String, _ player: @escaping () -> Int32?,
    report: @escaping (SoundServerState) -> Void
  ) {
    var functions = lunara_pulse()
    guard lunara_pulse_load(&functions, library) == nil, let loop = lunara_pulse_loop(&functions) else { return nil }
    self.functions = functions
    self.loop = loop
    self.player = player
    self.report = report
    context = lunara_pulse_connect(
      &functions, loop, "Lunara", address,
      { _, _, _, context in SoundServerConnection.of(context)?.isStale = true },
      Unmanaged.passUnretained(self).toOpaque())
  }

  // The context must be released before its loop.
  deinit {
    if let context { with { lunara_pulse_end($0, context) } }
    with { lunara_pulse_free($0, loop) }
  }

  func serve(until stop: StopFlag) {
    guard let context else { return }
    let functions = functions
    let number = UInt(bitPattern: loop)
    stop.onSet {
      withUnsafePointer(to: functions) { pulse in
        if let loop = OpaquePointer(bitPattern: number) { lunara_pulse_wake(pulse, loop) }
      }
    }
    defer { stop.onSet(nil) }
    var isSubscribed = false
    // A wake after `prepare` is not lost, so the flag is checked between `prepare` and `work`.
    while with({ lunara_pulse_prepare($0, loop) }) >= 0, !stop.isSet, with({ lunara_pulse_work($0, loop) }) >= 0 {
      let state = with { lunara_pulse_state($0, context) }
      if state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED { return }
      guard state == PA_CONTEXT_READY else { continue }
      if !isSubscribed {
        isSubscribed = with { lunara_pulse_subscribe($0, context) } != 0
        isStale = true
      }
      if isStale, listing == 0 { list(context) }
    }
  }

  private func list(_ context: OpaquePointer) {
    isStale = false
    clients = []
    outputs = []
    inputs = []
    let this = Unmanaged.passUnretained(self).toOpaque()
    listing = with { pulse in
      lunara_pulse_list(
        pulse, context,
        { _, info, _, this in SoundServerConnection.of(this)?.add(client: info) },
        { _, info, _, this in SoundServerConnection.of(this)?.add(sink: info) },
        { _, info, _, this in SoundServerConnection.of(this)?.add(input: info) }, this)
    }
  }

  private func add(client info: UnsafePointer<pa_client_info>?) {
    guard let info = info?.pointee else { return listed() }
    guard let player = player() else { return }
    if property(PA_PROP_APPLICATION_PROCESS_ID, of: info.proplist) == "\(player)" { clients.insert(info.index) }
  }

  private func add(input info: UnsafePointer<pa_sink_input_info>?) {
    guard let info = info?.pointee else { return listed() }
    inputs.append((info.client, info.sink))
  }

  private func add(sink info: UnsafePointer<pa_sink_info>?) {
    guard let info = info?.pointee else { return listed() }
    let name = info.name.map { String(cString: $0) } ?? ""
    // The name of a Bluetooth output changes with its profile; its address does not.
    let isRadio = property("device.api", of: info.proplist) == "bluez"
    let address = isRadio ? property("device.string", of: info.proplist) : nil
    let formFactor = property("device.form_factor", of: info.proplist)
    var output = SoundServerState.Output(
      identity: address ?? name, isHeadphones: ["headphone", "headset", "hands-free", "handset"].contains(formFactor))
    for index in 0..<Int(info.n_ports) {
      guard let port = info.ports?[index] else { continue }
      output.ports.append(SoundServerState.Port(port.pointee))
    }
    output.port = info.active_port.map { SoundServerState.Port($0.pointee) }
    outputs.append((info.index, output))
  }

  private func listed() {
    listing -= 1
    guard listing == 0 else { return }
    let sink = inputs.first { clients.contains($0.client) }?.sink
    report(SoundServerState(outputs: outputs.map(\.output), ours: outputs.first { $0.index == sink }?.output.identity))
  }

  private func property(_ key: String, of list: OpaquePointer?) -> String? {
    guard let list else { return nil }
    return with { lunara_pulse_property($0, list, key) }.map { String(cString: $0) }
  }

  private func with<T>(_ body: (UnsafePointer<lunara_pulse>) -> T) -> T { withUnsafePointer(to: functions, body) }

  private static func of(_ context: UnsafeMutableRawPointer?) -> SoundServerConnection? {
    context.map { Unmanaged<SoundServerConnection>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension SoundServerState.Port {
  /// Reads a port. Some servers do not report the type, but use it in the name.
  fileprivate init(_ port: pa_sink_port_info) {
    let name = port.name.map { String(cString: $0) } ?? ""
    let types = [
      PA_DEVICE_PORT_TYPE_HEADPHONES, PA_DEVICE_PORT_TYPE_HEADSET, PA_DEVICE_PORT_TYPE_HANDSET,
      PA_DEVICE_PORT_TYPE_EARPIECE,
    ]
    self.init(
      name: name, isHeadphones: types.contains { $0.rawValue == port.type } || name.contains("headphone"),
      isEmpty: port.available == PA_PORT_AVAILABLE_NO.rawValue)
  }
}
