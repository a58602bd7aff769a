import CPlatform
import Glibc
import Model

/// Programs that are asked something.
extension Tool {
  /// Takes a program by its file; nil where it cannot be run.
  init?(file: String) {
    guard let slash = file.lastIndex(of: "/"), access(file, X_OK) == 0 else { return nil }
    self.init(String(file[file.index(after: slash)...]), environment: Environment(["PATH": String(file[..<slash])]))
  }

  /// What it says to a question within some seconds, on both its outputs, and its exit status; minus the signal that ended it.
  func answer(_ words: [String], _ environment: Environment) -> (status: Int32, output: String) {
    var variables = environment
    variables["LC_ALL"] = "C.UTF-8"
    do {
      let (output, nothing) = (try Descriptor.pipe(), try Descriptor.null())
      var pid: pid_t = 0
      let descriptors = [nothing.number, output.write.number, output.write.number]
      let error = CStrings.with([name] + words) { arguments in
        CStrings.with(variables.lines) {
          lunara_spawn(&pid, path, arguments, $0, descriptors, Int32(descriptors.count))
        }
      }
      guard error == 0 else { return (-1, String(cString: strerror(error))) }
      output.write.close()
      let ends = ContinuousClock.now + .seconds(10)
      var said: [UInt8] = []
      reading: while true {
        if .now > ends { kill(pid, SIGKILL) }
        var polled = pollfd(fd: output.read.number, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 200) > 0 else { continue }
        guard case .bytes(let bytes) = output.read.read() else { break reading }
        if said.count < 65_536 { said += bytes }
      }
      var ending: Int32 = 0
      _ = lunara_reap(pid, 1, &ending)
      var text = String(decoding: said, as: UTF8.self)
      while text.last?.isNewline == true { text.removeLast() }
      return (ending, text)
    } catch {
      return (-1, LunaraError(error).message)
    }
  }
}
