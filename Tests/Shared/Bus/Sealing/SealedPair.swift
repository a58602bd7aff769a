import Glibc
import Model
import TestSupport

@testable import Bus

/// Two nodes of one household and the frames between them.
struct SealedPair {
  static let kitchen = NodeID("playback@kitchen") ?? .web
  static let bedroom = NodeID("playback@bedroom") ?? .web

  let ring: KeyRing
  var sender: Sealer
  var reader: Sealer

  /// The kitchen, which the library has admitted.
  init(_ files: KeyFiles = KeyFiles()) throws {
    ring = try files.ring(KeyFiles.first)
    sender = Sealer(ring: ring, node: Self.kitchen, epoch: 7, nonce: .random())
    reader = Sealer(ring: ring, node: .library, epoch: 3, nonce: .random())
    reader.admit(sender.own, epoch: 7)
    sender.admit(reader.own, epoch: 3)
  }

  static let frame = Frame(topic: "playback.kitchen.state.", body: Array(#"{"id":"x"}"#.utf8))
  static let hello = Frame(topic: "library.main.hello.", body: Array(#"{"id":"h"}"#.utf8))

  /// The reason why the reader does not open a frame; nil where it opens.
  mutating func refusal(
    _ bytes: [UInt8], on channel: SealedChannel = .inbox, answering request: String? = nil
  ) -> Sealer.Refusal? {
    reader.refusal(bytes, on: channel, answering: request)
  }
}

extension Sealer {
  mutating func opened(
    _ bytes: [UInt8], on channel: SealedChannel = .inbox, answering request: String? = nil
  ) throws -> Opened {
    try bytes.withUnsafeBytes { bytes in
      do throws(Refusal) { return try attempt(bytes, on: channel, answering: request) } catch { throw error.error }
    }
  }

  mutating func refusal(
    _ bytes: [UInt8], on channel: SealedChannel = .inbox, answering request: String? = nil
  ) -> Refusal? {
    bytes.withUnsafeBytes { bytes in
      do throws(Refusal) {
        _ = try attempt(bytes, on: channel, answering: request)
        return nil
      } catch {
        return error
      }
    }
  }
}

/// Key files in a temporary folder.
struct KeyFiles {
  static let first = "lunara-key-1 " + String(repeating: "01", count: 32)
  static let second = "lunara-key-1 " + String(repeating: "a5", count: 32)
  static let third = "lunara-key-1 " + String(repeating: "Ff", count: 32)

  let folder = TemporaryDirectory()
  var path: String { "\(folder.path)/household.key" }

  func write(_ lines: String..., mode: mode_t = 0o600) {
    unlink(path)
    let text = lines.joined(separator: "\n") + "\n"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = Glibc.write(descriptor, text, text.utf8.count)
    fchmod(descriptor, mode)
    close(descriptor)
  }

  /// Returns a ring with the keys of these lines.
  func ring(_ lines: String...) throws -> KeyRing {
    write(lines.joined(separator: "\n"))
    return try KeyRing(file: path)
  }
}

/// Returns the code of the error that a closure throws.
func code<T>(_ body: () throws -> T) -> String? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? LunaraError)?.code
  }
}
