public import Messages
import Model

// The shapes of the accounts of plugins, and of the devices on which they play.

extension Resolver.Account: JSONRepresentable {
  public var json: JSON {
    [
      "service": service, "isSignedIn": isSignedIn, "name": name, "since": since, "clientID": clientID,
      "needsSecret": needsSecret, "hasSecret": hasSecret, "redirect": redirect, "page": page, "problem": problem,
    ]
  }
}

extension Resolver.SignIn: JSONRepresentable {
  public var json: JSON { ["open": open, "redirect": redirect, "expiresAt": expiresAt] }
}

extension Resolver.Device: JSONRepresentable {
  public var json: JSON {
    ["id": id, "name": name, "kind": kind, "isActive": isActive, "isRestricted": isRestricted]
  }
}

extension Resolver.DeviceList: JSONRepresentable {
  public var json: JSON { ["devices": devices, "chosen": chosen.orNull] }
}

extension Resolver.DevicePlayback: JSONRepresentable {
  /// The device, the number of tracks that it plays, and those that were not found.
  public var json: JSON { ["device": device, "tracks": tracks, "missing": JSON.list(missing, \.shape)] }
}
