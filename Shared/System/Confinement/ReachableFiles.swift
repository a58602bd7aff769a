import CPlatform
public import Model
public import System

/// The files that a process still reaches when it has confined itself by Landlock. Descriptors that it has, or is
/// given, stay usable.
public struct ReachableFiles: Sendable {
  /// Files and folders that are read.
  public var readable: [String]
  /// Files and devices that are read and written; in folders among them files are made and removed as well.
  public var writable: [String]
  /// The folders of local sockets, in which programs create sockets and remove files.
  public var meetings: [String]

  public init(readable: [String], writable: [String], meetings: [String] = []) {
    self.readable = readable
    self.writable = writable
    self.meetings = meetings
  }

  /// Confines this thread, and the threads and processes that it starts from then on, for good. Must be called while
  /// the process has one thread. Returns false if the kernel has no Landlock: nothing is confined then.
  ///
  /// - Throws: `internal.notConfined` if the kernel has Landlock but refuses these rules, and where other threads run,
  ///   which would not be confined.
  public func confine() throws(LunaraError) -> Bool {
    guard Self.isPossible else { return false }
    let error = CStrings.with(readable) { readable in
      CStrings.with(writable) { writable in
        CStrings.with(meetings) { lunara_confine_files(readable, writable, $0) }
      }
    }
    guard error == 0 else { throw Self.failure(Errno(error).text) }
    let threads: [String]
    do throws(Errno) { threads = try Files.names(in: "/proc/self/task") } catch { throw Self.failure(error.text) }
    guard threads.count == 1 else { throw Self.failure("\(threads.count) threads run already") }
    return true
  }

  /// True if the kernel can confine processes in this way.
  public static var isPossible: Bool { lunara_landlock_version() > 0 }

  private static func failure(_ cause: String) -> LunaraError {
    LunaraError(
      "internal.notConfined",
      "The kernel refuses the rules for files (Landlock), without which nothing is played. Allow the system calls landlock_create_ruleset, landlock_add_rule and landlock_restrict_self in the unit or container that Lunara runs in.",
      cause: cause)
  }
}

extension ReachableFiles {
  /// Returns the files of a player: libraries, the settings of the system and of sound servers, what the kernel tells,
  /// and sound devices. No file of the person is among them, as a track is an open descriptor.
  ///
  /// - Parameters:
  ///   - environment: the variables that name places of such files.
  ///   - recording: the file to which sound is written; nil for none.
  ///   - sharesMemory: true for a sound server whose programs share memory by files, such as JACK.
  ///   - settings: the folder of the system's settings; only tests give another one than `/etc`.
  public static func player(
    _ environment: Environment, recording: String? = nil, sharesMemory: Bool = false, settings: String = "/etc"
  ) -> ReachableFiles {
    let home = environment["HOME"].map { home in [environment["XDG_CONFIG_HOME"] ?? "\(home)/.config", home] } ?? []
    let own = home.first.map { config in ["alsa", "pipewire", "pulse"].map { "\(config)/\($0)" } } ?? []
    let older =
      home.last.map { home in [".asoundrc", ".pulse", ".pulse-cookie", ".cache/fontconfig"].map { "\(home)/\($0)" } }
      ?? []
    let runtime = environment["XDG_RUNTIME_DIR"].map { ["\($0)/pulse"] } ?? []
    let named = variables.flatMap { (environment[$0] ?? "").split(separator: ":").map(String.init) }
    // The files of these folders are often links to a folder of a person's settings.
    let linked = own.flatMap { folder in names(in: folder).map { "\(folder)/\($0)" } }
    // Not /etc as a whole: the household's key and settings lie in /etc/lunara, which the room's user reads, and which
    // may be made later.
    let etc = names(in: settings).filter { $0 != "lunara" }.map { "\(settings)/\($0)" }
    return ReachableFiles(
      readable: system + etc + own + older + linked + runtime + named.filter { $0.hasPrefix("/") },
      writable: ["/dev/snd", "/dev/dsp", "/dev/mixer"] + (recording.map { [$0] } ?? [])
        + (sharesMemory ? ["/dev/shm"] : []),
      // ALSA's mixer, which lets several programs share a card, has its socket there.
      meetings: ["/tmp"])
  }

  private static let system = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store", "/proc", "/sys",
    "/var/lib/alsa", "/var/lib/dbus", "/var/cache/fontconfig", "/run/systemd/resolve", "/run/resolvconf",
    "/run/NetworkManager", "/run/nscd",
    "/run/pulse", "/run/udev", "/dev/urandom", "/dev/random", "/dev/zero",
  ]

  /// Variables with paths of libraries, certificates and settings of sound servers.
  private static let variables = [
    "LD_LIBRARY_PATH", "ALSA_CONFIG_PATH", "ALSA_CONFIG_DIR", "ALSA_PLUGIN_DIR", "PIPEWIRE_CONFIG_DIR",
    "PIPEWIRE_MODULE_DIR", "SPA_PLUGIN_DIR", "SPA_DATA_DIR", "PULSE_CONFIG_PATH", "PULSE_CLIENTCONFIG", "PULSE_COOKIE",
    "PULSE_RUNTIME_PATH", "LADSPA_PATH", "LV2_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
  ]

  /// Returns the names in a folder; empty if there is none, as most people have no such settings.
  private static func names(in folder: String) -> [String] {
    do throws(Errno) { return try Files.names(in: folder) } catch { return [] }
  }
}
