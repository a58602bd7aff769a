import Bus
import Messages
import Model
import Storage

@testable import lunara_library

/// A library on a bus, and a node that asks it.
protocol LibraryOnBus {
  var database: Database { get }
  var library: Node { get }
  var asking: Node { get }
  var service: LibraryService { get }
}

extension LibraryOnBus {
  func ask<R: Request>(_ request: R) async throws -> R.Answer {
    try await asking.request(request, to: .library, within: .seconds(30))
  }

  /// Returns the first state that fits.
  func state(_ fits: @Sendable (Library.CatalogueState) -> Bool) async throws -> Library.CatalogueState {
    for await states in await asking.states(Library.CatalogueState.self) {
      if let state = states.first?.value, fits(state) { return state }
    }
    throw LunaraError("test.noState", "The states ended.")
  }

  func close() async {
    await service.stop()
    await asking.close()
    await library.close()
    await database.close()
  }
}
