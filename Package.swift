// swift-tools-version: 6.2
import PackageDescription

// Every target is compiled with the same settings: Swift 6 mode, warnings are errors, imports are explicit and
// internal.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

// All services share the Swift runtime. An installed program looks for it in ../lib/lunara first.
let shared: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "-rpath=$ORIGIN/../lib/lunara", "-Xlinker", "--as-needed"])
]

func module(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: strict)
}

// Every command starts `lunara`: with the runtime linked statically a start takes 3 ms instead of 5. In debug builds,
// such as those of tests, it shares the runtime.
let contained: [LinkerSetting] =
  [
    .unsafeFlags(
      [
        "-static-stdlib", "-Xlinker", "-l_FoundationCShims", "-Xlinker", "-l_FoundationCollections", "-Xlinker",
        "--gc-sections",
      ], .when(configuration: .release))
  ] + shared

/// Returns the executable target of a service; its tests import it with `@testable`.
func service(
  _ name: String, _ folder: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  linked: [LinkerSetting] = shared
) -> Target {
  .executableTarget(
    name: name, dependencies: ["Model", "Messages", "System", "Bus", "ServiceKit"] + dependencies,
    path: "Services/\(folder)", exclude: exclude, swiftSettings: strict, linkerSettings: linked)
}

/// Returns the target of a module of the library; its declarations for other modules are `package`.
func part(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(
    name: name, dependencies: ["Model", "Messages"] + dependencies, path: "Services/Library/\(name)", exclude: exclude,
    swiftSettings: strict)
}

/// Returns the executable target of a confined program that a service starts.
func worker(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: ["Model", "Messages", "System", "Confinement"] + dependencies,
    path: "Services/\(folder)", swiftSettings: strict, linkerSettings: shared)
}

func tests(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(folder)", swiftSettings: strict)
}

// The simulation uses internals of the bus. In a debug build it is a test target; LUNARA_SIMULATION makes it a program
// instead, for an optimised build with -enable-testing.
let simulation: Target =
  Context.environment["LUNARA_SIMULATION"] == nil
  ? .testTarget(
    name: "SimulationTests", dependencies: ["Bus", "Messages", "Model"], path: "Tests/Simulation",
    exclude: ["Program", "Bugs", "plant"], sources: ["World", "Tests"], swiftSettings: strict)
  : .executableTarget(
    name: "lunara-simulate", dependencies: ["Bus", "Messages", "Model"], path: "Tests/Simulation",
    exclude: ["Tests", "Bugs", "plant"], sources: ["World", "Program"], swiftSettings: strict)

// The fuzz entries use internals of the bus as well. In a debug build they are a test target; LUNARA_FUZZ makes one of
// their programs instead: `bytes` and `tags` are those for libFuzzer, of messages and of music files, `flood` the one that
// sends frames to a node, `values` the one that interprets random values of tags.
let fuzz: Target = {
  let needs: [Target.Dependency] = [
    "Bus", "ListFiles", "Messages", "Model", "MusicTags", "Storage", "ServiceKit", "TestSupport",
  ]
  func others(than sources: [String]) -> [String] {
    [
      "Entries", "LibFuzzer", "TagReader", "Flood", "FloodProgram", "Values", "ValuesProgram", "Tests", "Regressions",
      "fuzz",
    ].filter { !sources.contains($0) }
  }
  func program(
    _ name: String, _ sources: [String], _ settings: [SwiftSetting] = [], needs: [Target.Dependency] = needs
  ) -> Target {
    .executableTarget(
      name: name, dependencies: needs, path: "Tests/Fuzz", exclude: others(than: sources), sources: sources,
      swiftSettings: strict + settings)
  }
  switch Context.environment["LUNARA_FUZZ"] {
  case "bytes": return program("lunara-fuzz", ["Entries", "LibFuzzer"], [.unsafeFlags(["-parse-as-library"])])
  case "tags":
    return program(
      "lunara-fuzz-tags", ["TagReader"], [.unsafeFlags(["-parse-as-library"])],
      needs: ["AudioDigests", "CPlatform", "CTagLib", "System"])
  case "flood": return program("lunara-flood", ["Entries", "Flood", "FloodProgram"])
  case "values": return program("lunara-fuzz-values", ["Values", "ValuesProgram"])
  default:
    let sources = ["Entries", "Flood", "Values", "Tests"]
    return .testTarget(
      name: "FuzzTests", dependencies: needs, path: "Tests/Fuzz", exclude: others(than: sources), sources: sources,
      swiftSettings: strict)
  }
}()

