// Generated from Shared/Sync by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension LocalItem {
  public init(key: String, item: SyncItem, _: Void = ()) {
    self.key = key
    self.item = item
  }
}

extension ItemCapabilities {
  public init(canAdd: Bool = true, canRemove: Bool = true, _: Void = ()) {
    self.canAdd = canAdd
    self.canRemove = canRemove
  }
}

extension LocalListInfo {
  public init(id: String, title: String, isSelected: Bool = true, isChanged: Bool = false, _: Void = ()) {
    self.id = id
    self.title = title
    self.isSelected = isSelected
    self.isChanged = isChanged
  }
}

extension LocalEntry {
  public init(id: Int64, track: SyncTrack, _: Void = ()) {
    self.id = id
    self.track = track
  }
}

extension ListProgress {
  public init(
    native: String, snapshot: String? = nil, readAt: Timestamp? = nil, isChangedHere: Bool = false,
    isWaiting: Bool = false, _: Void = ()
  ) {
    self.native = native
    self.snapshot = snapshot
    self.readAt = readAt
    self.isChangedHere = isChangedHere
    self.isWaiting = isWaiting
  }
}

extension ProviderConnection {
  public init(provider: any ListProvider, pacing: @escaping @Sendable () async -> ProviderPacing, _: Void = ()) {
    self.provider = provider
    self.pacing = pacing
  }
}

extension SyncTrack {
  public init(native: String?, described: DescribedTrack, _: Void = ()) {
    self.native = native
    self.described = described
  }
}
