import Bus
import Client
import Messages
import Model

/// The plugins of the household, and the places of pages that show described tracks.
extension HouseholdState {
  func update(_ observed: [Observed<Resolver.PluginState>]) {
    let newest = observed.first { $0.node == .resolver }?.value
    guard newest != plugins else { return }
    plugins = newest
    markChanged(.plugins)
  }

  func update(_ observed: [Observed<Resolver.ShownTracksState>]) {
    guard let newest = observed.first(where: { $0.node == .resolver })?.value, newest != found else { return }
    found = newest
    markChanged(.found)
  }

  /// Remembers the place of a page, so that it is given up when the page is gone.
  func recordPlace(_ request: Resolver.ShowTracks) {
    let page = PageName.page(ofContext: request.context)
    guard followers.values.contains(where: { $0.page == page }) else { return }
    if request.tracks.isEmpty {
      shownPlaces[page]?.remove(request.context)
    } else {
      shownPlaces[page, default: []].insert(request.context)
    }
  }

  /// Gives up the places of a page that no connection has any more.
  func forgetPlaces(of follower: Follower?) {
    guard let page = follower?.page, !followers.values.contains(where: { $0.page == page }),
      let places = shownPlaces.removeValue(forKey: page), !places.isEmpty
    else { return }
    leftPlaces(places.sorted())
  }
}
