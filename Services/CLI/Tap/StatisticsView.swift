import Client
import Messages
import Model

/// Formats the statistics of a tap as a table for people, or as JSON for programs.
struct StatisticsView {
  let statistics: TapStatistics
  let now: Milliseconds

  /// Returns the lines of a page that fits a terminal: a summary, a heading, and as many topics as fit.
  func lines(on screen: Screen, style: Style) -> [String] {
    let sorted = statistics.sorted
    let room = max(1, screen.rows - 3)
    let shown = sorted.count > room ? Array(sorted.prefix(room - 1)) : sorted
    let console = Console(isJSON: false, width: screen.columns, style: style) { _, _ in }
    var lines = [style.strong(Printable.fit(summary, screen.columns)), ""]
    lines += table(shown, isNarrow: screen.columns < 100).text(for: console).split(separator: "\n").map(String.init)
    if shown.count < sorted.count { lines.append(style.faint("… and \(sorted.count - shown.count) quieter topics")) }
    return Array(lines.prefix(screen.rows))
  }

  private var summary: String {
    let all = statistics.topics
    let rate = all.keys.reduce(0) { $0 + statistics.rate(of: $1, at: now) }
    let (gaps, drops) = all.values.reduce((Int64(0), 0)) { ($0.0 + $1.gaps, $0.1 + $1.drops) }
    return
      "\(all.count) topics   \(Self.short(rate)) a second   \(gaps) gaps   \(drops) dropped here   \((now - statistics.startedAt).text)"
  }

  private func table(_ topics: [(topic: String, figures: TapStatistics.Topic)], isNarrow: Bool) -> Table {
    var table = Table()
    table.add(
      .faint("topic"), .faint("class"), heading("count"), heading(isNarrow ? "/s" : "a second"), heading("gaps"),
      heading("lag"), heading("drops"), heading("p50 ms"), heading("p99 ms"))
    for (topic, figures) in topics {
      let times = figures.latencies.quantiles([0.5, 0.99])
      let off = figures.uncertainty > 0 ? " ±\(Self.short(figures.uncertainty))" : ""
      table.add(
        Table.Cell(topic, Self.look(figures.delivery)), Table.Cell(figures.delivery.rawValue),
        .number(figures.count), .number(Self.short(statistics.rate(of: topic, at: now))),
        Self.alarming(figures.gaps), Self.alarming(statistics.lag(figures)), Self.alarming(Int64(figures.drops)),
        .number(times.map { Self.short($0[0]) + off } ?? ""), .number(times.map { Self.short($0[1]) + off } ?? ""))
    }
    return table
  }

  var json: [JSON] {
    statistics.sorted.map { topic, figures in
      let times = figures.latencies.quantiles([0.5, 0.99])
      return .object([
        "topic": .text(topic), "class": .text(figures.delivery.rawValue), "count": .count(figures.count),
        "perSecond": .number((statistics.meanRate(of: topic, at: now) * 100).rounded() / 100),
        "bytes": .count(figures.bytes), "gaps": .count(figures.gaps), "lag": .count(statistics.lag(figures)),
        "drops": .count(figures.drops),
        "latencyMilliseconds": .object([
          "p50": times.map { .number($0[0]) } ?? .null, "p99": times.map { .number($0[1]) } ?? .null,
          "uncertainty": .number(figures.uncertainty),
        ]),
      ])
    }
  }

  private func heading(_ text: String) -> Table.Cell { Table.Cell(text, .faint, isRight: true) }

  private static func alarming(_ count: Int64?) -> Table.Cell {
    Table.Cell(count.map { "\($0)" } ?? "", (count ?? 0) > 0 ? .bad : .faint, isRight: true)
  }

  private static func look(_ delivery: Delivery) -> Style.Look {
    switch delivery {
    case .fact: .good
    case .state: .plain
    case .signal: .faint
    case .request: .notable
    }
  }

  /// Returns a number with at most two decimal places.
  static func short(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
