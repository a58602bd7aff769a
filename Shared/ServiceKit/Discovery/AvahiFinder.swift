public import Bus
public import Model
import Synchronization

/// Finds machines of the household by DNS-SD, through Avahi's daemon on the system bus, as `_lunara._tcp`.
///
/// One process of a machine announces it; the daemon refuses the name to the others, which wait for their turn. Machines
/// of other households are left alone, as their tags are others.
public final class AvahiFinder: SeedFinder {
  private let search = Mutex<AvahiSearch?>(nil)

  /// Makes a finder that does nothing yet.
  public init() {}

  /// Begins to search, where others can reach this machine: a node that nobody can reach has nothing to look for.
  public func start(
    _ announcement: Announcement, found: @escaping @Sendable ([String]) -> Void,
    report: @escaping @Sendable (LunaraError) -> Void
  ) {
    stop()
    guard announcement.isReachable else { return }
    let fresh = AvahiSearch(announcement, found: found, report: report)
    search.withLock { $0 = fresh }
    Task { await fresh.begin() }
  }

  /// Ends the search.
  public func stop() {
    let former = search.withLock { search in
      defer { search = nil }
      return search
    }
    if let former { Task { await former.end() } }
  }
}
