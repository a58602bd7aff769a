import Messages
import Model
import Plugins

extension Resolver.ShownPlace {
  /// The kind by which the scheduler knows the place.
  var kind: ResolveScheduler.ContextKind {
    switch self {
    case .queue: .queue
    case .pool: .pool
    case .sidebar: .sidebar
    case .page, .unknown: .page
    }
  }
}

extension Resolver.ShownTrack {
  /// Reads what is known of a track out of its sources. Those that are another track, or were called the wrong song,
  /// are left out.
  init(_ track: DescribedTrack, _ list: Resolver.SourceList) {
    let badges = list.sources.filter { $0.rank != nil || $0.reason == "disabled" }.map { source in
      Resolver.Badge(
        plugin: source.plugin, color: source.color, confidence: source.confidence,
        isAvailable: source.rank != nil && source.kind == .stream)
    }
    let state: Resolver.ShownState = !badges.isEmpty ? .found : list.failures.isEmpty ? .nothing : .failed
    self.init(
      id: track.track.id, state: state,
      badges: badges.sorted {
        ($0.plugin.name.lowercased(), $0.plugin.id) < ($1.plugin.name.lowercased(), $1.plugin.id)
      })
  }
}
