import Testing

@testable import Bus

/// Metrics in the text format of Prometheus.
@Suite struct PrometheusTextTests {
  @Test func aNameHasOneLineOfHelpAndOneOfTypeHoweverManyProcessesHaveIt() {
    var text = PrometheusText()
    for role in ["library", "web"] {
      text.add(
        [
          Metric("lunara_a_total", "As.", .counter, labels: ["kind": "x"], value: 2),
          Metric("lunara_b", "Bs.", .gauge, value: 0.5),
        ], labels: ["role": role])
    }
    #expect(
      text.text == """
        # HELP lunara_a_total As.
        # TYPE lunara_a_total counter
        lunara_a_total{kind="x",role="library"} 2
        lunara_a_total{kind="x",role="web"} 2
        # HELP lunara_b Bs.
        # TYPE lunara_b gauge
        lunara_b{role="library"} 0.5
        lunara_b{role="web"} 0.5

        """)
  }

  @Test func lineBreaksAndQuotesAreEscaped() {
    var text = PrometheusText()
    text.add([Metric("lunara_a", "one\\two\n\"three\"", .gauge, labels: ["l": "a\"b\\c\nd"], value: 1)])
    #expect(text.text.contains("# HELP lunara_a one\\\\two\\n\"three\"\n"))
    #expect(text.text.hasSuffix("lunara_a{l=\"a\\\"b\\\\c\\nd\"} 1\n"))
  }

  @Test func invalidNamesAreLeftOut() {
    var text = PrometheusText()
    text.add([
      Metric("1a", "", .gauge, value: 1), Metric("a b", "", .gauge, value: 1), Metric("", "", .gauge, value: 1),
      Metric("a", "", .gauge, labels: ["b-c": "x", "d": "y"], value: 1),
    ])
    #expect(text.text == "# HELP a \n# TYPE a gauge\na{d=\"y\"} 1\n")
  }

  @Test func numbersThatAreNoneHaveTheirSpelling() {
    var text = PrometheusText()
    text.add([.nan, .infinity, -.infinity, 1e20].map { Metric("a", "", .gauge, value: $0) })
    #expect(text.text.hasSuffix("a NaN\na +Inf\na -Inf\na 1e+20\n"))
  }
}
