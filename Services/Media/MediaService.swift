import Bus
import HTTP
import Messages
import Model
import ServiceKit
import System

/// The service of the process `lunara-media`: gives other hosts the audio and pictures behind the library's addresses.
/// It reads no catalogue and asks nobody, so what plays elsewhere goes on while the library is away.
struct MediaService: Sendable {
  private let node: Node
  private let log: Log
  private let address: MediaAddress
  private let endpoint: MediaEndpoint
  private let streamMonitor: StreamMonitor
  private let formerPort: FormerPort

  /// The pause after which a port that could not be opened is tried again.
  private static let pause = Duration.seconds(5)

  /// - Parameter home: the service's home; the last port is kept in its folder `media`.
  init(node: Node, address: MediaAddress, home: String, http: HTTPClient, log: Log) {
    (self.node, self.log, self.address) = (node, log, address)
    let streamMonitor = StreamMonitor {
      do { return try await InhibitorLock.againstSleep(why: "A room of the household plays from here") } catch {
        log.warning(error)
        return nil
      }
    }
    self.streamMonitor = streamMonitor
    endpoint = MediaEndpoint(
      at: address, seal: MediaSeal(store: CredentialStore(home: home)), streamMonitor: streamMonitor,
      relay: MediaRelay(http: http), isPeer: { node.isPeerHost($0) })
    formerPort = FormerPort(path: "\(home)/media/port")
  }

  /// Opens the port and publishes it. If it cannot be opened, publishes why, and tries again until it can.
  ///
  /// - Returns: the task that tries; it ends once the port is open.
  func start() -> Task<Void, Never> {
    Task {
      var last: LunaraError?
      while !Task.isCancelled {
        do {
          let port = try open()
          return await node.publish(Media.Endpoint(port: port))
        } catch {
          let problem = LunaraError(error)
          if problem != last {
            log.warning(problem)
            await node.publish(Media.Endpoint(port: nil, problem: problem))
          }
          last = problem
        }
        do { try await Task.sleep(for: Self.pause) } catch { return }
      }
    }
  }

  /// Opens the port and returns it.
  ///
  /// - Throws: `library.mediaKeyNeeded`, and the errors of `MediaEndpoint.start`.
  private func open() throws -> UInt16 {
    guard node.keys != nil || address.isLoopback else {
      throw LunaraError(
        "library.mediaKeyNeeded",
        "Without the household's key no rooms are served at \(address.host): anyone on the network could listen. Make one with `lunara key new`, or set LUNARA_MEDIA to an address of this machine alone."
      )
    }
    let port = try endpoint.start(formerPort: formerPort.value)
    if !address.isChosen { formerPort.keep(port) }
    return port
  }

  func stop() async {
    await endpoint.stop()
    streamMonitor.stop()
  }
}

/// The port that the service had last, in a file: what plays elsewhere goes on after a restart only at the same port.
struct FormerPort: Sendable {
  let path: String

  var value: UInt16? { Files.text(of: path).flatMap { UInt16($0.prefix { $0 != "\n" }) } }

  /// Stores a port. A port that cannot be stored costs what plays elsewhere one more question to the library.
  func keep(_ port: UInt16) {
    guard port != value else { return }
    do throws(Errno) {
      try Files.makeFolder(Files.folder(of: path))
      try Files.replace(path, with: "\(port)\n")
    } catch {}
  }
}
