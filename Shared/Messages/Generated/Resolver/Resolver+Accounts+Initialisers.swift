// Generated from Resolver+Accounts.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Resolver.Account {
  public init(
    service: String, isSignedIn: Bool, name: String? = nil, since: Timestamp? = nil, clientID: String? = nil,
    needsSecret: Bool = false, hasSecret: Bool = false, redirect: String, page: String, problem: LunaraError? = nil,
    _: Void = ()
  ) {
    self.service = service
    self.isSignedIn = isSignedIn
    self.name = name
    self.since = since
    self.clientID = clientID
    self.needsSecret = needsSecret
    self.hasSecret = hasSecret
    self.redirect = redirect
    self.page = page
    self.problem = problem
  }
}

extension Resolver.BeginSignIn {
  public init(plugin: String, clientID: String? = nil, clientSecret: String? = nil, _: Void = ()) {
    self.plugin = plugin
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

extension Resolver.SignIn {
  public init(open: String, redirect: String, expiresAt: Timestamp, _: Void = ()) {
    self.open = open
    self.redirect = redirect
    self.expiresAt = expiresAt
  }
}

extension Resolver.FinishSignIn {
  public init(plugin: String, redirect: String, _: Void = ()) {
    self.plugin = plugin
    self.redirect = redirect
  }
}

extension Resolver.SignOut {
  public init(plugin: String, _: Void = ()) { self.plugin = plugin }
}

extension Resolver.Device {
  public init(id: String, name: String, kind: String, isActive: Bool, isRestricted: Bool, _: Void = ()) {
    self.id = id
    self.name = name
    self.kind = kind
    self.isActive = isActive
    self.isRestricted = isRestricted
  }
}

extension Resolver.ListDevices {
  public init(plugin: String, _: Void = ()) { self.plugin = plugin }
}

extension Resolver.DeviceList {
  public init(devices: [Resolver.Device], chosen: String?, _: Void = ()) {
    self.devices = devices
    self.chosen = chosen
  }
}

extension Resolver.PlayOnDevice {
  public init(plugin: String, described: [DescribedTrack], device: String? = nil, _: Void = ()) {
    self.plugin = plugin
    self.described = described
    self.device = device
  }
}

extension Resolver.DevicePlayback {
  public init(device: Resolver.Device, tracks: Int, missing: [DescribedTrack] = [], _: Void = ()) {
    self.device = device
    self.tracks = tracks
    self.missing = missing
  }
}
