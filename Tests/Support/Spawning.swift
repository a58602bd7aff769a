import Glibc

/// Starts a child process in which no signal is blocked: a child inherits the signal mask of the thread that starts it,
/// and with SIGTERM blocked it could not be stopped.
///
/// - Parameter start: calls posix_spawn(3) or posix_spawnp(3) with the place for the id and the attributes.
/// - Returns: the id of the process, and 0 or an error number.
func spawned(
  _ start: (UnsafeMutablePointer<pid_t>, UnsafePointer<posix_spawnattr_t>) -> Int32
) -> (pid: pid_t, error: Int32) {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  var child: pid_t = 0
  let error = start(&child, &attributes)
  return (child, error)
}
