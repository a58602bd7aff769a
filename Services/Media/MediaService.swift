import Bus
import HTTP
import Messages
import Model
import ServiceKit
import System

/// The service of the process `lunara-media`: gives other hosts the audio and pictures behind the library's addresses.
/// It reads no catalogue and asks nobody, so what plays elsewhere continues while the library is away.
struct MediaService: Sendable {
  private let node: Node
  private let log: Log
  private let address: MediaAddress
  private let endpoint: MediaEndpoint
  private let streamMonitor: StreamMonitor
  private let formerPort: FormerPort

  private let pause: Duration

  /// - Parameters:
  ///   - home: the service's home; the last port is kept in its folder `media`.
  ///   - pause: the time after which a port that could not be opened is tried again.
  init(
    node: Node, address: MediaAddress, home: String, http: HTTPClient, log: Log, pause: Duration = .seconds(5)
  ) {
    self.node = node
    self.log = log
    self.address = address
    self.pause = pause
    let streamMonitor = StreamMonitor {
      do { return try await InhibitorLock.againstSleep(why: "A room of the household plays from here") } catch {
        log.warning(error)
        return nil
      }
    }
    self.streamMonitor = streamMonitor
    endpoint = MediaEndpoint(
      at: address, seal: MediaSeal(store: CredentialStore(home: home)), streamMonitor: streamMonitor,
      relay: MediaRelay(http: http), log: log, isPeer: { node.isPeerHost($0) })
    formerPort = FormerPort(path: "\(home)/media/port")
  }

  /// Opens the port and publishes it. If it cannot be opened, publishes why, and tries again until it can.
  ///
  /// - Returns: the task that does so; it ends when it is cancelled.
  func start() -> Task<Void, Never> {
    Task {
      var last: LunaraError?
      while !Task.isCancelled {
        do {
          let port = try open()
          await node.publish(Media.Endpoint(port: port))
          return await keep(port)
        } catch {
          let problem = LunaraError(error)
          if problem != last {
            log.warning(problem)
            await node.publish(Media.Endpoint(port: nil, problem: problem))
          }
          last = problem
        }
        do { try await Task.sleep(for: pause) } catch { return }
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
    return try endpoint.start(formerPort: formerPort.value)
  }

  /// Keeps the port for the next start, for as long as it is used: addresses are valid for a day after that.
  private func keep(_ port: UInt16) async {
    while !address.isChosen, !Task.isCancelled {
      do throws(Errno) { try formerPort.keep(port == address.port ? nil : port) } catch {
        log.warning(
          LunaraError(
            "settings.homeUnusable", "The port of addresses that were given cannot be stored.", cause: error))
      }
      do { try await Task.sleep(for: .seconds(3600)) } catch { return }
    }
  }

  func stop() async {
    await endpoint.stop()
    streamMonitor.stop()
  }
}

/// The port that the service had last where that was not the usual one, in a file: what plays elsewhere continues after
/// a restart only at the same port.
struct FormerPort: Sendable {
  let path: String

  /// The port; nil if addresses with it have expired, or if it was the usual one.
  var value: UInt16? {
    let now = Timestamp.now().microseconds * 1000
    guard let status = Files.status(path, followingLinks: false),
      now - status.modified < MediaLink.lifetime.rawValue * 1_000_000
    else { return nil }
    return Files.text(of: path).flatMap { UInt16($0.prefix { $0 != "\n" }) }
  }

  /// Stores a port, nil for the usual one. Throws the error of the file.
  func keep(_ port: UInt16?) throws(Errno) {
    guard let port else { return Files.exists(path) ? try Files.removeFile(path) : () }
    try Files.makeFolder(Files.folder(of: path))
    try Files.replace(path, with: "\(port)\n")
  }
}
