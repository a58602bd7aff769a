import Glibc
import Messages
import Model
import System

/// The services of `lunara up` that end again and again, in a file beside the sockets, where `lunara doctor` reads
/// them.
struct FailingServices {
  /// A service that ends again and again.
  struct Service: Codable, Hashable {
    /// The name, as before its log lines.
    var name: String
    /// The end of its process, such as `ended with status 1`.
    var ending: String
    /// The last line that it wrote: one of its log.
    var line: String

    /// The last line without the time, or the message of a line of JSON.
    var message: String {
      if let message = JSONView(Array(line.utf8))?["message"]?.string { return message }
      return line
    }
  }

  private struct Record: Codable {
    var pid: Int32
    var services: [Service]
  }

  private let path: String

  init(run: String) { path = "\(run)/failing.json" }

  /// Writes the services to the file. If that fails, the doctor's findings lack them.
  func write(_ services: [Service]) {
    do { try Files.replace(path, with: MessageCoding.encode(Record(pid: getpid(), services: services))) } catch {
      remove()
    }
  }

  func remove() {
    do { try Files.removeFile(path) } catch {
      // Without the file there is nothing to remove.
    }
  }

  /// Returns the services that a running `lunara up` wrote down; none if the file is missing or its writer is gone.
  func read() -> [Service] {
    do {
      let record = try MessageCoding.decode(Record.self, from: Files.read(path))
      return kill(record.pid, 0) == 0 || errno == EPERM ? record.services : []
    } catch {
      return []
    }
  }
}
