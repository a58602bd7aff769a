"""Hostile files: lists that pose as sound, tags that nest or inflate without end, words that hold separators and odd signs,
pictures that are none, mutated audio, and links and pipes in place of texts."""
import itertools
import os
import socket
import struct
import subprocess
import zlib


def atom(name, body):
    return struct.pack(">I4s", 8 + len(body), name) + body


def nested_atoms(names, depth):
    """Atoms within atoms; each header says how much follows."""
    heads = [struct.pack(">I4s", 8 * (depth - index), name) for index, name in zip(range(depth), itertools.cycle(names))]
    return atom(b"ftyp", b"M4A \0\0\2\0M4A mp42isom") + b"".join(heads)


def syncsafe(size):
    return bytes(size >> shift & 127 for shift in (21, 14, 7, 0))


def id3(frames, version=4):
    return b"ID3" + bytes([version, 0, 0]) + syncsafe(min(len(frames), (1 << 28) - 1)) + frames


def frame(name, body, flags=b"\0\0", version=4):
    size = syncsafe(len(body)) if version == 4 else struct.pack(">I", len(body))
    return name + size + flags + body


def nested_chapters(depth):
    """A chapter frame in a chapter frame, and so on."""
    body = b""
    for level in range(depth):
        name, head = ((b"CHAP", b"c\0" + bytes(16)) if level % 2 else (b"CTOC", b"t\0\3\1c\0"))
        body = frame(name, head + body)
    return id3(body)


def inflating_frame(megabytes):
    """A compressed text frame, which is small in the file and huge in memory."""
    text = zlib.compress(b"\0" + b"A" * (megabytes << 20), 9)
    return id3(frame(b"TIT2", struct.pack(">I", (megabytes << 20) + 1) + text, flags=b"\0\x80", version=3), version=3)


def png(width, height, body=b""):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", body or zlib.compress(bytes(1 << 20))) + chunk(b"IEND", b""))


# What a value of a tag, or of a server's answer, is made of: names, and all that reading them looks for.
WORDS = ["Ann", "Bo", "The Ten", "10", "I", "0", "-1", "9" * 40, "1/0", "2024-13-45", "0000", "A-1", "Disc 2", "Æ", "日本", "שלום", "🎻", "e\u0301" * 30]
BETWEEN = ["", " ", "  ", "\u00a0", "\u200b", "\t", "\n", "\x01", "/", " / ", ";", "; ", ",", ", ", "\\", "|", "\u2022", " & ", " feat. ", " FEAT. ", " ft. ", "(feat. ",
           "[feat. ", " featuring ", " with ", " vs. ", " x ", " - ", "(", ")", "[", "]", ":", ".", "\u2026", "%", "%2f"]
FRAMES = [b"TIT2", b"TPE1", b"TPE2", b"TALB", b"TCON", b"TRCK", b"TPOS", b"TDRC", b"TCOM", b"TSOP", b"TIT1"]


