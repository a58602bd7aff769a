// Generated from the schemas of openapi.json. Edit these, or the types that they follow, and run `make generate`.
/** An id as it is printed, `source:native`. */
export type ID = string;
export type RoomName = string;
/** A rating in stars and halves. */
export type Stars = number;
export interface Error {
  error: Fault;
}
export interface Fault {
  /** Stable, such as `library.unknownID`. */
  code: string;
  /** What went wrong and what to do, for people. */
  message: string;
  cause?: string;
}
export interface FailedLoves {
  /** How many there are in all. */
  count: number;
  items: {
    service: string;
    account: string;
    title: string;
    artist: string;
    /** Whether it is loved, as opposed to no longer. */
    isLoved: boolean;
    reason: string;
  }[];
}
export interface Done {
  done: true;
}
/** Colours of a cover as `#rrggbb`: two accents, and one dark enough for light text. */
export interface Palette {
  first: string;
  second: string;
  dark: string;
}
export interface Album {
  id: ID;
  title: string;
  artist: string;
  artistID?: ID;
  year?: number;
  genres: string[];
  trackCount: number;
  durationSeconds: number;
  addedAt: string;
  lastPlayedAt?: string;
  art?: ID;
  rating?: Stars;
  palette?: Palette;
  /** Of this edition: `1999`, `1999-05` or `1999-05-01`. */
  date?: string;
  /** Of the original release. */
  originalDate?: string;
  /** The words that distinguish this edition, such as `Deluxe Edition`. */
  edition?: string;
  /** As MusicBrainz names them: `album`, `ep`, `live` … */
  types?: ("album" | "ep" | "single" | "live" | "compilation" | "soundtrack" | "remix" | "demo" | "mixtape" | "dj-mix" | "interview" | "spokenword" | "audiobook" | "broadcast" | "other" | "unknown")[];
  /** Of all its tracks, such as `FLAC 24/96`. */
  quality?: string;
  /** Of its files; only where another album has the same artist, title and year. */
  folder?: string;
  /** How many albums its release group has. */
  editionCount?: number;
}
/** An album with the reason why it is shown. */
export interface ExplainedAlbum {
  id: ID;
  title: string;
  artist: string;
  artistID?: ID;
  year?: number;
  genres: string[];
  trackCount: number;
  durationSeconds: number;
  addedAt: string;
  lastPlayedAt?: string;
  art?: ID;
  rating?: Stars;
  palette?: Palette;
  /** Of this edition: `1999`, `1999-05` or `1999-05-01`. */
  date?: string;
  /** Of the original release. */
  originalDate?: string;
  /** The words that distinguish this edition, such as `Deluxe Edition`. */
  edition?: string;
  /** As MusicBrainz names them: `album`, `ep`, `live` … */
  types?: ("album" | "ep" | "single" | "live" | "compilation" | "soundtrack" | "remix" | "demo" | "mixtape" | "dj-mix" | "interview" | "spokenword" | "audiobook" | "broadcast" | "other" | "unknown")[];
  /** Of all its tracks, such as `FLAC 24/96`. */
  quality?: string;
  /** Of its files; only where another album has the same artist, title and year. */
  folder?: string;
  /** How many albums its release group has. */
  editionCount?: number;
  /** Why it is shown, as a sentence. */
  reason: string;
}
export interface PlayedAlbum {
  room: RoomName;
  tracks: number;
  queue: QueueSummary;
  album: ExplainedAlbum;
}
/** Albums that belong together for a person. */
export interface Theme {
  id: number;
  title: string;
  text?: string;
  /** As JSON in the form of `.nsp` files; absent if its albums are picked by hand. */
  rules?: string;
  look: ThemeLook;
  art?: ID;
  albumCount: number;
  /** The id by which it is played. */
  playable: string;
  revision: number;
}
export interface ThemeWithAlbums {
  id: number;
  title: string;
  text?: string;
  /** As JSON in the form of `.nsp` files; absent if its albums are picked by hand. */
  rules?: string;
  look: ThemeLook;
  art?: ID;
  albumCount: number;
  /** The id by which it is played. */
  playable: string;
  revision: number;
  albums: Album[];
  /** Picked albums that are not in the library, on the first page. */
  missing: string[];
  /** The cursor of the next page; absent on the last. */
  next?: string;
}
export interface Themes {
  items: Theme[];
}
export interface ThemeLook {
  /** The colour of accents. */
  first: string;
  /** The colour that the background takes on. */
  second: string;
  texture: "linen" | "wood" | "paper" | "velvet" | "plain" | "unknown";
}
export interface ThemeChange {
  title?: string;
  /** Empty for none. */
  text?: string;
  /** As JSON in the form of `.nsp` files; without them its albums are picked by hand. */
  rules?: string;
  look?: ThemeLook;
  cover?: ID;
  adding?: ID[];
  removing?: ID[];
  /** The one that the person saw; absent to change whatever is there. */
  revision?: number;
}
export interface RediscoveryDay {
  day: string;
  shelves: ({
    shelf: "chance" | "on-this-day" | "forgotten" | "half-heard" | "unheard" | "deep-artist" | "unknown";
    title: string;
    /** The rule by which albums come here, as a sentence. */
    reason: string;
    items: ExplainedAlbum[];
  })[];
}
export interface Track {
  id: ID;
  albumID?: ID;
  title: string;
  artist: string;
  albumArtist: string;
  album: string;
  disc: number;
  number?: number;
  /** The number as the tag writes it where it says more, such as `A1`. */
  numberText?: string;
  year?: number;
  genres: string[];
  durationSeconds: number;
  art?: ID;
  rating?: Stars;
  /** The names in `artist` one by one; absent for one. */
  artists?: ArtistName[];
  composer?: string;
  work?: Work;
  /** On the page of an album only: the values that were guessed from names; absent if none was. */
  guessed?: Guessed;
}
export interface Artist {
  id: ID;
  name: string;
  albumCount: number;
  art?: ID;
  /** The tracks that credit them otherwise than as the artist of the album. */
  trackCount?: number;
  roles?: Role[];
  aliases?: string[];
}
export interface Collection {
  id: ID;
  title: string;
  itemCount: number;
  isPinned: boolean;
  summary?: string;
  art?: ID;
}
export interface Playlist {
  id: ID;
  title: string;
  kind: "list" | "smart";
  /** The source that has it; `lunara` for one of the library itself. */
  source: string;
  trackCount: number;
  durationSeconds: number;
  editable: boolean;
  isSmart: boolean;
  art?: ID;
  summary?: string;
  /** A sentence about changes that wait for the server, or that were made on both sides. */
  note?: string;
  /** Grows with every change; absent where it cannot be edited. */
  revision?: number;
}
export interface AlbumPage {
  items: Album[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
  /** How many albums the whole list has; with `first` only. */
  total?: number;
  /** The place of `items[0]`; with `first` only. */
  first?: number;
  /** The catalogue's generation; two parts with the same one fit together. */
  generation?: number;
  /** The seed of the random order. */
  seed?: number;
}
export interface AlbumIndex {
  total: number;
  generation: number;
  marks: {
    /** A letter, a year, a month (`2025-11`) or stars (`4.5`); empty where there is none. */
    name: string;
    first: number;
    count: number;
  }[];
}
export interface ArtistPage {
  items: Artist[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface TrackPage {
  items: Track[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
  /** How many tracks the whole list has; with `first` only. */
  total?: number;
  /** The place of `items[0]`; with `first` only. */
  first?: number;
  /** The catalogue's generation; two parts with the same one fit together. */
  generation?: number;
  /** The seed of the random order. */
  seed?: number;
}
export interface CollectionPage {
  items: Collection[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface PlaylistPage {
  items: Playlist[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface PlayPage {
  items: Play[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface ScrobblePage {
  items: Scrobble[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
/** What a person did for a track. */
export type Role = "artist" | "albumArtist" | "composer" | "conductor" | "lyricist" | "remixer" | "performer" | "arranger" | "producer" | "engineer" | "mixer" | "djMixer" | "writer" | "director";
export type Tags = string[];
export interface Tag {
  kind: "genre" | "mood" | "style" | "year" | "decade" | "label" | "type" | "media" | "country" | "language" | "grouping" | "key" | "format" | "sampleRate" | "bitDepth" | "rating" | "source" | "folder" | "added" | "unplayed" | "artist" | "albumArtist" | "composer" | "conductor" | "lyricist" | "remixer" | "performer" | "work" | "unknown";
  name: string;
  /** True for what does not have the tag. */
  isExcluded?: boolean;
}
export interface ArtistName {
  name: string;
  id?: ID;
}
export interface Credit {
  role: Role;
  /** As the tag writes it. */
  name: string;
  artistID?: ID;
  instrument?: string;
}
export interface Work {
  title: string;
  composer?: ArtistName;
  movement?: string;
  number?: number;
  total?: number;
}
/** The release as its tags describe it. */
export interface AlbumFacts {
  labels: string[];
  catalogueNumbers: string[];
  country?: string;
  /** Such as `CD` or `12" Vinyl`. */
  media?: string;
  barcode?: string;
  /** Such as `official` or `bootleg`. */
  status?: string;
}
/** What else the tags say. What they do not say is absent. */
export interface TrackFacts {
  subtitle?: string;
  discTitle?: string;
  date?: string;
  originalDate?: string;
  beatsPerMinute?: number;
  key?: string;
  moods?: string[];
  styles?: string[];
  groupings?: string[];
  languages?: string[];
  comment?: string;
  isExplicit?: boolean;
  acoustID?: string;
}
export interface CreditPage {
  items: {
    id: ID;
    albumID: ID;
    title: string;
    artist: string;
    albumArtist: string;
    album: string;
    disc: number;
    number?: number;
    /** The number as the tag writes it where it says more, such as `A1`. */
    numberText?: string;
    year?: number;
    genres: string[];
    durationSeconds: number;
    art?: ID;
    rating?: Stars;
    /** The names in `artist` one by one; absent for one. */
    artists?: ArtistName[];
    composer?: string;
    work?: Work;
    credit: Credit;
  }[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface WorkPage {
  items: {
    id: ID;
    title: string;
    composer?: ArtistName;
    trackCount: number;
  }[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface WorkWithTracks {
  id: ID;
  title: string;
  composer?: ArtistName;
  trackCount: number;
  tracks: Track[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export type ProblemKind = "damaged" | "unreadable" | "untagged" | "encoding" | "cue" | "cover" | "folder" | "unused" | "ignored" | "source";
export interface ProblemPage {
  items: {
    kind: ProblemKind;
    source: string;
    path?: Path;
    code: string;
    /** The problem, and what to do. */
    message: string;
    cause?: string;
    track?: ID;
    /** The number of files and folders for which it stands; absent for one. */
    count?: number;
  }[];
  /** The numbers of all problems, whatever kind was asked for; of the kinds unused and ignored those of files and folders. */
  counts: {
    kind: ProblemKind;
    code: string;
    count: number;
  }[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface Folder {
  path?: Path;
  /** The folders in it that contain music at any depth. Each can be played by its id. */
  folders: {
    id: ID;
    name: string;
    path: Path;
  }[];
  /** Those of its own files; on the first page only. */
  albums: Album[];
  /** Those of its own files, by name. */
  tracks: {
    id: ID;
    albumID: ID;
    title: string;
    artist: string;
    albumArtist: string;
    album: string;
    disc: number;
    number?: number;
    /** The number as the tag writes it where it says more, such as `A1`. */
    numberText?: string;
    year?: number;
    genres: string[];
    durationSeconds: number;
    art?: ID;
    rating?: Stars;
    /** The names in `artist` one by one; absent for one. */
    artists?: ArtistName[];
    composer?: string;
    work?: Work;
    /** The name of the file. */
    file: string;
  }[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface TagPage {
  items: {
    name: string;
    albums: number;
    id?: ID;
  }[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface AlbumWithTracks {
  id: ID;
  title: string;
  artist: string;
  artistID?: ID;
  year?: number;
  genres: string[];
  trackCount: number;
  durationSeconds: number;
  addedAt: string;
  lastPlayedAt?: string;
  art?: ID;
  rating?: Stars;
  palette?: Palette;
  /** Of this edition: `1999`, `1999-05` or `1999-05-01`. */
  date?: string;
  /** Of the original release. */
  originalDate?: string;
  /** The words that distinguish this edition, such as `Deluxe Edition`. */
  edition?: string;
  /** As MusicBrainz names them: `album`, `ep`, `live` … */
  types?: ("album" | "ep" | "single" | "live" | "compilation" | "soundtrack" | "remix" | "demo" | "mixtape" | "dj-mix" | "interview" | "spokenword" | "audiobook" | "broadcast" | "other" | "unknown")[];
  /** Of all its tracks, such as `FLAC 24/96`. */
  quality?: string;
  /** Of its files; only where another album has the same artist, title and year. */
  folder?: string;
  /** How many albums its release group has. */
  editionCount?: number;
  moods: string[];
  styles: string[];
  facts?: AlbumFacts;
  /** The discs of which the tags say something, or that lack tracks. */
  discs: {
    disc: number;
    title?: string;
    media?: string;
    /** How many tracks it has by its tags. */
    total?: number;
    /** The numbers that are not there; empty if fewer than half are. */
    missing: number[];
    /** True if no track of the disc is there; else absent. */
    isAbsent?: boolean;
  }[];
  /** The other editions of its release group, oldest first. */
  editions: Album[];
  /** The formats of its best copies, the most frequent first; on the first page only. */
  sound?: {
    /** The codec or file extension in lower case. */
    format: string;
    isLossless: boolean;
    bitDepth?: number;
    /** In hertz. */
    sampleRate?: number;
    /** In kilobits a second, the mean of its tracks. */
    bitRate?: number;
    tracks: number;
  }[];
  /** On the first page only, as are `sources` and `lengthSeconds`. */
  plays?: number;
  /** The names of the sources that have it, at most 8. */
  sources?: string[];
  /** The time of all its tracks. */
  lengthSeconds?: number;
  /** The edition that stands for the group in lists; absent if there is only one. */
  listedEdition?: ID;
  /** Everybody who is credited on its tracks otherwise than as an artist, by role, at most 100; empty on further pages. */
  credits: {
    role: Role;
    /** As a tag writes it. */
    name: string;
    artistID?: ID;
    instrument?: string;
    /** On how many tracks. */
    tracks: number;
  }[];
  tracks: Track[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface ArtistWithAlbums {
  id: ID;
  name: string;
  albumCount: number;
  art?: ID;
  /** The tracks that credit them otherwise than as the artist of the album. */
  trackCount?: number;
  roles?: Role[];
  /** Other names under which they are credited. */
  aliases?: string[];
  /** What they did on single tracks and on albums of others. */
  appearances: {
    role: Role;
    albums: number;
    tracks: number;
  }[];
  summary?: string;
  genres: string[];
  moods: string[];
  styles: string[];
  albums: Album[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
/** The path of the file on the library's host; bytes that are not UTF-8 are replaced. Copies on servers have none. */
export type Path = string;
/** The properties of the audio of a copy. Those that are unknown are absent. */
export interface AudioProperties {
  /** In lower case, such as flac, mp3, aac or pcm. */
  codec?: string;
  /** The mean bit rate in kbit/s. */
  bitRate?: number;
  /** In Hz. */
  sampleRate?: number;
  /** The bits of a sample; of lossless audio only. */
  bitDepth?: number;
  channels?: number;
}
export interface Lyrics {
  /** The tags of the audio file, an LRC file beside it, or the server that has the track. */
  source: "tags" | "file" | "server" | "unknown";
  lines: {
    /** The seconds in the track at which the line begins; absent where it is not known. */
    startSeconds?: number;
    /** Empty for a pause, and between verses. */
    text: string;
  }[];
  /** As the source writes it, such as `eng`. */
  language?: string;
}
export interface TrackTags {
  /** The copy that was read. */
  id: ID;
  path: Path;
  /** In the order of the file; a name with several values comes several times. */
  tags: {
    /** The kind of tags, such as ID3v2.4, ID3v1, APE, Vorbis or MP4. */
    kind: string;
    /** As it stands in the file, such as TIT2 or COMM:Notes. */
    name: string;
    /** Of data that are no text a description, such as the type of a picture. */
    value: string;
    /** The bytes of the whole value, if it is cut at 4 KiB here or is no text; absent for a text that is whole. */
    length?: number;
  }[];
  /** The number of values that were left out, as all together are limited to 64 KiB; absent if none was. */
  omitted?: number;
}
/** The values that were guessed from the names of the file and its folders; absent if none was. */
export type Guessed = ("title" | "artist" | "album" | "year" | "disc" | "number" | "unknown")[];
export interface TrackWithCopies {
  id: ID;
  albumID: ID;
  title: string;
  artist: string;
  albumArtist: string;
  album: string;
  disc: number;
  number?: number;
  /** The number as the tag writes it where it says more, such as `A1`. */
  numberText?: string;
  year?: number;
  genres: string[];
  durationSeconds: number;
  art?: ID;
  rating?: Stars;
  /** The names in `artist` one by one; absent for one. */
  artists?: ArtistName[];
  composer?: string;
  work?: Work;
  credits: Credit[];
  facts?: TrackFacts;
  hasLyrics?: boolean;
  guessed?: Guessed;
  /** The ids of MusicBrainz, and the International Standard Recording Code. */
  ids?: {
    recording?: string;
    release?: string;
    releaseGroup?: string;
    /** Those of the track's own artists, in their order. */
    artists?: string[];
    isrc?: string;
  };
  /** The gains in dB to -18 LUFS, and the peaks, of which 1 is full scale. */
  levels?: {
    trackGain?: number;
    trackPeak?: number;
    albumGain?: number;
    albumPeak?: number;
  };
  copies: {
    id: ID;
    /** The ending of the file's name in lower case. */
    format?: string;
    isLossless: boolean;
    path?: Path;
    audio?: AudioProperties;
    /** The place in the file where the track begins, if a CUE sheet cuts the file. */
    startSeconds?: number;
    /** The place in the file where it ends; absent for the end of the file. */
    endSeconds?: number;
  }[];
  path?: Path;
  audio?: AudioProperties;
}
export interface CollectionWithItems {
  id: ID;
  title: string;
  itemCount: number;
  isPinned: boolean;
  summary?: string;
  art?: ID;
  albums: Album[];
  artists: Artist[];
  tracks: Track[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface DescribedTrack {
  title: string;
  artist?: string;
  album?: string;
  durationSeconds?: number;
  isrc?: string;
  /** The MusicBrainz id of the recording. */
  recordingID?: string;
  /** The https address of its cover. */
  cover?: string;
  choice?: ChosenSource;
}
export interface Provider {
  name: string;
  kind: string;
  title: string;
  account?: string;
  linked: boolean;
  isSource: boolean;
  health: string;
  lastRun: string | null;
  nextRun?: string;
  added: number;
  removed: number;
  held: number;
  parts: {
    part: string;
    way: string;
    ways: string[];
  }[];
  problem?: Fault;
}
export interface Plugins {
  plugins: Plugin[];
  unusable: {
    file: string;
    error: Record<string, unknown>;
  }[];
}
export interface Plugin {
  id?: string;
  name?: string;
  version?: string;
  enabled?: boolean;
  /** Its place, from 1; absent for one that is off or finds no music. */
  order?: number;
  hosts?: string[];
  capabilities?: string[];
  lastError?: Record<string, unknown>;
  failedAt?: string;
  author?: string;
  description?: string;
  icon?: string;
  color?: string;
  homepage?: string;
  findsMusic?: boolean;
  sha256?: string;
  functions?: string[];
  settings?: Record<string, unknown>[];
  /** What a person has to agree to before it runs; absent if nothing. `inheritable` lists the things of the former file that this one gets only where `allow` names their keys. */
  consent?: Record<string, unknown>;
  /** The address where newer versions are looked for. */
  origin?: string;
  newVersion?: string;
  formerVersion?: string;
  /** The account that it wants; absent for none. */
  account?: {
    service?: string;
    isSignedIn?: boolean;
    name?: string;
    since?: string;
    clientID?: string;
    needsSecret?: boolean;
    hasSecret?: boolean;
    redirect?: string;
    page?: string;
    problem?: Record<string, unknown>;
  };
  /** Addresses that it wanted to open; nothing was opened. */
  links?: string[];
  /** The servers that its settings name, which it asks only where a person has allowed that. */
  servers?: {
    setting?: string;
    address?: string;
    allowed?: boolean;
    /** True if the plugin proposes it and nobody has set another value. */
    proposed?: boolean;
  }[];
}
/** What a plugin may know about the household: what it can use, what people have allowed, and the listens that it received or has yet to receive. */
export interface PluginSharing {
  plugin?: string;
  name?: string;
  takesPlays?: boolean;
  hearsPlays?: boolean;
  takesHistory?: boolean;
  seesHistory?: boolean;
  waiting?: number;
  told?: number;
  /** The error for which listens wait. */
  problem?: Record<string, unknown>;
}
/** A conversation, or the part of it from `first` on. */
export interface Chat {
  conversation?: string;
  plugin?: string;
  name?: string;
  /** The plugin is asked, or uses a tool. */
  busy?: boolean;
  first?: number;
  messages?: ({
    role?: "person" | "plugin" | "action";
    text?: string;
    tool?: string;
    failed?: boolean;
  })[];
  /** The number of messages that there are. */
  count?: number;
  /** A question that waits for the person. */
  question?: {
    id?: string;
    text?: string;
  };
  /** The error with which the plugin failed last. */
  error?: Record<string, unknown>;
}
/** The source that a person chose for a described track: it comes before the library and all plugins. */
export interface ChosenSource {
  /** Its id; absent for any. */
  plugin?: string;
  /** Only the preview that a service offers. */
  preview?: boolean;
}
export interface OpinionBefore {
  /** The opinion before, with which the change is undone: like, dislike or null. */
  before: string | null;
}
export interface OpinionPage {
  items: AlbumOpinion[];
  next: string | null;
}
export interface AlbumOpinion {
  id: ID;
  title: string;
  artist: string;
  year: number | null;
  art?: ID;
  opinion: "like" | "dislike" | "unknown";
  at: string;
  /** False while the album is not in the library; missing else. */
  isHere?: boolean;
  /** The services that could not be told so far. */
  problems?: {
    service: string;
    error: Fault;
  }[];
}
export interface OpinionIDs {
  revision: number;
  isSame: boolean;
  likes: ID[];
  dislikes: ID[];
  next: string | null;
}
export interface OpinionSharing {
  services: {
    service: string;
    title: string;
    /** What it is told, in a sentence. */
    sends: string;
    isOn: boolean;
    waiting: number;
    failed: number;
    problem?: Fault;
  }[];
}
/** A wall or feed: the same name shows the same albums. */
export interface WallName {
  seed: number;
  dial: number;
  /** The number of albums of the first page. */
  first: number;
  genre?: string;
  subcategories?: string[];
}
export interface Thing {
  kind: "album" | "track" | "artist" | "session" | "unknown";
  id: ID;
  title: string;
  artist: string;
  /** False while it is not in the library. */
  isHere?: boolean;
}
export interface NoteSession {
  room: RoomName;
  from: string;
  to: string;
  listens: string[];
}
export interface Note {
  note: number;
  on: Thing;
  text: string;
  at: string;
  version: number;
  editedAt?: string;
  session?: NoteSession;
  /** Milliseconds. */
  position?: number;
}
export interface NotePage {
  items: Note[];
  next?: string;
}
export interface NoteHistory {
  note: Note;
  texts: {
    version: number;
    text: string;
    at: string;
    isRefused?: boolean;
  }[];
}
export interface DueNotes {
  items: {
    note: Note;
    reason: string;
    years?: number;
  }[];
}
export interface Mark {
  mark: number;
  on: Thing;
  text: string;
  at: string;
  state: "marked" | "kept" | "confirmed" | "unknown";
  tracks: number;
  bytes?: number;
  plays: number;
  lastHeard?: string;
  quality?: string;
  duplicates: {
    id: ID;
    title: string;
    formats: string[];
    isLossless: boolean;
  }[];
}
export interface MarkPage {
  items: Mark[];
  next?: string;
}
export interface MarkExport {
  text: string;
  items: number;
  leftOut: number;
  next?: string;
}
export interface Todo {
  todo: number;
  on: Thing;
  about: "cover" | "year" | "split" | "missing" | "rip" | "spelling" | "formats" | "other" | "unknown";
  text: string;
  at: string;
  state: "open" | "done" | "dismissed" | "unknown";
  evidence?: string;
  doneAt?: string;
  isNoticed?: boolean;
  delivery?: "waiting" | "sent" | "failed";
  problem?: Fault;
}
export interface TodoPage {
  items: Todo[];
  next?: string;
}
export interface SuggestedTodos {
  items: ({
    on: Thing;
    about: "cover" | "year" | "split" | "missing" | "rip" | "spelling" | "formats" | "other" | "unknown";
    evidence: string;
  })[];
  next?: string;
}
export interface TodoWebhook {
  address?: string;
  hasToken: boolean;
  waiting: number;
  failed: number;
  problem?: Fault;
}
export interface GardenRecord {
  form: "note" | "mark" | "todo" | "opinion" | "unknown";
  /** The name of the record in all libraries. */
  uid: string;
  on: Thing;
  album?: string;
  disc?: number;
  number?: number;
  year?: number;
  text: string;
  at: string;
  session?: NoteSession;
  position?: number;
  state?: string;
  about?: "cover" | "year" | "split" | "missing" | "rip" | "spelling" | "formats" | "other" | "unknown";
  /** When a note was edited last, a todo was done or a mark was decided. */
  changedAt?: string;
}
/** A theme as a file has it. */
export interface ThemeRecord {
  title: string;
  /** The number of themes of the same title that come before it in the file; absent for none. */
  namesakes?: number;
  text?: string;
  /** As JSON in the form of `.nsp` files; absent if its albums are picked by hand. */
  rules?: string;
  look: ThemeLook;
  cover?: ThemeAlbum;
  /** Those that are picked by hand, those too that are not in the library. */
  albums: ThemeAlbum[];
}
export interface ThemeAlbum {
  title: string;
  artist: string;
  year?: number;
}
export interface GardenRecords {
  items: GardenRecord[];
  /** They come after the records. */
  themes?: ThemeRecord[];
  next?: string;
}
export interface ImportedGarden {
  added: number;
  known: number;
  notHere: number;
}
export interface Wall {
  seed: number;
  dial: number;
  genre?: string | null;
  subcategories?: string[];
  items: Tile[];
  next: string | null;
  /** A new round begins after every album was shown. */
  round?: number;
  endsRound?: boolean;
  wall?: WallName;
}
export interface SourceOfWalls {
  name: string;
  readAt?: string;
  items: number;
  problem?: Fault;
  outside?: {
    title: string;
    /** What it adds to walls. */
    adds: string;
    /** What leaves the house for it. */
    sends: string;
    isOn: boolean;
    /** What is missing before it can be read. */
    needs?: string;
    nextAt?: string;
  };
}
export interface SourcesOfWalls {
  sources: SourceOfWalls[];
  showsMissing: boolean;
}
export interface SimilarAlbums {
  items: Tile[];
}
/** An album that is not in the library. */
export interface MissingAlbum {
  /** The MusicBrainz id of the release group. */
  releaseGroup: string;
  title: string;
  artist: string;
  artistID?: ID;
  date?: string;
  art?: ID;
  source: string;
  links: {
    name: string;
    url: string;
  }[];
  isWished: boolean;
}
export interface Tile {
  /** Null for an album that is not in the library. */
  id: string | null;
  title: string;
  artist: string;
  artistID?: ID;
  year?: number | null;
  art?: ID;
  signal: "history" | "recommended" | "charts" | "new" | "wild" | "rotation" | "seeds" | "unknown";
  /** Why it is there, in one sentence. */
  reason: string;
  onShelf: boolean;
  evidence?: {
    genre?: string;
    lastPlayedAt?: string;
    plays?: number;
    rating?: number;
    addedAt?: string;
    place?: number;
    favouritesOfArtist?: number;
    likedArtists?: number;
    favourite?: string;
    source?: string;
    listens?: number;
    /** At Last.fm, of its best known track, as a Plex server gives it. */
    listeners?: number;
    notedAt?: string;
  };
  missing?: MissingAlbum;
}
export interface ArticleStatus {
  album?: ID;
  artist?: ID;
  article?: Article;
  /** The pages of which a person is to choose. */
  guesses?: ArticleGuess[];
  /** True while it is searched, or waits for its turn: ask again after two seconds. */
  isBeingSearched: boolean;
  searchedAt?: string;
  problem?: Fault;
  /** True if articles are switched on. */
  isOn: boolean;
}
/** The summary of a page of Wikipedia. */
export interface Article {
  title: string;
  paragraphs: string[];
  language: string;
  address: string;
  site: string;
  licence: string;
  licenceAddress: string;
  /** The way by which it was found: id, name or person. */
  match: "id" | "name" | "person" | "unknown";
  readAt: string;
}
export interface ArticleGuess {
  title: string;
  language: string;
  about?: string;
}
export interface ArticleSettings {
  isOn: boolean;
  languages: string[];
  /** The articles that are kept. */
  kept: number;
  /** What leaves the house, in a sentence. */
  sends: string;
}
export interface ReviewStatus {
  album: ID;
  review?: Review;
  /** True while it is being written, or waits for its turn: ask again after two seconds. */
  isBeingMade: boolean;
  problem?: Fault;
  /** True if an endpoint is set. */
  isOn: boolean;
}
/** The opinion of a language model, which may be wrong. */
export interface Review {
  summary: string;
  points: string[];
  /** The rating in tenths; absent where the model has not searched. */
  tenths?: number;
  label: string;
  /** That of the label; 1 is the best. */
  tier: number;
  keyTracks: string[];
  /** The model that wrote it. */
  model: string;
  writtenAt: string;
}
export interface ReviewSettings {
  /** Absent while reviews are off. */
  endpoint?: string;
  model?: string;
  hasKey: boolean;
  dailyCap: number;
  /** The requests of today. */
  today: number;
  /** The reviews that are kept. */
  kept: number;
  /** What leaves the house for a review, in a sentence. */
  sends: string;
}
export interface Genres {
  genres: {
    id: string;
    name: string;
    albums: number;
    subcategories?: {
      id?: string;
      name?: string;
      albums?: number;
    }[];
  }[];
  tagged: number;
  matched: number;
  unmatched: {
    tag: string;
    albums: number;
  }[];
}
export interface Discovery {
  shelf: {
    generation?: number;
    albums?: number;
    dial?: number;
    reading?: boolean;
    problem?: Fault;
  };
  played: number;
  rated: number;
  tagged: number;
  matched: number;
  likes: number;
  dislikes: number;
  both: number;
  heldBack: number;
  walls: number;
  dials: ({
    dial: number;
    name: string;
    shares: ({
      signal: "history" | "recommended" | "charts" | "new" | "wild" | "rotation" | "seeds" | "unknown";
      percent: number;
      ofFifty: number;
    })[];
  })[];
  sources: SourceOfWalls[];
}
export interface Concert {
  artist?: string;
  title?: string;
  date?: string;
  time?: string;
  venue?: string;
  city?: string;
  region?: string;
  country?: string;
  latitude?: number;
  longitude?: number;
  lineup?: string[];
  tickets?: Record<string, unknown>[];
  url?: string;
  /** From the place that was asked for. */
  distanceKm?: number;
}
/** A track by its description. */
export interface Description {
  title: string;
  artist?: string;
  album?: string;
  durationSeconds?: number;
  isrc?: string;
  recordingID?: string;
}
export interface ShownTrack {
  /** It follows from the description. */
  id: string;
  state: "asking" | "found" | "library" | "nothing" | "failed";
  /** The plugins that have found it, by their names. */
  sources: {
    plugin: string;
    name: string;
    color: string;
    confidence: number;
    /** Whether a room can play it. */
    available: boolean;
  }[];
}
/** A track by its description, as `described` of play and queue takes it. */
export interface FoundTrack {
  id?: string;
  title?: string;
  artist?: string;
  album?: string;
  durationSeconds?: number;
  isrc?: string;
  recordingID?: string;
  /** Its page at the service. */
  location?: string;
  cover?: string;
  art?: ID;
  choice?: ChosenSource;
}
export interface TrackSource {
  plugin?: string;
  name?: string;
  color?: string;
  kind?: "stream" | "link" | "device";
  confidence?: number;
  rank?: number | null;
  chosen?: boolean;
  reason?: string;
  title?: string;
  artist?: string;
  album?: string;
  durationSeconds?: number;
  cover?: string;
  url?: string;
  sourceID?: string;
  /** True if it has a preview. */
  preview?: boolean;
}
export interface Providers {
  items: Provider[];
  kinds: {
    kind: string;
    title: string;
    signIn: string;
    hint: string;
    page: string;
    parts: {
      part: string;
      way: string;
      ways: string[];
    }[];
  }[];
}
export interface ProviderReports {
  reports: {
    startedAt: string;
    added: number;
    removed: number;
    lines: {
      title: string;
      text: string;
    }[];
    problem?: Fault;
  }[];
  questions: {
    id: string;
    title: string;
    removed: number;
    total: number;
  }[];
  removals: {
    id: string;
    at: string;
    from: string;
    title: string;
    artist: string;
    isHere: boolean;
  }[];
  lists: {
    id?: ID;
    native?: string;
    title: string;
    isKept: boolean;
  }[];
}
export interface Wish {
  id: number;
  artist: string;
  album?: string;
  providers: string[];
  addedAt: string;
  /** The MusicBrainz id of the album's release group. */
  releaseGroup?: string;
  missing?: MissingAlbum;
}
export interface WishPage {
  items: Wish[];
  next: string | null;
}
export interface RulesPreview {
  trackCount: number;
  durationSeconds: number;
  /** The first 20. */
  tracks: Track[];
}
/** A playlist that was made of a list file, and what was found. */
export interface ImportedPlaylist {
  id: ID;
  title: string;
  kind: "list" | "smart";
  /** The source that has it; `lunara` for one of the library itself. */
  source: string;
  trackCount: number;
  durationSeconds: number;
  editable: boolean;
  isSmart: boolean;
  art?: ID;
  summary?: string;
  /** A sentence about changes that wait for the server, or that were made on both sides. */
  note?: string;
  /** Grows with every change; absent where it cannot be edited. */
  revision?: number;
  /** The number of entries that were recognised by their `file`, the end of their `path`, the id of the `recording`, their `isrc` or their `names`. */
  matched: Record<string, number>;
  /** The first 100 that are not in the library. */
  missing: FoundTrack[];
  missingCount: number;
  /** Entries that were left out, as sentences. */
  problems: string[];
}
/** An entry of a playlist with the values of its track. */
export interface PlaylistEntry {
  /** The number of the entry, which it keeps when it is moved. */
  entry: number | null;
  /** The track; null for one that is not in the library. */
  id: ID | null;
  /** True for a track that is not in the library, of which only a description is known. */
  described: boolean;
  /** The address in the list from which a described entry came. */
  location?: string;
  choice?: ChosenSource;
  albumID?: ID;
  title: string;
  artist: string;
  albumArtist?: string;
  album?: string;
  disc?: number;
  number?: number;
  /** The number as the tag writes it where it says more, such as `A1`. */
  numberText?: string;
  year?: number;
  genres?: string[];
  durationSeconds?: number;
  art?: ID;
  rating?: Stars;
  /** The names in `artist` one by one; absent for one. */
  artists?: ArtistName[];
  composer?: string;
  work?: Work;
  /** On the page of an album only: the values that were guessed from names; absent if none was. */
  guessed?: Guessed;
}
export interface PlaylistWithEntries {
  id: ID;
  title: string;
  kind: "list" | "smart";
  /** The source that has it; `lunara` for one of the library itself. */
  source: string;
  trackCount: number;
  durationSeconds: number;
  editable: boolean;
  isSmart: boolean;
  art?: ID;
  summary?: string;
  /** A sentence about changes that wait for the server, or that were made on both sides. */
  note?: string;
  /** Of a smart playlist of the library itself, as JSON; its entries are numbered by their places. */
  rules?: string;
  /** Grows with every change; absent where it cannot be edited. */
  revision?: number;
  entries: PlaylistEntry[];
  /** The cursor of the next page, for `after`; null on the last. */
  next: string | null;
}
export interface Found {
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
  collections: Collection[];
  playlists: Playlist[];
  /** Only with `in=notes`. */
  notes?: Note[];
  /** The result that fits best, which is also in the list of its kind. */
  best?: {
    kind: "artist" | "album" | "track" | "playlist" | "unknown";
    id: ID;
  };
  /** Genres, styles and moods, and the year or decades that the words name. */
  tags: ({
    kind: "genre" | "style" | "mood" | "year" | "decade";
    name: string;
    albums: number;
  })[];
  /** What people among the artists did otherwise than as artists, such as composing. */
  people: {
    role: Role;
    albums: number;
    tracks: number;
    person: ArtistName;
  }[];
  /** The words that were searched instead, as nothing fits those that were given. */
  searchedWords?: string;
}
export interface Modes {
  repeat: "off" | "one" | "all" | "unknown";
  order: "queued" | "tracks" | "albums" | "unknown";
  stopsAfterCurrent: boolean;
  /** True if the room stops after the album that plays; absent if not. */
  stopsAfterAlbum?: boolean;
  muted: boolean;
  maxVolume: number;
}
export interface Room {
  name: RoomName;
  /** What people call it; null where that is its name. */
  title: string | null;
  /** `idle`, `buffering`, `playing`, `paused` or `error`; a newer room may say another. */
  state: string;
  /** What went wrong; with `error` only. */
  message?: string;
  code?: string;
  /** Whether nothing is heard of the room. */
  away: boolean;
  track: Track | null;
  entry: string | null;
  /** Where the track is as the answer is made; readers extrapolate with `rate`. */
  positionSeconds: number;
  /** Media seconds a second; 0 while no sound flows. */
  rate: number;
  durationSeconds: number | null;
  volume: number;
  queueRevision: number;
  bufferedSeconds?: number;
  modes?: Modes;
  notice?: Fault;
  retriesInSeconds?: number;
  sleepsInSeconds?: number;
  /** Why it paused itself: `sleep` or `output`. */
  interruption?: string;
  /** The number of the theme that it plays; absent if it plays none. */
  theme?: number;
  /** The time since it last played, paused or jumped; absent if it never did. */
  usedSecondsAgo?: number;
  /** True while only a preview is played, which counts as no listen. */
  preview?: boolean;
  /** The name of the plugin that gives the sound; absent for music of the library. */
  plugin?: string;
}
export interface AlbumList {
  sort?: "name" | "title" | "added" | "year" | "played" | "rating" | "plays" | "random";
  seed?: number;
  reversed?: boolean;
  tag?: Tag;
  tags?: Tag[];
  artist?: ID;
  collection?: ID;
  albums?: ID[];
  wall?: WallName;
}
export interface QueueExplanation {
  room: RoomName;
  revision: number;
  playing: boolean;
  /** The number of tracks after the current one. */
  tracksLeft: number;
  /** The time until the last track ends if the room plays on; null if that is not known, or if the queue repeats. */
  endsInSeconds: number | null;
  repeat?: "off" | "one" | "all" | "unknown";
  /** After which the room stops by itself; absent if it does not. */
  stopsAfter?: "track" | "album";
  /** What was queued, in the order of the queue, from that of the current track on. */
  origins: ({
    id: ID | null;
    title: string | null;
    /** How many of its tracks follow each other there. */
    tracks: number;
    /** True if the queue continued with it by itself. */
    continued?: boolean;
  })[];
  /** The tracks from the current one on. */
  coming: ({
    entry: string;
    /** Its place in the whole queue, from 1. */
    place: number;
    title: string;
    artist: string;
    /** Where its audio is: on the room's machine, kept offline there, fetched in advance, or elsewhere. Absent from an older room. */
    audio?: "here" | "kept" | "fetched" | "away" | "unknown";
  })[];
  /** The albums that follow after the last track; null if the queue has no list. */
  continuation: {
    list: AlbumList;
    /** The list in words. */
    words: string;
    /** False if the queue ends before them until a person lets it continue. */
    on: boolean;
    /** How many are added at once. */
    albums: number;
    /** The titles of those that are added next; absent if they are not known, as those of a wall. */
    titles?: string[];
    /** The time until they are added; null if they are not, or if it is not known. */
    startsInSeconds: number | null;
  } | null;
}
export interface QueueEntry {
  entry: string;
  /** Its place in the whole queue, from 1. */
  place?: number;
  id: ID;
  albumID?: ID;
  title: string;
  artist: string;
  album: string;
  durationSeconds: number;
  art?: ID;
  /** True for a track that was not in the library when it was queued. It has no `albumID`. */
  described?: boolean;
  choice?: ChosenSource;
  /** True if the queue continued with it by itself. */
  continued?: boolean;
}
export interface Queue {
  room: RoomName;
  revision: number;
  count: number;
  /** The index of `items[0]` in the whole queue. */
  first: number;
  /** The index of what plays in the whole queue. */
  current: number | null;
  items: QueueEntry[];
  order?: "queued" | "tracks" | "albums" | "unknown";
  repeat?: "off" | "one" | "all" | "unknown";
  /** Whether more albums follow after the last. */
  continues: boolean;
  /** The list in which the queue continues, or would if it were let. */
  continuation?: AlbumList;
  /** The index at which the room starts if nothing is current: that of the stopped item, or of the first one that was queued after the end. Absent while an item is current, and if nothing is left to play. */
  nextIndex?: number;
  positionSeconds?: number;
}
export interface QueueSummary {
  revision: number;
  count: number;
  current?: number;
}
export interface Played {
  room: RoomName;
  tracks: number;
  queue: QueueSummary;
}
export interface OfflineState {
  albums: number;
  whole: number;
  bytes: number;
  limit: number;
  limitChosen: boolean;
  /** Bytes that are free on the disk. */
  free: number;
  loading?: ID;
  /** `metered`: nothing is fetched over a connection that costs by volume; `mobile`: nothing is fetched until there is Wi-Fi or a cable. */
  pause?: string;
  /** The connections over which albums are fetched, where not all are that do not cost by volume. */
  connection?: "wifi" | "any";
}
export interface OfflineChange {
  changed: number;
  /** Albums that were there already, or not there. */
  unchanged: number;
}
export interface OfflinePage {
  room: RoomName;
  state: OfflineState;
  items: ({
    id: ID;
    title: string;
    artist: string;
    art?: ID;
    room: RoomName;
    state: "waiting" | "loading" | "whole" | "failed" | "unknown";
    bytes: number;
    size?: number;
    /** 1 only for a whole album. */
    progress: number;
    tracks: number;
    kept: number;
    pinned: boolean;
    addedAt: string;
    playedAt?: string;
    problem?: {
      code: string;
      message: string;
    };
  })[];
  next?: string;
}
export interface PlayedItems {
  items: ({
    entry: string;
    id: ID;
    albumID?: ID;
    title: string;
    artist: string;
    album: string;
    art?: ID;
    startedAt: string;
    heardSeconds: number;
    reason: "finished" | "skipped" | "failed" | "unknown";
    /** True if a person left the track before the listen counted. */
    skipped?: boolean;
    /** True for a track that is not in the library. */
    described: boolean;
  })[];
}
export interface Output {
  room: RoomName;
  devices: {
    name: string;
    title: string;
  }[];
  /** Null: the first that works. */
  chosen: string | null;
  used: string | null;
  levels: "off" | "track" | "album" | "smart" | "unknown";
  /** Decibels. */
  preamp: number;
  /** Null: as it was. */
  startVolume: number | null;
  maxVolume: number;
  resumesAfterCrash: boolean;
  /** Tracks of 20 minutes or more go on where the room left them. */
  resumesLongTracks: boolean;
}
export interface Play {
  listen: string;
  room: RoomName;
  id: ID;
  albumID?: ID;
  track: string;
  artist: string;
  album: string;
  art?: ID;
  startedAt: string;
  heardSeconds: number;
  counted: boolean;
  skipped: boolean;
}
/** Only listens that counted are in it, but for `heardSeconds` of the sums and `skips`. */
export interface Statistics {
  from: string;
  to: string;
  /** Of the first listen of all; absent where there is none. */
  firstDay?: string;
  totals: StatisticsTotals;
  /** Of the period of the same length before; absent for the whole history. */
  before?: StatisticsTotals;
  artists: StatisticsRow[];
  albums: StatisticsRow[];
  tracks: StatisticsRow[];
  /** An album with several counts for each. */
  genres: StatisticsRow[];
  /** Albums that had not been heard for a year or more before the period, the longest first. */
  rediscovered: StatisticsRow[];
  /** The days of a period of up to 62 days, the months of one of up to 5 years, else the years; in order and without gaps. */
  steps: {
    /** Such as `2026-11-20`, `2026-11` or `2026`. */
    name: string;
    plays: number;
    heardSeconds: number;
    /** The plays by the genres of `genres`, in their order. */
    genres: number[];
  }[];
  /** The seconds heard by the hour in which a play began: 24 numbers. */
  hours: number[];
  /** The seconds heard by the day of the week, Monday first: 7 numbers. */
  weekdays: number[];
}
export interface StatisticsTotals {
  plays: number;
  skips: number;
  /** Of all listens, also those that did not count. */
  heardSeconds: number;
  artists: number;
  albums: number;
  tracks: number;
  /** The tracks that were heard for the first time. */
  firstHeard: number;
  /** The days with a play. */
  days: number;
}
export interface StatisticsRow {
  /** The id of the artist, album or track, or the genre. */
  key: string;
  title: string;
  artist?: string;
  art?: ID;
  plays: number;
  heardSeconds: number;
  /** The last play before the period; of rediscovered albums only. */
  lastBefore?: string;
  /** False if it is no longer in the library. */
  isHere: boolean;
}
export interface PlayCounts {
  items: {
    key: string;
    title: string;
    plays: number;
    skips: number;
    lastPlayedAt?: string;
  }[];
}
export interface Progress {
  done: number;
  total?: number;
  /** Items a second. */
  rate?: number;
}
export interface SourceStatus {
  name: string;
  /** A kind of `kinds` of `GET /api/v1/sources`, such as `files`. */
  kind: string;
  health: string;
  lastRefreshed?: string;
  albums: number;
  tracks: number;
  problemCount: number;
  problems: Fault[];
  progress?: Progress;
  address?: string;
  method?: string;
  /** The files in its folders that are no music; absent for servers. */
  unused?: number;
  /** The files and folders in its folders that a rule leaves out; absent for servers. */
  ignored?: number;
  runs?: {
    startedAt: string;
    new: number;
    changed: number;
    unchanged: number;
    deleted: number;
    seconds: number;
  }[];
}
export interface Source {
  name: string;
  /** A kind of `kinds` of `GET /api/v1/sources`, such as `files`. */
  kind: string;
  health: string;
  lastRefreshed?: string;
  albums: number;
  tracks: number;
  problemCount: number;
  problems: Fault[];
  progress?: Progress;
  address?: string;
  method?: string;
  /** The files in its folders that are no music; absent for servers. */
  unused?: number;
  /** The files and folders in its folders that a rule leaves out; absent for servers. */
  ignored?: number;
  runs?: {
    startedAt: string;
    new: number;
    changed: number;
    unchanged: number;
    deleted: number;
    seconds: number;
  }[];
  account?: string;
  isFromSettings: boolean;
  sections: {
    key: string;
    title: string;
    isOn: boolean;
    tracks: number;
    isFromSettings?: boolean;
  }[];
}
export interface Sources {
  items: Source[];
  /** In the order in which to offer them. */
  kinds: SourceKind[];
}
export interface SourceKind {
  kind: string;
  /** The name on screen. */
  title: string;
  hint?: string;
  signIn: SignInWays;
  /** In the order in which to ask for them. */
  settings: {
    /** `address`, `user`, `secret`, or a key of `settings` of `POST /api/v1/sources`. */
    key: string;
    title: string;
    meaning: string;
    /** The variable that gives it without a person. */
    name?: string;
    isSecret: boolean;
    isSwitch: boolean;
    isRequired: boolean;
  }[];
  /** Such as `ratings`, `plays`, `nowPlaying`, `playlists` and `notifications`. */
  capabilities: ("ratings" | "plays" | "nowPlaying" | "playlists" | "playlistEdits" | "notifications" | "loves" | "unknown")[];
}
/** The usual way first: `link` begins at `POST /api/v1/sign-ins`, `token` and `password` are given where a source or an account is added. Empty where nobody signs in. */
export type SignInWays = string[];
export interface ScrobbleServices {
  items: {
    kind: string;
    /** The name on screen. */
    title: string;
    /** The service's own server. */
    address: string;
    signIn: SignInWays;
    /** What a person needs before signing in. */
    hint?: string;
    /** The web page that gives the key or token. */
    page?: string;
    settings: {
      name: string;
      meaning: string;
      isSecret: boolean;
    }[];
    /** Such as `nowPlaying` and `loves`. */
    capabilities: string[];
  }[];
}
export interface Catalogue {
  /** Grows with every change of the music. */
  generation: number;
  /** Grows with every change of a playlist or a collection. */
  lists?: number;
  albums: number;
  tracks: number;
  sources: SourceStatus[];
}
export interface SignIn {
  id: string;
  service: string;
  state?: "waiting";
  /** What one types at `page`, where the link alone is not enough. */
  code?: string;
  page?: string;
  link: string;
  expiresAt: string;
}
export interface SignInState {
  state: "waiting" | "done" | "expired" | "failed";
  account?: string;
  link?: string;
  sources: string[];
  error?: Fault;
}
export interface Account {
  service: string;
  account: string;
  address: string;
  isOn: boolean;
  state: string;
  pending: number;
  failed: number;
  error?: Fault;
  waitsUntil?: string;
  isFromSettings: boolean;
}
export interface Accounts {
  items: Account[];
}
export interface Scrobble {
  listen: string;
  room: RoomName;
  id: ID;
  track: string;
  artist: string;
  album: string;
  art?: ID;
  startedAt: string;
  heardSeconds: number;
  destinations: {
    service: string;
    account: string;
    /** `pending`, `paused`, `sent` or `failed`. */
    state: string;
    attempts: number;
    answer?: string;
  }[];
  /** Why it goes nowhere. */
  withheld?: string;
}
export interface Outbox {
  counted: number;
  pending: number;
  failed: number;
  accounts: Account[];
  /** It may be past. */
  privateUntil?: string;
  /** Loves that services did not take. */
  failedLoves?: number;
}
export interface Private {
  until: string | null;
}
export interface Filters {
  items: {
    kind: string;
    value: string;
    /** The same as `value`. */
    name?: string;
  }[];
}
export interface Count {
  count: number;
}
export interface Node {
  role: string;
  name: string;
  pid: number;
  version: string;
  uptimeSeconds: number;
  away: boolean;
  /** Facts it has yet to read. */
  lag: number;
  journalHead?: number;
  /** Where other machines reach it. */
  address?: string;
  /** Whether another has taken its name. */
  retired?: boolean;
  problem?: Fault;
}
/** What is away or was not heard of yet is null or says so; the rest stays usable. */
export interface Status {
  nodes: Node[];
  rooms: Room[];
  /** The sources of `catalogue`; none where that is null. */
  sources: SourceStatus[];
  catalogue: Catalogue | null;
  scrobbles: Outbox | null;
}
export interface Session {
  /** Whether a password is needed. */
  needsPassword: boolean;
  signedIn: boolean;
}
export interface Card {
  room: RoomName;
  state: string;
  away: boolean;
  message?: string;
  code?: string;
  track: Track | null;
  /** Where the cover is, as a path of this server. */
  cover?: string;
  palette?: Palette;
  positionSeconds: number;
  rate: number;
  durationSeconds: number | null;
  next: {
    title: string;
    artist: string;
  }[];
}
