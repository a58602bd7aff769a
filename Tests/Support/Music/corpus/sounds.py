"""Makes one short sound in each format, and says what its header states."""
import concurrent.futures
import pathlib
import struct
import subprocess

SECONDS = 1.0


class Sound:
    """A file without tags in one format."""

    def __init__(self, name, ending, codec, tagging, arguments=None, rate=44100, depth=None, channels=2, make=None):
        self.name, self.ending, self.codec, self.tagging = name, ending, codec, tagging
        self.arguments, self.rate, self.depth, self.channels, self.make = arguments, rate, depth, channels, make
        self.bytes = b""

    @property
    def facts(self):
        """What is expected of the audio. Lossy formats have no depth, and modules have neither rate nor channels."""
        facts = {"codec": self.codec, "lossless": self.codec in LOSSLESS}
        if self.codec != "mod":
            facts |= {"sampleRate": self.rate, "channels": self.channels, "duration": int(SECONDS * 1000)}
        if self.depth:
            facts["bitDepth"] = self.depth
        return facts


LOSSLESS = {"flac", "alac", "pcm", "wavpack", "tta", "dsd"}


def dsf():
    """One second of a tone beyond hearing as DSD64 (Sony, "DSF File Format Specification")."""
    blocks = 2822400 // 8 // 4096 + 1
    data = b"\x69\x96" * (blocks * 4096)
    body = b"fmt " + struct.pack("<QIIIIIIQII", 52, 1, 0, 2, 2, 2822400, 1, 2822400, 4096, 0)
    body += b"data" + struct.pack("<Q", 12 + len(data)) + data
    return b"DSD " + struct.pack("<QQQ", 28, 28 + len(body), 0) + body


def chunk(name, body):
    return name + struct.pack(">Q", len(body)) + body + b"\0" * (len(body) % 2)


