import Model

/// What is printed when the household is ready.
struct Welcome {
  /// What runs.
  let plan: UpPlan
  /// How the person called this program.
  let program: String

  /// The text: a line that begins with READY, then what to do next.
  func text(after elapsed: Milliseconds, _ style: Style) -> String {
    var lines = [style.strong("READY") + " in \(elapsed.rawValue) ms"]
    if plan.hasPage {
      lines.append(
        plan.web.hasSuffix(":0")
          ? "  the page's address is in the line of web above" : "  the page   \(style.good(browsable))")
    }
    if plan.needsRunHint { lines.append("  first      export LUNARA_RUN=\(plan.run)") }
    let title = plan.isDemo ? "\"\(DemoAlbum.all[0].title)\"" : "ALBUM"
    lines.append("  the shelf  \(program) albums")
    lines.append("  music      \(program) play \(title)")
    lines.append("  the bus    \(program) tap")
    if !plan.hasMusic {
      lines.append(
        "  No folder of music is set: \(program) sources add DIR; for a Plex server \(program) login plex; or start with --demo."
      )
    }
    return lines.joined(separator: "\n")
  }

  /// An address that a browser takes: everywhere means here as well.
  private var browsable: String {
    plan.page.replacing("//0.0.0.0:", with: "//127.0.0.1:").replacing("//[::]:", with: "//127.0.0.1:")
  }
}