class HostileFiles:
    """Makes hostile files. Those of one seed are always the same."""

    def __init__(self, dice, bait, seeds):
        self.dice, self.bait = dice, bait
        self.audio, self.picture = seeds
        self.inflating = [inflating_frame(megabytes) for megabytes in (64, 256)]
        self.kinds = [self.list, self.list, self.atoms, self.chapters, self.compressed, *[self.worded] * 3, *[self.mutated] * 6]

    def sound(self):
        """Returns a file's extension and bytes."""
        return self.dice.choice(self.kinds)()

    def list(self):
        """A list of other files, or a description of a network stream, that is named like sound."""
        bait, url, path = self.bait, self.bait.url("listed.mp3"), str(self.bait.secret_file)
        port = self.bait.port
        text = self.dice.choice([
            f"# mpv EDL v0\n%{len(path)}%{path},0,10\n{url},0,10\n",
            f"#EXTM3U\n#EXTINF:10,x\n{url}\n{path}\nfile://{path}\n",
            f"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n{url}\n#EXTINF:5,\n{path}\n#EXT-X-ENDLIST\n",
            f"[playlist]\nFile1={url}\nFile2={path}\nNumberOfEntries=2\nVersion=2\n",
            f"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio {port} RTP/AVP 0\r\n",
            f"[Reference]\r\nRef1={url}\r\nRef2={path}\r\n",
            f"ffconcat version 1.0\nfile '{path}'\nfile '{url}'\n",
            f"<asx version=\"3.0\"><entry><ref href=\"{url}\"/></entry></asx>",
            f"<?xml version=\"1.0\"?><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>{url}</location></track></trackList></playlist>",
            f"FILE \"{path}\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n",
            f"<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period><AdaptationSet mimeType=\"audio/mp4\"><Representation id=\"1\" bandwidth=\"1\"><BaseURL>{url}</BaseURL></Representation></AdaptationSet></Period></MPD>",
            f"rtsptextrtsp://127.0.0.1:{port}/x\n", f"edl://{url}\n", "mf://@list\n"]).encode()
        # Tags before the list make tag readers take it for sound.
        head = id3(frame(b"TIT2", b"\3Listed") + frame(b"TALB", b"\3Lists")) if self.dice.random() < 0.4 else b""
        return self.dice.choice(["mp3", "aac", "flac", "ogg", "wav", "m4a"]), head + text + bytes(self.dice.choice([0, 8192]))

    def atoms(self):
        names = self.dice.choice([[b"moov"], [b"moov", b"udta"], [b"moov", b"trak", b"mdia", b"minf", b"stbl"], [b"moov", b"udta", b"ilst"]])
        return "m4a", nested_atoms(names, self.dice.choice([100, 10_000, 100_000]))

    def chapters(self):
        return "mp3", nested_chapters(self.dice.choice([10, 1000, 4000])) + self.audio["mp3"]

    def compressed(self):
        return "mp3", self.dice.choice(self.inflating) + self.audio["mp3"]

    def words(self):
        """Returns a value of names and separators, in any order and of any length."""
        count = self.dice.choice([1, 2, 3, 5, 9, 200])
        return "".join(self.dice.choice(self.dice.choice([WORDS, BETWEEN])) for _ in range(count))

    def worded(self):
        """A valid file whose tags hold such values."""
        frames = [frame(name, b"\3" + self.words().encode()) for name in FRAMES if self.dice.random() < 0.7]
        frames += [frame(b"TXXX", b"\3" + name + b"\0" + self.words().encode())
                   for name in (b"ARTISTS", b"MusicBrainz Album Id", b"REPLAYGAIN_TRACK_GAIN", b"ORIGINALYEAR") if self.dice.random() < 0.5]
        return "mp3", id3(b"".join(frames)) + self.audio["mp3"]

    def mutated(self):
        extension = self.dice.choice(sorted(self.audio))
        return extension, self.mutate(self.audio[extension])

    def mutate(self, whole):
        """Returns a valid file in which bytes are changed, doubled, moved or cut off."""
        body, dice = bytearray(whole), self.dice
        for _ in range(dice.choice([1, 2, 8, 64])):
            # Headers are where the most can be broken.
            at = dice.randrange(min(len(body), dice.choice([64, 1024, len(body)])))
            match dice.randrange(6):
                case 0: body[at] = dice.randrange(256)
                case 1: body[at:at + 4] = dice.choice([b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"\x80\0\0\0"])
                case 2: body[at:at] = body[at:at + dice.randrange(1, 512)]
                case 3: del body[at:at + dice.randrange(1, 64)]
                case 4: body[at:at + 16] = dice.randbytes(16)
                case 5 if dice.random() < 0.2: del body[max(16, at):]
            if not body:
                return b"\0"
        return bytes(body)

    def cover(self):
        """Returns a file that claims to be a JPEG or PNG."""
        link = self.bait.url("linked.png")
        return self.dice.choice([
            f"<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><image xlink:href=\"{link}\" width=\"9\" height=\"9\"/></svg>".encode(),
            b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n" + self.dice.randbytes(512),
            atom(b"ftyp", b"heic\0\0\0\0mif1heic") + self.dice.randbytes(512),
            png(60_000, 60_000), png(9, 9, b"\0" * 64), b"GIF89a\xff\xff\xff\xff\xf7\0\0" + self.dice.randbytes(900),
            b"RIFF\xff\xff\xff\x7fWEBPVP8L" + self.dice.randbytes(300), f"push graphic-context\nimage over 0,0 9,9 '{link}'\n".encode(),
            *[self.mutate(self.picture)] * 4])

    def fill(self, folder, count):
        """Fills a folder with albums of hostile files, and with things that are no regular files at all."""
        for number in range(count):
            place = folder / f"Album {number // 10}"
            if number % 10 == 0:
                place.mkdir(parents=True)
                (place / "cover.jpg").write_bytes(self.cover())
            extension, body = self.sound()
            (place / f"{number:05}.{extension}").write_bytes(body)
        odd = folder / "Odd"
        odd.mkdir()
        os.mkfifo(odd / "pipe.mp3")
        (odd / "out.mp3").symlink_to("/dev/zero")
        (odd / "passwords.flac").symlink_to("/etc/passwd")
        (odd / "cover.jpg").symlink_to(self.bait.secret_file)
        (odd / "again").symlink_to(folder)
        for name in ("list.m3u8", "list.xspf", "sheet.cue", ".mpdignore", "passwords.lrc", "notes.txt"):
            (odd / name).symlink_to(self.bait.secret_text)
        for name in ("pipe.m3u", "pipe.cue", ".ndignore", "pipe.lrc"):
            os.mkfifo(odd / name)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(odd / "socket.ogg"))
        with open(odd / "sparse.wav", "wb") as sparse:
            sparse.write(self.audio["wav"][:64])
            sparse.truncate(1 << 42)
        (odd / os.fsdecode(b"\xff\xfe\x9b31m\xe2\x80\xae.mp3")).write_bytes(self.audio["mp3"])


def seeds(folder):
    """Makes a short valid file of each format, and a picture, with ffmpeg. Returns their bytes."""
    folder.mkdir()
    formats = {"mp3": [], "flac": [], "ogg": ["-c:a", "libvorbis"], "opus": ["-c:a", "libopus"], "m4a": ["-c:a", "aac"], "wav": [],
               "aiff": [], "aac": [], "wv": [], "tta": []}
    tags = ["-metadata", "artist=The Strangers", "-metadata", "album=Mutations", "-metadata", "title=Mutation"]
    audio = {}
    for extension, words in formats.items():
        path = folder / f"seed.{extension}"
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "sine=440:duration=0.5", *words, *tags, path], check=True)
        audio[extension] = path.read_bytes()
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc=size=64x64", "-frames:v", "1", folder / "seed.jpg"], check=True)
    return audio, (folder / "seed.jpg").read_bytes()
