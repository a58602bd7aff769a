import CPlatform
import Glibc
public import Model
public import System

/// A program of others that a person named, such as yt-dlp, run so that it reaches little: it reads the files of the
/// system and its own and writes none, and it may use the network. It has no environment, and makes only the system
/// calls that an interpreter with threads and connections needs: it opens no local socket, changes no mode or owner of
/// a file, starts nothing beside itself, and signals nobody (Landlock and a filter of system calls).
///
/// It may become another program, as `env` becomes the interpreter of a script, under the same limits.
public struct ConfinedProgram: Sendable {
  /// The bounds of a run.
  public struct Limits: Sendable {
    /// The time after which it is killed.
    public var time = Milliseconds(15_000)
    /// The most bytes that it may write to its standard output.
    public var output = 8 << 20
    /// The most bytes of its data in memory.
    public var memory: UInt64 = 1 << 30

    public init() {}
  }

  /// The end of a run.
  public enum Ending: Hashable, Sendable {
    /// It ended by itself with the status, or minus the number of a signal.
    case ended(Int32)
    /// It was killed, as its time was over.
    case tooSlow
    /// It was killed, as it wrote too much.
    case tooMuch
  }

  /// The result of a run.
  public struct Answer: Sendable {
    /// The end of the run.
    public var ending: Ending
    /// The bytes of its standard output.
    public var output: [UInt8]
    /// The beginning of its standard error.
    public var errors: String
  }

  /// The files and folders of the system that programs need to run, to find servers and to check their certificates.
  private static let system = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ca-certificates",
    "/etc/gai.conf", "/etc/host.conf", "/etc/hosts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/localtime", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/pki", "/etc/protocols", "/etc/python3",
    "/etc/resolv.conf", "/etc/services", "/etc/ssl", "/run/systemd/resolve", "/run/resolvconf",
    "/run/NetworkManager/resolv.conf", "/dev/urandom", "/dev/random", "/dev/zero",
  ]
  private static let errorLimit = 16 << 10

  /// The path of the program.
  public let path: String
  private let limits: Limits

  public init(_ path: String, limits: Limits = Limits()) {
    self.path = path
    self.limits = limits
  }

  /// True if the kernel can confine programs in this way.
  public static var isPossible: Bool { lunara_landlock_version() > 0 }

  /// Runs the program to its end. Blocks the thread, with which it ends.
  ///
  /// - Throws: the error of the start; `Errno.notImplemented` where the kernel has no Landlock.
  public func run(_ arguments: [String]) throws(Errno) -> Answer {
    let filter = try Self.filter()
    let (output, theirOutput) = try Descriptor.pipe()
    let (errors, theirErrors) = try Descriptor.pipe()
    let nothing = try Descriptor.null()
    var pid: pid_t = 0
    let numbers = [nothing.number, theirOutput.number, theirErrors.number]
    let environment = Environment(["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"])
    let seconds = Int32(clamping: limits.time.rawValue / 1000 + 1)
    let error = CStrings.with([path] + arguments) { arguments in
      CStrings.with(environment.lines) { environment in
        CStrings.with(Self.system + ownFiles) { readable in
          lunara_spawn_reader(
            &pid, path, arguments, environment, numbers, 3, readable, filter, UInt32(filter.count), limits.memory,
            seconds)
        }
      }
    }
    theirOutput.close()
    theirErrors.close()
    guard error == 0 else { throw Errno(error) }
    return read(output, errors, of: pid)
  }

  /// The files that belong to the program: itself, what its name stands for, and the libraries and interpreter of an
  /// environment of Python in whose folder `bin` it lies.
  private var ownFiles: [String] {
    let real: String
    do throws(Errno) { real = try Files.resolved(path) } catch { return [path] }
    let folder = Files.folder(of: real)
    guard Files.name(of: folder) == "bin", folder != "/bin" else { return [path, real] }
    let above = Files.folder(of: folder)
    return [path, real] + ["\(above)/lib", "\(above)/lib64", "\(above)/pyvenv.cfg"]
      + ["python", "python3"].map { "\(folder)/\($0)" }
  }

  private func read(_ output: Descriptor, _ errors: Descriptor, of pid: pid_t) -> Answer {
    output.setNonBlocking()
    errors.setNonBlocking()
    let end = MonotonicClock.milliseconds() + limits.time
    var (bytes, words): ([UInt8], [UInt8]) = ([], [])
    var (isOpen, ending) = ((output: true, errors: true), nil as Ending?)
    while isOpen.output || isOpen.errors, ending == nil {
      let left = end - MonotonicClock.milliseconds()
      guard left > .zero else {
        ending = .tooSlow
        break
      }
      var polled = [
        pollfd(fd: isOpen.output ? output.number : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.errors ? errors.number : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, Int32(clamping: left.rawValue)) > 0 else { continue }
      if polled[0].revents != 0 { isOpen.output = Self.append(from: output, to: &bytes) }
      if polled[1].revents != 0 { isOpen.errors = Self.append(from: errors, to: &words) }
      if bytes.count > limits.output { ending = .tooMuch }
      words = Array(words.prefix(Self.errorLimit))
    }
    // Its group is its own, and it starts no other process.
    kill(-pid, SIGKILL)
    var status: Int32 = 0
    _ = lunara_reap(pid, 1, &status)
    return Answer(
      ending: ending ?? .ended(status), output: bytes,
      errors: String(decoding: words, as: UTF8.self))
  }

  /// Reads what is there. Returns false at the end.
  private static func append(from descriptor: Descriptor, to bytes: inout [UInt8]) -> Bool {
    switch descriptor.read(upTo: 1 << 16) {
    case .nothingYet: return true
    case .end: return false
    case .bytes(let more):
      bytes += more
      return true
    }
  }
}
