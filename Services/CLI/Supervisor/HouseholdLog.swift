import Client
import Model

/// The log of a whole household: the lines of all services and the supervisor's own words, each with a name before it,
/// on standard error; what a person waits for on standard output.
final class HouseholdLog {
  private let output: Outlet
  private let errors: Outlet
  private let style: Style
  private let isJSON: Bool
  private let names: [Service]

  /// A log. With `isJSON` the lines are passed on as they are, and the supervisor's own are JSON as well.
  init(output: Outlet, errors: Outlet, style: Style, isJSON: Bool, names: [Service]) {
    self.output = output
    self.errors = errors
    self.style = style
    self.isJSON = isJSON
    self.names = names
  }

  /// What has to be written from time to time.
  var outlets: [Outlet] { [output, errors] }

  /// Prints for the person.
  func print(_ text: String) { output.add(Array(text.utf8)) }

  /// Adds lines of a service.
  func add(_ lines: [[UInt8]], of service: Service) {
    let hue = names.firstIndex(of: service) ?? names.count
    for line in lines { errors.add(isJSON ? line : Array(prefix(service.name, hue: hue).utf8) + line) }
  }

  /// Adds the supervisor's own words.
  func add(_ report: Report) { own(report.text, isWarning: report.isWarning, fields: [:]) }

  /// Adds an error of the supervisor.
  func add(_ error: LunaraError) {
    own(error.description, isWarning: true, fields: ["code": .text(error.code), "cause": .text(error.cause)])
  }

  /// Writes what is left, without waiting long for a reader that is held.
  func finish() {
    for outlet in outlets { outlet.finish(patience: 100) }
  }

  private func own(_ text: String, isWarning: Bool, fields: KeyValuePairs<String, JSON>) {
    if isJSON {
      // As the services' own lines.
      let line = JSON.object([
        "fields": .object(fields.map { JSON.Member(key: $0.key, value: $0.value) }),
        "level": .string(isWarning ? "warning" : "info"), "message": .text(text), "service": .string("up"),
        "time": .text(Timestamp.now()),
      ])
      errors.add(Array(line.description.utf8))
    } else {
      errors.add(Array((prefix("up", hue: nil) + (isWarning ? style.notable(text) : text)).utf8))
    }
  }

  private func prefix(_ name: String, hue: Int?) -> String {
    let width = names.map(\.name.count).max() ?? 0
    let padded = name + String(repeating: " ", count: max(0, width - name.count))
    return "\(hue.map { style.hue($0, padded) } ?? style.strong(padded)) \(style.faint("|")) "
  }
}
