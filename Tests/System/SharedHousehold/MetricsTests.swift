import Testing

extension SystemTests.SharedHouseholdTests {
  /// The metrics, parsed by Prometheus' own client for Python.
  @Suite struct MetricsTests {
    /// Checks the format and prints the samples.
    private static let check = """
      import json, re, sys
      from prometheus_client.parser import text_string_to_metric_families
      text = open(sys.argv[1]).read()
      assert text.endswith("\\n")
      names = re.findall(r"^# TYPE (\\S+) (\\S+)$", text, re.M)
      assert len(names) == len(set(name for name, _ in names)), "a type twice"
      assert [name for name, _ in re.findall(r"^# HELP (\\S+) (.+)$", text, re.M)] == [name for name, _ in names]
      for name, kind in names:
          assert name.startswith("lunara_") and name.endswith("_total") == (kind == "counter"), name
      samples = [
          {"name": sample.name, "labels": sample.labels, "value": sample.value}
          for family in text_string_to_metric_families(text) for sample in family.samples]
      keys = [(sample["name"], tuple(sorted(sample["labels"].items()))) for sample in samples]
      assert len(keys) == len(set(keys)), "a sample twice"
      assert len(samples) == len([line for line in text.splitlines() if not line.startswith("#")])
      print(json.dumps(samples))
      """

    private func samples(of text: String, in household: Household) async throws -> [JSON] {
      let path = household.home + "/metrics.txt"
      try Folder.write(Array(text.utf8), to: path)
      // Debian's Python, which has the package; another one in PATH may not have it.
      let child = try ChildProcess(
        ["/usr/bin/python3", "-c", Self.check, path], environment: Programs.environment())
      let status = await child.ended()
      try #require(status == 0, "\(child.errors)\(text)")
      return try JSON(text: child.output).elements
    }

    @Test func everyProcessTellsItsFiguresInTheFormatOfPrometheus() async throws {
      let household = try await Household.atRest()
      let outcome = try await household.lunara(["status", "--metrics"])
      #expect(outcome.status == 0 && outcome.errors == "")
      let samples = try await samples(of: outcome.output, in: household)
      let roles = ["library", "nowplaying", "playback", "router", "scrobble", "web"]
      for name in ["lunara_process_resident_bytes", "lunara_process_threads", "lunara_process_open_descriptors"] {
        let found = samples.filter { $0.name.asString == name }
        #expect(found.compactMap(\.labels.role.asString).sorted() == roles)
        #expect(found.allSatisfy { ($0.value.asNumber ?? 0) > 0 }, "\(name)")
      }
      func value(_ name: String) -> Double? { samples.first { $0.name.asString == name }?.value.asNumber }
      #expect(value("lunara_library_tracks") == 6)
      #expect(value("lunara_playback_queue_length") != nil && value("lunara_scrobble_listens") != nil)
      #expect(samples.filter { $0.name.asString == "lunara_up" }.allSatisfy { $0.value.asNumber == 1 })
      let nodes = try await household.json("status", "--metrics").nodes.elements
      #expect(nodes.compactMap(\.role.asString).sorted() == roles)
      #expect(nodes.allSatisfy { $0.answered.asBool == true && $0.metrics.elements.count > 30 })
    }

    @Test func thePageServesItsOwn() async throws {
      let household = try await Household.atRest()
      let browser = Browser(port: household.web)
      #expect(try await browser.get("/healthz").status == 200)
      let answer = try await browser.get("/metrics")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
      let samples = try await samples(of: String(decoding: answer.body, as: UTF8.self), in: household)
      #expect(samples.allSatisfy { $0.labels.role.asString == "web" && $0.labels.name.asString == "main" })
      #expect(samples.contains { $0.name.asString == "lunara_web_requests_total" })
    }
  }
}
