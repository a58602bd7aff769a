extension BusMetrics {
  /// The figures, each with its name and what it means.
  var metrics: [Metric] {
    var list: [Metric] = []
    func count(_ name: String, _ help: String, _ value: Int, _ labels: [String: String] = [:]) {
      list.append(Metric("lunara_bus_\(name)_total", help, .counter, labels: labels, value: Double(value)))
    }
    func gauge(_ name: String, _ help: String, _ value: Double, _ labels: [String: String] = [:]) {
      list.append(Metric("lunara_bus_\(name)", help, .gauge, labels: labels, value: value))
    }
    for (way, flows, what) in [("heard", counts.heard, "that came in"), ("said", counts.said, "sent")] {
      for (name, flow) in flows.all {
        count("\(way)_frames", "Frames \(what), by class.", flow.frames, ["class": name])
      }
      for (name, flow) in flows.all {
        count("\(way)_bytes", "Bytes of frames \(what), by class.", flow.bytes, ["class": name])
      }
    }
    count("bad_frames", "Frames that were none, or held no envelope.", counts.badFrames)
    count("refused_frames", "Sealed frames that were refused.", counts.refusedFrames)
    count("knocks_ignored", "Knocks of other machines that were too many to answer.", counts.knocksIgnored ?? 0)
    count("facts_published", "Facts sent.", counts.factsPublished)
    count("facts_applied", "Facts of others that were taken in.", counts.factsApplied)
    count("facts_fetched", "Facts of others that were fetched from a desk.", counts.factsFetched)
    count("fact_gaps", "Facts that did not come live.", counts.factGaps)
    count("fact_pages", "Pages of facts that were fetched.", counts.pages)
    count("requests_asked", "Questions asked.", counts.asked)
    count("requests_answered", "Questions answered, be it with an error.", counts.answered)
    count("requests_timed_out", "Questions given up without an answer.", counts.timedOut)
    count("requests_repeated", "Questions sent again.", counts.repeated)
    count("requests_handled", "Requests of others that were handled.", counts.handled)
    count("tap_drops", "Frames that taps dropped because their readers were too slow.", counts.tapDrops)
    count("connections", "Connections made to the inboxes of others, again included.", counts.connections)
    gauge("open_requests", "Questions that wait for an answer.", Double(openRequests))
    gauge("handling_requests", "Requests of others that are being handled.", Double(handling))
    gauge("lag_facts", "Facts of others that are yet to be read.", Double(lag))
    if let journalHead { gauge("journal_head", "The last number in the journal.", Double(journalHead)) }
    gauge("states_held", "States held, its own and those of others.", Double(statesHeld))
    gauge("peers", "Other nodes, by whether they are there.", Double(peers), ["standing": "here"])
    gauge("peers", "Other nodes, by whether they are there.", Double(peersAway), ["standing": "away"])
    return list
  }
}