let package = Package(
  name: "lunara",
  products: [
    .executable(name: "lunara", targets: ["lunara"]),
    .executable(name: "lunara-library", targets: ["lunara-library"]),
    .executable(name: "lunara-media", targets: ["lunara-media"]),
    .executable(name: "lunara-tags", targets: ["lunara-tags"]),
    .executable(name: "lunara-formats", targets: ["lunara-formats"]),
    .executable(name: "lunara-artwork", targets: ["lunara-artwork"]),
    .executable(name: "lunara-plugin", targets: ["lunara-plugin"]),
    .executable(name: "lunara-playback", targets: ["lunara-playback"]),
    .executable(name: "lunara-scrobble", targets: ["lunara-scrobble"]),
    .executable(name: "lunara-nowplaying", targets: ["lunara-nowplaying"]),
    .executable(name: "lunara-router", targets: ["lunara-router"]),
    .executable(name: "lunara-resolver", targets: ["lunara-resolver"]),
    .executable(name: "lunara-discovery", targets: ["lunara-discovery"]),
    .executable(name: "lunara-providers", targets: ["lunara-providers"]),
    .executable(name: "lunara-mpd", targets: ["lunara-mpd"]),
    .executable(name: "lunara-web", targets: ["lunara-web"]),
  ],
  targets: [
    // The C libraries of the system, one target each.
    .systemLibrary(name: "CNanomsg", path: "Shared/C/Nanomsg"),
    .systemLibrary(name: "CSQLite", path: "Shared/C/SQLite"),
    .systemLibrary(name: "CSodium", path: "Shared/C/Sodium"),
    .systemLibrary(name: "CCrypto", path: "Shared/C/Crypto"),
    .systemLibrary(name: "CCurl", path: "Shared/C/Curl"),
    .systemLibrary(name: "CMicroHTTPD", path: "Shared/C/MicroHTTPD"),
    .systemLibrary(name: "CMPV", path: "Shared/C/MPV"),
    .systemLibrary(name: "CPulse", path: "Shared/C/Pulse"),
    .systemLibrary(name: "CSystemd", path: "Shared/C/Systemd"),
    .systemLibrary(name: "CUtf8proc", path: "Shared/C/Utf8proc"),
    .systemLibrary(name: "CExpat", path: "Shared/C/Expat"),
    .systemLibrary(name: "CZlib", path: "Shared/C/Zlib"),
    .systemLibrary(name: "CSeccomp", path: "Shared/C/Seccomp"),
    .systemLibrary(name: "CAVFormat", path: "Shared/C/AVFormat"),
    // Only pkg-config knows the folders of the headers of these.
    .systemLibrary(name: "CJavaScriptCore", path: "Shared/C/JavaScriptCore", pkgConfig: "javascriptcoregtk-4.1"),
    .systemLibrary(name: "CXML2", path: "Shared/C/XML2", pkgConfig: "libxml-2.0"),
    .systemLibrary(name: "CVips", path: "Shared/C/Vips", pkgConfig: "glib-2.0"),
    .target(
      name: "CTagLib", path: "Shared/C/TagLib",
      cxxSettings: [.unsafeFlags(["-isystem/usr/include/taglib", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("tag")]),
    .target(name: "CPlatform", path: "Shared/C/Platform", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    // Files that are compiled into programs.
    .target(
      name: "CEmbedded", path: "Shared/C/Embedded",
      cSettings: [.unsafeFlags(["-std=c23", "-Wall", "-Wextra", "-Werror"])]),

    // The modules, from the lowest layer up. A target may use only targets above it in this list.
    .target(name: "Model", path: "Shared/Model", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    module("Messages", in: "Shared", ["Model"]),
    module("Text", in: "Shared", ["CUtf8proc"]),
    module("Sync", in: "Shared", ["Model", "Messages", "Text"]),
    module("MusicTags", in: "Shared", ["Model", "Messages", "Text"]),
    .target(
      name: "System", dependencies: ["Model", "CPlatform"], path: "Shared/System",
      exclude: ["Digests", "Confinement"], swiftSettings: strict),
    // Digests and Confinement are apart from System, so that only programs that need them load libcrypto and
    // libseccomp.
    module("Digests", in: "Shared/System", ["Model", "CCrypto"]),
    module("Confinement", in: "Shared/System", ["Model", "System", "CSeccomp", "CPlatform"]),
    module("AudioDigests", in: "Shared", ["Model", "Messages", "MusicTags", "System", "CPlatform"]),
    module("Storage", in: "Shared", ["Model", "System", "CSQLite", "CPlatform"]),
    module("Bus", in: "Shared", ["Model", "Messages", "System", "Storage", "CNanomsg", "CPlatform", "CSodium"]),
    module("HTTP", in: "Shared", ["Model", "System", "CCurl", "CMicroHTTPD", "CZlib", "CPlatform"]),
    module(
      "ServiceKit", in: "Shared",
      ["Model", "Messages", "Text", "System", "Storage", "Bus", "CSystemd", "CPlatform"]),
    module("ListFiles", in: "Shared", ["Model", "Messages", "Text", "CExpat"]),
    module("OAuth", in: "Shared", ["Model", "Messages", "Digests", "HTTP"]),
    module("Plugins", in: "Shared", ["Model", "Messages", "Text"]),
    module("Client", in: "Shared", ["Model", "Messages", "ListFiles", "Text", "System", "Bus"]),

    // The library, from the lowest layer up: what sources hand in, the catalogue, the readers of sources, what people
    // say about music, and what the service gives out.
    part("Records", ["ListFiles", "MusicTags", "ServiceKit", "Storage", "System", "Text"]),
    part(
      "Catalogue",
      ["Records", "Bus", "Digests", "ListFiles", "MusicTags", "ServiceKit", "Storage", "System", "Text"],
      exclude: ["Store/schema.sql"]),
    part(
      "Sources",
      [
        "Catalogue", "Records", "Bus", "Digests", "HTTP", "MusicTags", "ServiceKit", "Storage", "System", "Text",
        "CPlatform",
      ]
    ),
    part(
      "People",
      [
        "Catalogue", "Records", "Bus", "HTTP", "ListFiles", "MusicTags", "ServiceKit", "Storage", "Sync", "System",
        "Text",
      ]),
    part(
      "Media", ["Sources", "Catalogue", "Records", "Bus", "HTTP", "MusicTags", "ServiceKit", "Storage", "System"]),
    part(
      "ProviderRuns",
      ["People", "Catalogue", "Records", "Bus", "ServiceKit", "Storage", "Sync", "System", "Text"]),
    service(
      "lunara-library", "Library/Service",
      ["Records", "Catalogue", "Sources", "People", "Media", "ProviderRuns", "Storage", "Sync", "HTTP", "MusicTags"]),
    // The library's worker processes, which read what strangers have made; they are no nodes on the bus.
    worker("lunara-tags", "Tags", ["AudioDigests", "MusicTags", "CTagLib", "CPlatform"]),
    worker("lunara-formats", "Formats", ["AudioDigests", "MusicTags", "CAVFormat", "CPlatform"]),
    worker("lunara-artwork", "Artwork", ["CVips"]),
    // A process a plugin: it links only what it uses, as each of them takes memory.
    .executableTarget(
      name: "lunara-plugin",
      dependencies: ["Model", "System", "Confinement", "CJavaScriptCore", "CXML2", "CPlatform"],
      path: "Services/Plugin", swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-Xlinker", "--gc-sections"], .when(configuration: .release))] + shared),
    service(
      "lunara-playback", "Playback",
      ["Storage", "HTTP", "Text", "Digests", "Confinement", "CMPV", "CPlatform", "CPulse"], exclude: ["schema.sql"]),
    service("lunara-scrobble", "Scrobble", ["Storage", "HTTP", "Text", "Digests", "CExpat"], exclude: ["schema.sql"]),
    service("lunara-nowplaying", "NowPlaying", ["CSystemd", "HTTP", "Text"]),
    service("lunara-media", "Media", ["HTTP"]),
    service("lunara-router", "Router", []),
    service(
      "lunara-resolver", "Resolver",
      ["Client", "Storage", "HTTP", "OAuth", "Plugins", "Text", "Digests", "Confinement", "CPlatform"],
      exclude: ["schema.sql"]),
    // The discovery service is a module, as its benchmark uses it too; the program only runs it.
    .target(
      name: "Discovery",
      dependencies: ["Model", "Messages", "System", "Bus", "ServiceKit", "Storage", "HTTP", "Text", "CEmbedded"],
      path: "Services/Discovery", exclude: ["Program", "schema.sql", "Taxonomy/taxonomy.json"], swiftSettings: strict),
    .executableTarget(
      name: "lunara-discovery", dependencies: ["Discovery"], path: "Services/Discovery/Program", swiftSettings: strict,
      linkerSettings: shared),
    .target(
      name: "Providers",
      dependencies: ["Model", "Messages", "Bus", "HTTP", "OAuth", "ServiceKit", "Sync", "Text"],
      path: "Services/Providers", exclude: ["Program"], swiftSettings: strict),
    .executableTarget(
      name: "lunara-providers", dependencies: ["Providers"], path: "Services/Providers/Program", swiftSettings: strict,
      linkerSettings: shared),
    .target(
      name: "Mpd",
      dependencies: [
        "Model", "Messages", "System", "Bus", "Client", "HTTP", "ServiceKit", "Text", "CPlatform",
      ],
      path: "Services/Mpd", exclude: ["Program", "README.md"], swiftSettings: strict),
    .executableTarget(
      name: "lunara-mpd", dependencies: ["Mpd"], path: "Services/Mpd/Program", swiftSettings: strict,
      linkerSettings: shared),
    // The page is not compiled into the program, which reads it from `share/lunara/web`, or from `Public` in a build
    // tree.
    service("lunara-web", "Web", ["Client", "HTTP", "ListFiles", "Text"], exclude: ["Public", "package.json"]),
    service(
      "lunara", "CLI",
      ["Client", "Confinement", "CEmbedded", "CPlatform", "CZlib", "ListFiles", "Plugins", "Storage", "Text"],
      linked: contained),

    // The code that the two programs below share.
    .target(name: "Programs", dependencies: ["Bus", "Model"], path: "Tests/Programs", swiftSettings: strict),

    // The benchmark that compares the bus with other brokers; `Tests/Bench/bus.py` runs it.
    .executableTarget(
      name: "lunara-bus-bench", dependencies: ["Model", "Messages", "System", "Storage", "Bus", "Programs"],
      path: "Tests/Bench/Bus", swiftSettings: strict,
      linkerSettings: shared),

    // The benchmark of searches; `Tests/Bench/library.py` runs it.
    .executableTarget(
      name: "lunara-search-bench",
      dependencies: ["Model", "Messages", "Bus", "Catalogue", "People", "Records", "Storage"],
      path: "Tests/Bench/Search", swiftSettings: strict, linkerSettings: shared),

    // The benchmark of walls, without the bus; `Tests/Bench/walls.py` runs it.
    .executableTarget(
      name: "lunara-wall-bench", dependencies: ["Discovery", "Model", "Messages", "System", "Storage", "Bus"],
      path: "Tests/Bench/Walls", swiftSettings: strict, linkerSettings: shared),

    // A node with a journal; `Tests/Chaos/kills.py` kills it and starts it again.
    .executableTarget(
      name: "lunara-chaos-node", dependencies: ["Model", "Messages", "Storage", "Bus", "Programs"],
      path: "Tests/Chaos/Node", swiftSettings: strict,
      linkerSettings: shared),

    // A program that confines itself and tries what that forbids, for the tests of Confinement.
    .executableTarget(
      name: "lunara-confined", dependencies: ["System", "Confinement", "CPlatform", "CSeccomp"], path: "Tests/Confined",
      swiftSettings: strict,
      linkerSettings: shared),

    .target(
      name: "TestSupport", dependencies: ["Model", "Messages", "MusicTags", "System", "Storage", "Bus", "ServiceKit"],
      path: "Tests/Support",
      exclude: [
        "Databases", "DiskFaults", "Music", "Servers", "TagLists", "flaky", "flaky.py", "tests", "together",
      ],
      swiftSettings: strict),
    .target(
      name: "CDiskFaults", path: "Tests/Support/DiskFaults",
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    tests("ModelTests", in: "Shared/Model", ["Model"]),
    tests("MessagesTests", in: "Shared/Messages", ["Messages", "Model"]),
    tests("StorageTests", in: "Shared/Storage", ["Storage", "System", "Model"]),
    tests("TextTests", in: "Shared/Text", ["Text"]),
    tests("SyncTests", in: "Shared/Sync", ["Sync", "Model"]),
    tests("MusicTagsTests", in: "Shared/MusicTags", ["MusicTags", "Messages", "Model"]),
    tests("BusTests", in: "Shared/Bus", ["Bus", "Messages", "Model", "Storage", "System"]),
    tests("SystemTests", in: "Shared/System", ["System", "Digests", "Model"]),
    tests("AudioDigestsTests", in: "Shared/AudioDigests", ["AudioDigests", "System"]),
    tests("ClientTests", in: "Shared/Client", ["Client", "Bus", "Messages", "Model"]),
    tests("ListFilesTests", in: "Shared/ListFiles", ["ListFiles", "Model"]),
    tests("OAuthTests", in: "Shared/OAuth", ["OAuth", "HTTP", "Messages", "Model"]),
    tests("PluginsTests", in: "Shared/Plugins", ["Plugins", "Messages", "Model"]),
    tests("HTTPTests", in: "Shared/HTTP", ["HTTP", "Model", "System"]),
    tests("ServiceKitTests", in: "Shared/ServiceKit", ["ServiceKit", "Bus", "Model", "System"]),
    tests(
      "LibraryTests", in: "Services/Library",
      [
        "lunara-library", "Records", "Catalogue", "Sources", "People", "Media", "ProviderRuns", "Providers", "Bus",
        "ListFiles", "Messages", "Model", "MusicTags", "OAuth", "Storage", "ServiceKit", "Sync", "HTTP", "System",
        "Text", "CDiskFaults",
      ]),
    tests(
      "MediaTests", in: "Services/Media",
      ["lunara-media", "Bus", "HTTP", "Messages", "Model", "ServiceKit", "System"]),
    tests("PluginTests", in: "Services/Plugin", ["lunara-plugin", "Model", "System"]),
    tests(
      "ResolverTests", in: "Services/Resolver",
      [
        "lunara-resolver", "Bus", "Confinement", "Digests", "HTTP", "Messages", "Model", "OAuth", "Plugins",
        "ServiceKit", "Storage",
        "System",
      ]),
    tests(
      "DiscoveryTests", in: "Services/Discovery",
      ["Discovery", "Bus", "HTTP", "Messages", "Model", "ServiceKit", "Storage", "System"]),
    tests("ArtworkTests", in: "Services/Artwork", ["lunara-artwork", "CVips", "Messages", "Model", "System"]),
    tests(
      "PlaybackTests", in: "Services/Playback",
      ["lunara-playback", "Bus", "HTTP", "Messages", "Model", "Storage", "System", "ServiceKit", "CPlatform"]),
    tests(
      "ScrobbleTests", in: "Services/Scrobble",
      ["lunara-scrobble", "Bus", "Messages", "Model", "Storage", "ServiceKit", "HTTP", "System"]),
    tests(
      "NowPlayingTests", in: "Services/NowPlaying",
      ["lunara-nowplaying", "Bus", "HTTP", "Messages", "Model", "ServiceKit", "System"]),
    // The tests of moving a queue need both sides: the router and the rooms.
    tests(
      "RouterTests", in: "Services/Router",
      ["lunara-router", "lunara-playback", "Bus", "Messages", "Model", "ServiceKit", "Storage", "System"]),
    tests(
      "MpdTests", in: "Services/Mpd",
      ["Mpd", "Bus", "Client", "CPlatform", "HTTP", "Messages", "Model", "ServiceKit", "System"]),
    tests(
      "WebTests", in: "Services/Web",
      ["lunara-web", "Client", "Bus", "Messages", "Model", "HTTP", "ServiceKit", "Storage", "System"]),
    tests(
      "CLITests", in: "Services/CLI",
      ["lunara", "Client", "Bus", "Messages", "Model", "ServiceKit", "Storage", "System"]),
    tests("HouseholdTests", in: "System", ["CPlatform", "HTTP", "Model", "ServiceKit", "System"]),
    simulation,
    fuzz,
  ],
  cxxLanguageStandard: .cxx17
)

// `swift build` takes one product or all targets. LUNARA_PROGRAMS leaves only the programs and their modules, so that one
// call builds all programs and none of the helpers of tests.
if Context.environment["LUNARA_PROGRAMS"] != nil {
  package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true }
}

// LUNARA_CHECK leaves only what decides without the outside world, and its tests: `make check` answers in a minute.
if Context.environment["LUNARA_CHECK"] != nil {
  let checked = ["Model", "Messages", "Text", "Sync", "Plugins", "Storage"].map { "\($0)Tests" } + ["SimulationTests"]
  let others = [
    "HTTP", "OAuth", "Client", "Digests", "Programs", "CTagLib", "AudioDigests", "Confinement", "ListFiles",
  ]
  package.products = []
  package.targets.removeAll { target in
    switch target.type {
    case .test: !checked.contains(target.name)
    case .executable: true
    default: others.contains(target.name) || target.path?.hasPrefix("Services/") == true
    }
  }
}
