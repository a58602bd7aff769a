"""Answers of a library that finds and sorts, for tests of the page alone: windows of tracks, orders, and best results."""

# Answers the requests for paths that contain a text as `answer(url)` says, and passes the others on.
FAKES = """
    if (!window.fakeAnswer) {
    const { fetch: real } = window;
    const fakes = [];
    Object.assign(window, { asked: [], realFetch: real });
    window.fakeAnswer = (text, answer) => fakes.unshift([text, answer]);
    window.fetch = async (path, ...rest) => {
      const text = String(path);
      const url = new URL(text, location);
      window.asked.push(text);
      const fake = fakes.find(([part]) => text.includes(part));
      if (!fake) return real(path, ...rest);
      const answer = await fake[1](url, rest[0]);
      return answer === undefined ? real(path, ...rest) : new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
    };
    }"""

# A library of 100,000 tracks, 4,000 for each of 25 letters.
TRACKS = FAKES + """
    {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXY';
    const each = 4000;
    const total = letters.length * each;
    const trackAt = (at) => {
      const title = `${letters[Math.floor(at / each)]} song ${String(at % each).padStart(4, '0')}`;
      return { id: `files:t${at}`, albumID: 'files:a1', title, artist: 'Somebody', albumArtist: 'Somebody', album: 'Something', disc: 1, genres: [], durationSeconds: 200 };
    };
    window.fakeAnswer('/api/v1/tracks?', ({ searchParams }) => {
      const first = Number(searchParams.get('first'));
      const count = Math.min(Number(searchParams.get('limit')), total - first);
      const isReversed = searchParams.get('reversed') === 'true';
      const items = Array.from({ length: count }, (_, offset) => trackAt(isReversed ? total - 1 - first - offset : first + offset));
      return { total, first, items, generation: 1 };
    });
    window.fakeAnswer('/api/v1/tracks/index', ({ searchParams }) => {
      const names = searchParams.get('reversed') === 'true' ? [...letters].reverse() : [...letters];
      return { total, generation: 1, marks: names.map((name, at) => ({ name, first: at * each, count: each })) };
    });
    }"""

# A search that names its best result, forgives spelling, and finds genres, playlists and people.
SEARCH = FAKES + """
    window.fakeAnswer('/api/v1/search', async (url) => {
      const asked = url.searchParams.get('q');
      const words = asked.replace('nigth', 'light');
      url.searchParams.set('q', words);
      const found = await (await window.realFetch(url)).json();
      const { albums: [album], artists: [artist], tracks: [track] } = found;
      const best = artist ? { kind: 'artist', id: artist.id } : album ? { kind: 'album', id: album.id } : track ? { kind: 'track', id: track.id } : undefined;
      return {
        ...found, ...(best ? { best } : {}), ...(words === asked ? {} : { searchedWords: words }),
        tags: [
          ...(best ? [{ name: 'Folk', albums: 12, kind: 'genre' }, { name: 'Folk Rock', albums: 3, kind: 'genre' }] : []),
          ...(words === '1970s' ? [{ name: '1970', albums: 26, kind: 'decade' }] : []),
        ],
        people: artist ? ['composer', 'producer'].map((role) => ({ role, albums: 1, tracks: 2, person: { id: artist.id, name: artist.name } })) : [],
      };
    });"""

COLLECTIONS = FAKES + """
    window.fakeAnswer('/api/v1/collections?', ({ searchParams }) => {
      const items = [
        { id: 'plex:c1', title: 'Autumn', itemCount: 1, isPinned: true },
        { id: 'plex:c2', title: 'Zebra', itemCount: 9, isPinned: false },
      ];
      return { items: searchParams.get('sort') === 'items' ? items.reverse() : items, next: null };
    });"""