def dff():
    """One second of a tone beyond hearing as DSD64 (Philips, "DSDIFF 1.5")."""
    properties = b"SND " + chunk(b"FS  ", struct.pack(">I", 2822400)) + chunk(b"CHNL", struct.pack(">H", 2) + b"SLFTSRGT")
    properties += chunk(b"CMPR", b"DSD \x0enot compressed\0")
    body = b"DSD " + chunk(b"FVER", bytes([1, 5, 0, 0])) + chunk(b"PROP", properties)
    return chunk(b"FRM8", body + chunk(b"DSD ", b"\x69\x96" * (2822400 // 8)))


def module():
    """A ProTracker module of one pattern with one sample."""
    sample = b"beep".ljust(22, b"\0") + struct.pack(">HBBHH", 32, 0, 64, 0, 16)
    empty = bytes(22) + struct.pack(">HBBHH", 0, 0, 0, 0, 1)
    rows = bytearray(64 * 4 * 4)
    rows[0:4] = bytes([0x01, 0xAC, 0x10, 0x00])
    return (b"A module".ljust(20, b"\0") + sample + empty * 30 + bytes([1, 127]) + bytes(128) + b"M.K." + bytes(rows)
            + bytes([64, 192] * 32))


SOUNDS = [
    Sound("mp3", "mp3", "mp3", "id3", "-c:a libmp3lame -b:a 128k -id3v2_version 0 -write_xing 1"),
    Sound("mp3-vbr", "mp3", "mp3", "id3", "-c:a libmp3lame -q:a 4 -id3v2_version 0"),
    Sound("mp3-headless", "mp3", "mp3", "id3", "-c:a libmp3lame -b:a 96k -id3v2_version 0 -write_xing 0"),
    Sound("mp2", "mp2", "mp2", "id3", "-c:a mp2 -f mp2"),
    Sound("flac", "flac", "flac", "vorbis", "-c:a flac", depth=16),
    Sound("flac-24", "flac", "flac", "vorbis", "-c:a flac -sample_fmt s32 -bits_per_raw_sample 24 -ar 96000", rate=96000, depth=24),
    Sound("flac-mono", "flac", "flac", "vorbis", "-c:a flac -ac 1", depth=16, channels=1),
    Sound("vorbis", "ogg", "vorbis", "vorbis", "-c:a libvorbis"),
    Sound("opus", "opus", "opus", "vorbis", "-c:a libopus", rate=48000),
    Sound("opus-ogg", "ogg", "opus", "vorbis", "-c:a libopus -f ogg", rate=48000),
    Sound("ogg-flac", "oga", "flac", "vorbis", "-c:a flac -f ogg", depth=16),
    Sound("speex", "spx", "speex", "vorbis", "-c:a libspeex -ar 16000 -ac 1", rate=16000, channels=1),
    Sound("aac", "m4a", "aac", "mp4", "-c:a aac"),
    Sound("alac", "m4a", "alac", "mp4", "-c:a alac", depth=16),
    Sound("alac-24", "m4a", "alac", "mp4", "-c:a alac -sample_fmt s32p -bits_per_raw_sample 24 -ar 96000", rate=96000, depth=24),
    Sound("aac-mp4", "mp4", "aac", "mp4", "-c:a aac"),
    Sound("aac-m4b", "m4b", "aac", "mp4", "-c:a aac -f ipod"),
    Sound("wav", "wav", "pcm", "wav", "-c:a pcm_s16le -bitexact", depth=16),
    Sound("wav-24", "wav", "pcm", "wav", "-c:a pcm_s24le -ar 48000 -bitexact", rate=48000, depth=24),
    Sound("aiff", "aiff", "pcm", "aiff", "-c:a pcm_s16be", depth=16),
    Sound("aif", "aif", "pcm", "aiff", "-c:a pcm_s24be", depth=24),
    Sound("wavpack", "wv", "wavpack", "ape", "-c:a wavpack", depth=16),
    Sound("tta", "tta", "tta", "tta", "-c:a tta", depth=16),
    Sound("wma", "wma", "wma", "asf", "-c:a wmav2"),
    Sound("dsf", "dsf", "dsd", "dsf", rate=2822400, depth=1, make=dsf),
    Sound("dff", "dff", "dsd", "dff", rate=2822400, depth=1, make=dff),
    Sound("caf", "caf", "alac", None, "-c:a alac", depth=16),
    Sound("caf-pcm", "caf", "pcm", None, "-c:a pcm_s16be", depth=16),
    Sound("mka-flac", "mka", "flac", "matroska", "-c:a flac", depth=16),
    Sound("mka-opus", "mka", "opus", "matroska", "-c:a libopus", rate=48000),
    Sound("webm", "webm", "opus", "matroska", "-c:a libopus", rate=48000),
    Sound("ac3", "ac3", "ac3", None, "-c:a ac3"),
    Sound("eac3", "eac3", "eac3", None, "-c:a eac3"),
    Sound("dts", "dts", "dts", None, "-c:a dca -strict -2 -b:a 768k -ar 48000", rate=48000),
    Sound("adts", "aac", "aac", None, "-c:a aac -f adts"),
    Sound("au", "au", "pcm", None, "-c:a pcm_s16be", depth=16),
    Sound("w64", "w64", "pcm", None, "-c:a pcm_s16le", depth=16),
    Sound("rf64", "rf64", "pcm", None, "-c:a pcm_s16le -f wav -rf64 always", depth=16),
    Sound("mod", "mod", "mod", None, make=module),
]


def make(folder):
    """Makes all sounds in a folder for scratch; returns them by their names."""
    def encode(sound):
        if sound.make:
            sound.bytes = sound.make()
            return sound
        path = pathlib.Path(folder) / f"{sound.name}.{sound.ending}"
        source = f"sine=frequency=440:sample_rate={sound.rate if sound.rate <= 96000 else 44100}:duration={SECONDS}"
        words = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", source, "-ac", str(sound.channels)]
        subprocess.run([*words, *sound.arguments.split(), path], check=True)
        sound.bytes = path.read_bytes()
        return sound
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return {sound.name: sound for sound in pool.map(encode, SOUNDS)}


def picture(folder, name, colour, size=320):
    """Returns the bytes of a small picture of one colour."""
    path = pathlib.Path(folder) / name
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", f"color={colour}:size={size}x{size}",
                    "-frames:v", "1", path], check=True)
    return path.read_bytes()
