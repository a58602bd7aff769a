import Model
import ServiceKit

extension Prefetcher.Limits {
  /// As a person has set them; nil where nothing is to be fetched in advance.
  ///
  /// - Throws: `settings.badNumber`.
  init?(_ settings: Settings) throws {
    self.init()
    items = Int(min(100, try Self.number("LUNARA_PREFETCH", in: settings) ?? Int64(items)))
    space = min(1 << 30, try Self.number("LUNARA_CACHE", in: settings) ?? space)
    if items == 0 || space == 0 { return nil }
  }

  private static func number(_ name: String, in settings: Settings) throws -> Int64? {
    guard let text = settings[name] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw LunaraError("settings.badNumber", "\(name) is \(text). Write a whole number; 0 is for none.")
    }
    return number
  }
}
