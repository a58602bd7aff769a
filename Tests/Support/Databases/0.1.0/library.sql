CREATE TABLE bus_journal (one INTEGER PRIMARY KEY CHECK (one = 1), identity TEXT NOT NULL, parent TEXT, fork INTEGER, restored_at INTEGER)
CREATE TABLE bus_epochs (epoch INTEGER PRIMARY KEY, first INTEGER NOT NULL)
CREATE TABLE bus_facts (seq INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, time INTEGER NOT NULL, payload BLOB NOT NULL)
CREATE TABLE bus_cursors (reader TEXT NOT NULL, node TEXT NOT NULL, journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, moved INTEGER NOT NULL, PRIMARY KEY (reader, node, journal)) WITHOUT ROWID
CREATE TABLE bus_answers (id TEXT PRIMARY KEY, answer BLOB NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID
CREATE TABLE bus_ancestors (journal TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID
CREATE TABLE bus_readers (reader TEXT NOT NULL, node TEXT NOT NULL, journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (reader, node)) WITHOUT ROWID
CREATE TABLE bus_answer_clock (one INTEGER PRIMARY KEY CHECK (one = 1), time INTEGER NOT NULL, boot TEXT NOT NULL, uptime INTEGER NOT NULL)
CREATE TABLE catalogue (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL, next_artist INTEGER NOT NULL, next_album INTEGER NOT NULL, next_track INTEGER NOT NULL, next_collection INTEGER NOT NULL DEFAULT 1, next_playlist INTEGER NOT NULL DEFAULT 1, albums INTEGER NOT NULL DEFAULT 0, tracks INTEGER NOT NULL DEFAULT 0)
CREATE TABLE sources (name TEXT PRIMARY KEY, kind TEXT NOT NULL, refreshed_at INTEGER, problem_count INTEGER NOT NULL, problems TEXT NOT NULL, position INTEGER NOT NULL DEFAULT 0, machine TEXT, mark TEXT, method TEXT, address TEXT, account TEXT, settings TEXT, is_from_settings INTEGER NOT NULL DEFAULT 0, albums INTEGER NOT NULL DEFAULT 0, tracks INTEGER NOT NULL DEFAULT 0, is_leaving INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID
CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, started_at INTEGER NOT NULL, finished_at INTEGER NOT NULL, new INTEGER NOT NULL, changed INTEGER NOT NULL, unchanged INTEGER NOT NULL, deleted INTEGER NOT NULL, held INTEGER NOT NULL)
CREATE TABLE albums (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL, title_sort TEXT NOT NULL, artist TEXT NOT NULL, artist_sort TEXT NOT NULL, artist_id INTEGER NOT NULL REFERENCES artists (id), year INTEGER, genres TEXT NOT NULL, tracks INTEGER NOT NULL, duration INTEGER NOT NULL, added_at INTEGER NOT NULL, played_at INTEGER NOT NULL DEFAULT 0, art TEXT, search_row INTEGER, year_order INTEGER NOT NULL AS (CASE WHEN year IS NULL THEN 0 ELSE -year END) VIRTUAL, shelf INTEGER NOT NULL DEFAULT 0, merge_key TEXT NOT NULL DEFAULT '', guid TEXT, release TEXT, digest INTEGER, section TEXT, own_art TEXT, arrived_at INTEGER NOT NULL DEFAULT 0, heard_at INTEGER NOT NULL DEFAULT 0, own_rating INTEGER, rating INTEGER, UNIQUE (source, key))
CREATE TABLE tracks (id INTEGER PRIMARY KEY, source TEXT NOT NULL, album INTEGER NOT NULL REFERENCES albums (id), title TEXT NOT NULL, title_sort TEXT NOT NULL, artist TEXT NOT NULL, disc INTEGER NOT NULL, number INTEGER, year INTEGER, genres TEXT NOT NULL, duration INTEGER NOT NULL, recording TEXT, release TEXT, added_at INTEGER NOT NULL, played_at INTEGER NOT NULL DEFAULT 0, search_row INTEGER, shelf INTEGER, shown INTEGER NOT NULL DEFAULT 0, native TEXT, guid TEXT, file TEXT, part TEXT, format TEXT, is_lossless INTEGER NOT NULL DEFAULT 0, section TEXT, digest INTEGER, artist_sort TEXT, moods TEXT NOT NULL DEFAULT '', heard_at INTEGER NOT NULL DEFAULT 0, own_rating INTEGER, rating INTEGER, track_gain REAL, track_peak REAL, album_gain REAL, album_peak REAL, identity INTEGER NOT NULL DEFAULT 0, server_plays INTEGER, music_ids TEXT)
CREATE TABLE folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, device INTEGER NOT NULL, cover BLOB, cover_mark TEXT, artist_picture BLOB, artist_mark TEXT)
CREATE TABLE files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id), name BLOB NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, track INTEGER UNIQUE REFERENCES tracks (id), tags TEXT NOT NULL, problem TEXT, UNIQUE (folder, name))
CREATE VIRTUAL TABLE search USING fts5 (words, item UNINDEXED, tokenize = 'ascii', detail = none, columnsize = 0, prefix = '1 2 3 4 5 6 7 8')
CREATE TABLE sections (source TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL, is_on INTEGER NOT NULL, position INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (source, key)) WITHOUT ROWID
CREATE TABLE staged (source TEXT NOT NULL, kind INTEGER NOT NULL, native TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (source, kind, native)) WITHOUT ROWID
CREATE TABLE "artists" (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, sort TEXT NOT NULL, albums INTEGER NOT NULL, search_row INTEGER, art TEXT, summary TEXT, genres TEXT NOT NULL DEFAULT '', rating INTEGER)
CREATE TABLE artist_members (source TEXT NOT NULL, native TEXT NOT NULL, key TEXT NOT NULL, guid TEXT, mbid TEXT, art TEXT, summary TEXT, genres TEXT NOT NULL, rating INTEGER, section TEXT, digest INTEGER NOT NULL, PRIMARY KEY (source, native)) WITHOUT ROWID
CREATE TABLE album_tags (album INTEGER NOT NULL, kind INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (album, kind, folded)) WITHOUT ROWID
CREATE TABLE heirs (kind INTEGER NOT NULL, number INTEGER NOT NULL, heir INTEGER NOT NULL, PRIMARY KEY (kind, number)) WITHOUT ROWID
CREATE TABLE collections (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, title TEXT NOT NULL, title_sort TEXT NOT NULL, summary TEXT, art TEXT, section TEXT, search_row INTEGER, digest INTEGER NOT NULL, UNIQUE (source, native))
CREATE TABLE collection_items (collection INTEGER NOT NULL, position INTEGER NOT NULL, native TEXT NOT NULL, kind INTEGER, item INTEGER, PRIMARY KEY (collection, position)) WITHOUT ROWID
CREATE TABLE playlists (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, title TEXT NOT NULL, title_sort TEXT NOT NULL, is_smart INTEGER NOT NULL, art TEXT, digest INTEGER NOT NULL, UNIQUE (source, native))
CREATE TABLE playlist_items (playlist INTEGER NOT NULL, position INTEGER NOT NULL, native TEXT NOT NULL, track INTEGER, PRIMARY KEY (playlist, position)) WITHOUT ROWID
CREATE TABLE ratings (kind INTEGER NOT NULL, identity INTEGER NOT NULL, rating INTEGER NOT NULL, rated_at INTEGER NOT NULL, PRIMARY KEY (kind, identity)) WITHOUT ROWID
CREATE TABLE pins (source TEXT NOT NULL, title TEXT NOT NULL, is_pinned INTEGER NOT NULL, PRIMARY KEY (source, title)) WITHOUT ROWID
CREATE TABLE pictures (reference TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT, PRIMARY KEY (reference, size)) WITHOUT ROWID
CREATE TABLE palettes (reference TEXT PRIMARY KEY, colours TEXT NOT NULL) WITHOUT ROWID
CREATE TABLE listen_tracks (id INTEGER PRIMARY KEY, track TEXT NOT NULL, number INTEGER, album INTEGER, identity INTEGER NOT NULL, body TEXT NOT NULL)
CREATE TABLE listens (id INTEGER PRIMARY KEY, listen TEXT NOT NULL UNIQUE, track INTEGER NOT NULL REFERENCES listen_tracks (id), room TEXT NOT NULL, started_at INTEGER NOT NULL, day INTEGER NOT NULL, heard INTEGER NOT NULL, outcome INTEGER NOT NULL, counted_at INTEGER)
CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL, PRIMARY KEY (journal, epoch, seq)) WITHOUT ROWID
CREATE TABLE "play_outbox" (id INTEGER PRIMARY KEY AUTOINCREMENT, listen TEXT NOT NULL, source TEXT NOT NULL, track INTEGER NOT NULL, counted_at INTEGER NOT NULL, stage INTEGER NOT NULL DEFAULT 0, count_before INTEGER, problem TEXT, failures INTEGER NOT NULL DEFAULT 0, UNIQUE (listen, source))
CREATE TABLE music_folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, added_at INTEGER NOT NULL)
CREATE TABLE play_restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL)
INSERT INTO migration (position, name) VALUES (1, 'bus-1')
INSERT INTO migration (position, name) VALUES (2, 'bus-2')
INSERT INTO migration (position, name) VALUES (3, 'bus-3')
INSERT INTO migration (position, name) VALUES (4, 'bus-4')
INSERT INTO migration (position, name) VALUES (5, 'catalogue-1')
INSERT INTO migration (position, name) VALUES (6, 'catalogue-2')
INSERT INTO migration (position, name) VALUES (7, 'catalogue-files-3')
INSERT INTO migration (position, name) VALUES (8, 'plex-outbox-1')
INSERT INTO migration (position, name) VALUES (9, 'artwork-2')
INSERT INTO migration (position, name) VALUES (10, 'catalogue-3')
INSERT INTO migration (position, name) VALUES (11, 'history-2')
INSERT INTO migration (position, name) VALUES (12, 'plex-outbox-2')
INSERT INTO migration (position, name) VALUES (13, 'catalogue-folders-4')
INSERT INTO migration (position, name) VALUES (14, 'artwork-3')
INSERT INTO migration (position, name) VALUES (15, 'catalogue-leaving-5')
INSERT INTO migration (position, name) VALUES (16, 'catalogue-music-ids-6')
INSERT INTO migration (position, name) VALUES (17, 'bus-5')
INSERT INTO migration (position, name) VALUES (18, 'catalogue-server-releases-7')
INSERT INTO migration (position, name) VALUES (19, 'plex-outbox-3')
INSERT INTO bus_journal (one, identity, parent, fork, restored_at) VALUES (1, 'dq2tt3ghv7whc9nm1rf6', NULL, NULL, NULL)
INSERT INTO bus_epochs (epoch, first) VALUES (1, 1)
INSERT INTO bus_epochs (epoch, first) VALUES (2, 5)
INSERT INTO bus_facts (seq, epoch, id, kind, time, payload) VALUES (1, 1, 'g7fjpg2hc6ww5m7pm1kd', 'library.catalogue-changed', 1795236858028440, X'7B22616C62756D73223A5B2266696C65733A6131222C2266696C65733A6132225D2C2267656E65726174696F6E223A312C22697357696465223A66616C73652C2272656D6F766564223A5B5D7D')
INSERT INTO bus_facts (seq, epoch, id, kind, time, payload) VALUES (2, 1, 'ecaks5x8v21fhezvd0t5', 'library.sync-finished', 1795236858028560, X'7B22636F756E7473223A7B226368616E676564223A302C2264656C65746564223A302C226E6577223A362C227365636F6E6473223A302E3031342C22756E6368616E676564223A307D2C22736F75726365223A2266696C6573227D')
INSERT INTO bus_facts (seq, epoch, id, kind, time, payload) VALUES (3, 1, '9crpe0qesdq3ratprvg5', 'library.catalogue-changed', 1795236860062795, X'7B22616C62756D73223A5B2266696C65733A6131225D2C2267656E65726174696F6E223A322C22697357696465223A66616C73652C2272656D6F766564223A5B5D7D')
INSERT INTO bus_facts (seq, epoch, id, kind, time, payload) VALUES (4, 1, '6118678dja3ytbpz5rns', 'library.sync-finished', 1795236860062826, X'7B22636F756E7473223A7B226368616E676564223A302C2264656C65746564223A312C226E6577223A302C227365636F6E6473223A302E3030342C22756E6368616E676564223A357D2C22736F75726365223A2266696C6573227D')
INSERT INTO bus_facts (seq, epoch, id, kind, time, payload) VALUES (5, 2, 'jcxpttp2jmaqwga2xs70', 'library.sync-failed', 1795330960441067, X'7B226572726F72223A7B22636F6465223A226C6962726172792E62616441646472657373222C226D657373616765223A22206973206E6F2061646472657373206F66206120736F75726365206F6620746865206B696E6420706C65782E2057726974652060706C657860206F722060737562736F6E69636020616E6420687474703A2F2F484F53543A504F52542C206F72207468652077686F6C652070617468206F66206120666F6C6465722E227D2C22736F75726365223A22706C6578227D')
INSERT INTO bus_facts (seq, epoch, id, kind, time, payload) VALUES (6, 2, '2bww9w79j5974kzq0xwx', 'library.sync-finished', 1795330960447795, X'7B22636F756E7473223A7B226368616E676564223A302C2264656C65746564223A302C226E6577223A302C227365636F6E6473223A302E3030342C22756E6368616E676564223A307D2C22736F75726365223A2266696C6573227D')
INSERT INTO bus_cursors (reader, node, journal, epoch, seq, moved) VALUES ('library', 'playback@kitchen', 'q780fap7jhdvm267mp9b', 1, 5, 1795236861182520)
INSERT INTO bus_cursors (reader, node, journal, epoch, seq, moved) VALUES ('library', 'scrobble@main', 'hbc50d142atz8rgz0vjh', 1, 1, 1795236860161503)
INSERT INTO bus_answer_clock (one, time, boot, uptime) VALUES (1, 0, 'b3ff9c1e-1e38-4515-874e-fbb026a910ca'||char(10)||'', 3355177074)
INSERT INTO catalogue (one, generation, next_artist, next_album, next_track, next_collection, next_playlist, albums, tracks) VALUES (1, 2, 3, 3, 7, 1, 1, 2, 5)
INSERT INTO sources (name, kind, refreshed_at, problem_count, problems, position, machine, mark, method, address, account, settings, is_from_settings, albums, tracks, is_leaving) VALUES ('files', 'files', 1795330960447559, 2, '[{"cause":"No such file or directory","code":"library.folderMissing","message":"The music folder /music/mine is not there. Connect its disk; what it held stays listed. If it is to be left out, run `lunara sources remove FOLDER`, or take it out of LUNARA_MUSIC."},{"code":"library.deletionsHeld","message":"5 tracks with 2 whole albums are no longer found; they stay listed. If they are gone for good, run `lunara sync --accept-deletions`."}]', 1, NULL, NULL, NULL, NULL, NULL, NULL, 1, 2, 5, 0)
INSERT INTO sources (name, kind, refreshed_at, problem_count, problems, position, machine, mark, method, address, account, settings, is_from_settings, albums, tracks, is_leaving) VALUES ('plex', 'plex', 1790000000000000, 0, '[]', 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0)
INSERT INTO runs (id, source, started_at, finished_at, new, changed, unchanged, deleted, held) VALUES (1, 'files', 1795236858013881, 1795236858028038, 6, 0, 0, 0, 0)
INSERT INTO runs (id, source, started_at, finished_at, new, changed, unchanged, deleted, held) VALUES (2, 'files', 1795236860058121, 1795236860062687, 0, 0, 5, 1, 0)
INSERT INTO runs (id, source, started_at, finished_at, new, changed, unchanged, deleted, held) VALUES (3, 'files', 1795330960442688, 1795330960447559, 0, 0, 0, 0, 5)
INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, genres, tracks, duration, added_at, played_at, art, search_row, shelf, merge_key, guid, release, digest, section, own_art, arrived_at, heard_at, own_rating, rating) VALUES (1, 'files', 'the lanterns|morning tide|2019', 'Morning Tide', 'morning tide', 'The Lanterns', 'lanterns', 1, 2019, 'Ambient', 2, 56000, 1795236858019083, 1795236860151816, 'files:c1.26khy6ul8l0vm', 144115188075921408, 1, 'the lanterns|morning tide|2019', NULL, NULL, NULL, NULL, 'c1.26khy6ul8l0vm', 1795236858019083, 0, NULL, NULL)
INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, genres, tracks, duration, added_at, played_at, art, search_row, shelf, merge_key, guid, release, digest, section, own_art, arrived_at, heard_at, own_rating, rating) VALUES (2, 'files', 'лунный квартет|月の庭|2021', '月の庭', '月の庭', 'Лунный квартет', 'лунныи квартет', 2, 2021, 'Ambient', 3, 102000, 1795236858019083, 0, 'files:c2.bdt90sw3a14p', 144115188075986944, 2, 'лунный квартет|月の庭|2021', NULL, NULL, NULL, NULL, 'c2.bdt90sw3a14p', 1795236858019083, 0, NULL, NULL)
INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, recording, release, added_at, played_at, search_row, shelf, shown, native, guid, file, part, format, is_lossless, section, digest, artist_sort, moods, heard_at, own_rating, rating, track_gain, track_peak, album_gain, album_peak, identity, server_plays, music_ids) VALUES (1, 'files', 1, 'First Light', 'first light', 'The Lanterns', 1, 1, 2019, 'Ambient', 36000, NULL, NULL, 1795236858019083, 1795236860151816, 216172782113849344, 1, 1, NULL, NULL, NULL, NULL, 'flac', 1, NULL, NULL, NULL, '', 1795236860151816, NULL, NULL, NULL, NULL, NULL, NULL, 1647298301692884791, NULL, NULL)
INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, recording, release, added_at, played_at, search_row, shelf, shown, native, guid, file, part, format, is_lossless, section, digest, artist_sort, moods, heard_at, own_rating, rating, track_gain, track_peak, album_gain, album_peak, identity, server_plays, music_ids) VALUES (3, 'files', 1, 'Short Pier', 'short pier', 'The Lanterns', 1, 3, 2019, 'Ambient', 20000, NULL, NULL, 1795236858019083, 0, 216172782113980416, 1, 3, NULL, NULL, NULL, NULL, 'flac', 1, NULL, NULL, NULL, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 3302139178046397987, NULL, NULL)
INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, recording, release, added_at, played_at, search_row, shelf, shown, native, guid, file, part, format, is_lossless, section, digest, artist_sort, moods, heard_at, own_rating, rating, track_gain, track_peak, album_gain, album_peak, identity, server_plays, music_ids) VALUES (4, 'files', 2, '序', '序', 'Лунный квартет', 1, 1, 2021, 'Ambient', 35000, NULL, NULL, 1795236858019083, 0, 216172782114177024, 2, 4, NULL, NULL, NULL, NULL, 'flac', 1, NULL, NULL, NULL, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, -6403044895660166044, NULL, NULL)
INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, recording, release, added_at, played_at, search_row, shelf, shown, native, guid, file, part, format, is_lossless, section, digest, artist_sort, moods, heard_at, own_rating, rating, track_gain, track_peak, album_gain, album_peak, identity, server_plays, music_ids) VALUES (5, 'files', 2, 'Ещё вечер', 'еще вечер', 'Лунный квартет', 1, 2, 2021, 'Ambient', 37000, NULL, NULL, 1795236858019083, 0, 216172782114111488, 2, 5, NULL, NULL, NULL, NULL, 'opus', 0, NULL, NULL, NULL, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 7346521746077545000, NULL, NULL)
INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, recording, release, added_at, played_at, search_row, shelf, shown, native, guid, file, part, format, is_lossless, section, digest, artist_sort, moods, heard_at, own_rating, rating, track_gain, track_peak, album_gain, album_peak, identity, server_plays, music_ids) VALUES (6, 'files', 2, '👋 До утра', 'до утра', 'Лунный квартет', 1, 3, 2021, 'Ambient', 30000, NULL, NULL, 1795236858019083, 0, 216172782114045952, 2, 6, NULL, NULL, NULL, NULL, 'flac', 1, NULL, NULL, NULL, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, 6008155808752174163, NULL, NULL)
INSERT INTO folders (id, path, device, cover, cover_mark, artist_picture, artist_mark) VALUES (1, X'2F7372762F686F6D6530312F6D757369632F546865204C616E7465726E73202D204D6F726E696E672054696465', 65024, X'636F7665722E6A7067', '26khy6ul8l0vm', NULL, NULL)
INSERT INTO folders (id, path, device, cover, cover_mark, artist_picture, artist_mark) VALUES (2, X'2F7372762F686F6D6530312F6D757369632FF09F8C9920E69C88E381AEE5BAAD', 65024, X'636F7665722E6A7067', 'bdt90sw3a14p', NULL, NULL)
INSERT INTO files (id, folder, name, inode, size, modified, track, tags, problem) VALUES (1, 1, X'3031204669727374204C696768742E666C6163', 2138320, 482013, 1795236857885641342, 1, 'First LightThe LanternsMorning TideThe Lanterns112019Ambient360001', NULL)
INSERT INTO files (id, folder, name, inode, size, modified, track, tags, problem) VALUES (3, 1, X'30332053686F727420506965722E666C6163', 2138321, 270560, 1795236857885641342, 3, 'Short PierThe LanternsMorning TideThe Lanterns132019Ambient200001', NULL)
INSERT INTO files (id, folder, name, inode, size, modified, track, tags, problem) VALUES (4, 2, X'303120E5BA8F2E666C6163', 2138328, 468955, 1795236857887030690, 4, '序Лунный квартет月の庭Лунный квартет112021Ambient350001', NULL)
INSERT INTO files (id, folder, name, inode, size, modified, track, tags, problem) VALUES (5, 2, X'303220D095D189D19120D0B2D0B5D187D0B5D1802E6F707573', 2138327, 353542, 1795236857887030690, 5, 'Ещё вечерЛунный квартет月の庭Лунный квартет122021Ambient37000', NULL)
INSERT INTO files (id, folder, name, inode, size, modified, track, tags, problem) VALUES (6, 2, X'303320F09F918B2E666C6163', 2138326, 401141, 1795236857887030690, 6, '👋 До утраЛунный квартет月の庭Лунный квартет132021Ambient300001', NULL)
INSERT INTO search (rowid, words, item) VALUES (72057594037993472, 'the lanterns', 1)
INSERT INTO search (rowid, words, item) VALUES (72057594038059008, 'лунныи квартет', 2)
INSERT INTO search (rowid, words, item) VALUES (144115188075921408, 'morning tide the lanterns', 1)
INSERT INTO search (rowid, words, item) VALUES (144115188075986944, '月 の 庭 лунныи квартет', 2)
INSERT INTO search (rowid, words, item) VALUES (216172782113849344, 'first light the lanterns', 1)
INSERT INTO search (rowid, words, item) VALUES (216172782113980416, 'short pier the lanterns', 3)
INSERT INTO search (rowid, words, item) VALUES (216172782114045952, '👋 до утра лунныи квартет', 6)
INSERT INTO search (rowid, words, item) VALUES (216172782114111488, 'еще вечер лунныи квартет', 5)
INSERT INTO search (rowid, words, item) VALUES (216172782114177024, '序 лунныи квартет', 4)
INSERT INTO search (rowid, words, item) VALUES (288230376151777280, 'evening', 1)
INSERT INTO artists (id, source, key, name, sort, albums, search_row, art, summary, genres, rating) VALUES (1, 'files', 'the lanterns', 'The Lanterns', 'lanterns', 1, 72057594037993472, NULL, NULL, '', NULL)
INSERT INTO artists (id, source, key, name, sort, albums, search_row, art, summary, genres, rating) VALUES (2, 'files', 'лунный квартет', 'Лунный квартет', 'лунныи квартет', 1, 72057594038059008, NULL, NULL, '', NULL)
INSERT INTO album_tags (album, kind, folded, name, place) VALUES (1, 0, 'ambient', 'Ambient', 0)
INSERT INTO album_tags (album, kind, folded, name, place) VALUES (2, 0, 'ambient', 'Ambient', 0)
INSERT INTO collections (id, source, native, title, title_sort, summary, art, section, search_row, digest) VALUES (1, 'plex', '900', 'Evening', 'evening', NULL, NULL, NULL, 288230376151777280, 0)
INSERT INTO collection_items (collection, position, native, kind, item) VALUES (1, 0, '901', NULL, NULL)
INSERT INTO ratings (kind, identity, rating, rated_at) VALUES (2, 4711, 8, 1790000000000000)
INSERT INTO pins (source, title, is_pinned) VALUES ('plex', 'Evening', 1)
INSERT INTO pictures (reference, size, digest) VALUES ('files:c1.26khy6ul8l0vm', 0, '9039e337001a71fd82012f39286b7c966d804d3c50824700883ec65bce3cd8cb')
INSERT INTO pictures (reference, size, digest) VALUES ('files:c2.bdt90sw3a14p', 0, '678c4de764e78d4ef05085076885634bbbb9668381b56ca16478503033a16a41')
INSERT INTO palettes (reference, colours) VALUES ('files:c1.26khy6ul8l0vm', '#29e1a5#8db9dc#1a1e40')
INSERT INTO palettes (reference, colours) VALUES ('files:c2.bdt90sw3a14p', '#a3cd52#4d94da#33401a')
INSERT INTO listen_tracks (id, track, number, album, identity, body) VALUES (1, 'files:t1', 1, 1, 1647298301692884791, '{"album":"Morning Tide","albumArtist":"The Lanterns","albumID":"files:a1","art":"files:c1.26khy6ul8l0vm","artist":"The Lanterns","disc":1,"duration":36000,"genres":["Ambient"],"id":"files:t1","number":1,"title":"First Light","year":2019}')
INSERT INTO listen_tracks (id, track, number, album, identity, body) VALUES (2, 'files:t3', 3, 1, 3302139178046397987, '{"album":"Morning Tide","albumArtist":"The Lanterns","albumID":"files:a1","art":"files:c1.26khy6ul8l0vm","artist":"The Lanterns","disc":1,"duration":20000,"genres":["Ambient"],"id":"files:t3","number":3,"title":"Short Pier","year":2019}')
INSERT INTO listens (id, listen, track, room, started_at, day, heard, outcome, counted_at) VALUES (1, 'qaew4zx48mknm12jxzmb', 1, 'kitchen', 1795236858279601, 20261121, 36004, 1, 1795236860151816)
INSERT INTO listens (id, listen, track, room, started_at, day, heard, outcome, counted_at) VALUES (2, 'gek2c4mz0wp4zmrn3cez', 2, 'kitchen', 1795236860175289, 20261121, 20004, 0, NULL)
INSERT INTO unreadable_facts (journal, epoch, seq, node, kind, payload, problem) VALUES ('j1', 1, 1, 'playback@kitchen', 'playback.listen-ended', X'7B7D', 'too new')
INSERT INTO play_outbox (id, listen, source, track, counted_at, stage, count_before, problem, failures) VALUES (1, 'l-waits', 'plex', 3, 1790000000000000, 3, NULL, 'library.gone', 0)
INSERT INTO music_folders (id, path, added_at) VALUES (1, X'2F6D757369632F6D696E65', 1790000000000000)
CREATE INDEX bus_answers_by_time ON bus_answers (time)
CREATE INDEX files_with_problems ON files (track IS NOT NULL, id) WHERE problem IS NOT NULL
CREATE INDEX artists_by_name ON artists (sort, id)
CREATE INDEX members_of_artist ON artist_members (key)
CREATE INDEX albums_by_name ON albums (artist_sort, title_sort, id) WHERE shelf = id
CREATE INDEX albums_by_arrival ON albums (added_at, id) WHERE shelf = id
CREATE INDEX albums_by_year ON albums (year_order, artist_sort, title_sort, id) WHERE shelf = id
CREATE INDEX albums_by_play ON albums (played_at, id) WHERE shelf = id
CREATE INDEX albums_of_artist ON albums (artist_id, year, title_sort, id)
CREATE INDEX albums_by_merge ON albums (merge_key, id)
CREATE INDEX albums_to_index ON albums (id) WHERE search_row IS NULL AND shelf = id
CREATE INDEX albums_of_tag ON album_tags (kind, folded, album)
CREATE INDEX tracks_of_album ON tracks (album)
CREATE INDEX tracks_of_shelf ON tracks (shelf, disc, ifnull(number, 1000000), title_sort, id) WHERE shelf IS NOT NULL
CREATE INDEX tracks_by_title ON tracks (title_sort, id) WHERE shelf IS NOT NULL
CREATE INDEX tracks_to_index ON tracks (title_sort, id) WHERE search_row IS NULL AND shelf IS NOT NULL
CREATE INDEX tracks_by_identity ON tracks (identity)
CREATE INDEX tracks_copied ON tracks (shown) WHERE shown <> id
CREATE UNIQUE INDEX tracks_of_source ON tracks (source, native) WHERE native IS NOT NULL
CREATE INDEX heirs_of ON heirs (kind, heir)
CREATE INDEX collections_by_title ON collections (title_sort, id)
CREATE INDEX playlists_by_title ON playlists (title_sort, id)
CREATE INDEX tracks_by_arrival ON tracks (added_at, id) WHERE shelf IS NOT NULL
CREATE INDEX tracks_by_year ON tracks (year, id) WHERE shelf IS NOT NULL
CREATE INDEX tracks_by_play ON tracks (played_at, id) WHERE shelf IS NOT NULL
CREATE INDEX listen_tracks_by_id ON listen_tracks (track)
CREATE INDEX listen_tracks_by_number ON listen_tracks (number)
CREATE INDEX listen_tracks_by_album ON listen_tracks (album)
CREATE INDEX listens_by_time ON listens (started_at, id, track, room, day, outcome)
CREATE INDEX listens_of_track ON listens (track, started_at, id, outcome)
CREATE INDEX listens_of_room ON listens (room, started_at, id)
CREATE INDEX plays_to_send ON play_outbox (source, failures, id) WHERE stage < 2
CREATE INDEX plays_of_track_to_send ON play_outbox (source, track, id) WHERE stage < 2
CREATE INDEX plays_parked ON play_outbox (source) WHERE stage = 3
