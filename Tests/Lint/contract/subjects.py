"""The pages of docs/protocol: their titles, what a reader needs before the messages, and the sources that they describe."""

PAGES: dict[str, tuple[str, str, list[str]]] = {
    "albums": ("Albums and the catalogue", "", ["Library", "Library+Albums", "Library+AlbumFeatures"]),
    "artists": ("Artists, tracks and search", "", ["Library+Catalogue"]),
    "browsing": ("Tags, works, folders and lyrics", "", [
        "Library+Tags", "Library+Browsing", "Library+FileTags", "Library+Lyrics", "Library+Collections"]),
    "playing": ("Tracks to play, and where their audio is", "The node of the kind `media.endpoint` exists only in households that "
                "have rooms or pages on other machines. It serves them over HTTP.", ["Library+Playing", "Media"]),
    "opinions": ("Ratings, opinions and themes", "", ["Library+Ratings", "Library+Opinions", "Library+Themes"]),
    "history": ("History, statistics and rediscovery", "", [
        "Library+History", "Library+Statistics", "Library+Imports", "Library+Rediscovery"]),
    "playlists": ("Playlists", "", ["Library+Playlists", "Library+PlaylistEdits", "Library+PlaylistCovers", "Library+PlaylistFiles"]),
    "providers": ("Playlists and wishes kept in step", "", ["Library+Providers", "Library+SyncReports"]),
    "provider-calls": ("Calls of providers", "This node exists only in households that link providers of lists, on the machine of "
                       "the library. It answers the library alone: other nodes get `library.providersForLibraryOnly`.",
                       ["Providers", "ProviderPacing", "RemoteItem", "RemoteList"]),
    "sources": ("Sources of music, and problems with files", "", ["Library+Sources", "Library+Problems", "Descriptors"]),
    "garden": ("Notes and marks", "People write them about albums, tracks and artists ([garden.md](../garden.md)).", [
        "Library+Notes", "Library+Marks"]),
    "todos": ("Todos, and files of notes, marks and todos", "", ["Library+Todos", "Library+Garden"]),
    "rooms": ("Rooms: state, queue and transport", "There is one node for each room, and its name is the room's.", [
        "Playback", "Playback+Requests", "Playback+History"]),
    "outputs": ("Rooms: outputs, moves and kept albums", "There is one node for each room, and its name is the room's.", [
        "Playback+Modes", "Playback+Output", "Playback+Moves", "Playback+Offline"]),
    "router": ("The router", "", ["Router"]),
    "plugins": ("Plugins", "This node exists only in households that use plugins. All names and descriptions of plugins are "
                "strangers' texts.", ["Resolver", "Resolver+Plugins", "Resolver+Consents", "Resolver+Updates"]),
    "plugin-services": ("Plugins: accounts, sharing and conversations", "", ["Resolver+Accounts", "Resolver+Sharing", "Resolver+Chat"]),
    "finding": ("Plugins: sources of music and concerts", "", ["Resolver+Sources", "Resolver+Shown", "Resolver+Concerts"]),
    "discovery": ("Discovery: walls, feeds and genres", "This node exists only in households that show walls. Its texts are those of "
                  "tags, and so strangers' texts.", ["Discovery", "Discovery+Walls", "Discovery+Genres", "Discovery+Similar"]),
    "outside": ("Discovery: sources outside, articles and reviews", "", [
        "Discovery+Sources", "Discovery+Articles", "Discovery+Reviews"]),
    "scrobble": ("Scrobbling", "", ["Scrobble", "Scrobble+Delivery", "Scrobble+Reading"]),
    "accounts": ("Scrobbling: services and accounts", "", ["Scrobble+Accounts"]),
    "music": ("Values: albums, tracks and other music", "", [
        "Album", "Artist", "Track", "TrackFacts", "Credits", "Editions", "Lists", "DescribedTrack", "AudioProperties",
        "AudioSegment", "Levels"]),
    "values": ("Values: errors, positions and queue items", "", ["LunaraError", "PlaybackState"]),
}
