"""Tools for measuring playback: libmpv alone, a reader of a pipe, processor time, samples."""
import array
import ctypes
import fcntl
import os
import select
import subprocess
import threading
import time

from figures import fail


class Event(ctypes.Structure):
    """mpv_event (libmpv's client.h)."""
    _fields_ = [("id", ctypes.c_int), ("error", ctypes.c_int), ("mark", ctypes.c_uint64), ("data", ctypes.c_void_p)]


class Player:
    """libmpv alone, without any code of Lunara."""
    IDLE, RESTART = 11, 21

    def __init__(self, **options):
        self.mpv = mpv = ctypes.CDLL("libmpv.so.2")
        mpv.mpv_create.restype = ctypes.c_void_p
        mpv.mpv_wait_event.restype = ctypes.POINTER(Event)
        mpv.mpv_wait_event.argtypes = [ctypes.c_void_p, ctypes.c_double]
        mpv.mpv_command_async.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_char_p)]
        mpv.mpv_set_option_string.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
        for function in (mpv.mpv_initialize, mpv.mpv_terminate_destroy):
            function.argtypes = [ctypes.c_void_p]
        self.handle = mpv.mpv_create()
        for name, value in {"vid": "no", "audio-display": "no", "idle": "yes", **options}.items():
            if mpv.mpv_set_option_string(self.handle, name.replace("_", "-").encode(), value.encode()) < 0:
                fail(f"libmpv does not take {name}={value}")
        if mpv.mpv_initialize(self.handle) < 0:
            fail("libmpv cannot be started")

    def command(self, *words):
        mpv_words = (ctypes.c_char_p * (len(words) + 1))(*[os.fsencode(word) for word in words], None)
        self.mpv.mpv_command_async(self.handle, 0, mpv_words)

    def wait(self, wanted, limit=60):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if self.mpv.mpv_wait_event(self.handle, end - time.monotonic()).contents.id == wanted:
                return time.monotonic()
        return fail(f"libmpv did not come to event {wanted}")

    def forget(self):
        """Removes the events that wait."""
        while self.mpv.mpv_wait_event(self.handle, 0).contents.id:
            pass

    def close(self):
        self.mpv.mpv_terminate_destroy(self.handle)


class PipeReader:
    """Reads what a player writes into a named pipe, in real time once sound flows. With `keeps` it keeps all of it."""
    HEADER = 100  # a WAV header is shorter

    def __init__(self, path, keeps=False):
        self.kept = [] if keeps else None
        # Bytes a second, taken from the WAV header; until then those of 16 bits, stereo, 44,100 Hz.
        self.pace, self.due = 44_100 * 4, 0
        os.mkfifo(path)
        # Opened for reading and writing, so that players may come and go.
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.pipe, 1031, 4096)  # F_SETPIPE_SZ
        self.first, self.last, self.heard, self.is_hasty, self.is_open = None, None, 0, True, True
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self):
        while True:
            if not select.select([self.pipe], [], [], 0.1)[0]:
                if not self.is_open:
                    return
                continue
            try:
                body = os.read(self.pipe, 4096)
            except BlockingIOError:
                continue
            now = time.monotonic()
            self.heard += len(body)
            if body[:4] == b"RIFF":
                self.pace = int.from_bytes(body[28:32], "little") or self.pace
            if self.kept is not None:
                self.kept.append(body)
            self.last = now
            if self.first is None and self.heard > self.HEADER:
                self.first = now
            if not self.is_hasty:
                # Time in which it could not read is made up for.
                self.due = max(self.due, now - 1) + len(body) / self.pace
                time.sleep(max(0, self.due - time.monotonic()))

    def listen(self):
        """Starts to listen for the first sample."""
        self.first, self.heard, self.is_hasty = None, 0, False

    def wait(self, limit=60):
        """The time of the first sample since `listen`."""
        end = time.monotonic() + limit
        while self.first is None:
            if time.monotonic() > end:
                fail("no sample came")
            time.sleep(0.001)
        return self.first

    def hurry(self):
        """Reads as fast as data comes, so that a player can stop quickly."""
        self.is_hasty = True

    def close(self):
        """Reads what is left in the pipe, and ends."""
        self.is_hasty, self.is_open = True, False
        self.thread.join()
        os.close(self.pipe)


# Samples.

def decode(path, form):
    """The samples of a file, decoded by ffmpeg: `s16le` or `f32le`."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-f", form, "-"], capture_output=True, check=True)
    return samples(done.stdout, form)


def samples(body, form):
    return array.array({"s16le": "h", "f32le": "f"}[form], body)


def wave(body):
    """The samples of a WAV file and their format. Behind a header without a size, all that follows is sound."""
    at = 12
    form = None
    while at + 8 <= len(body):
        name, size = body[at:at + 4], int.from_bytes(body[at + 4:at + 8], "little")
        if name == b"fmt ":
            form = {16: "s16le", 32: "f32le"}[int.from_bytes(body[at + 22:at + 24], "little")]
        if name == b"data":
            return samples(body[at + 8:at + 8 + size], form), form
        at += 8 + size + size % 2
    return fail(f"{len(body)} bytes of a WAV file hold no sound")


def differing(heard, expected):
    """The number of samples that differ, including missing and surplus ones."""
    pairs = sum(1 for left, right in zip(heard, expected) if left != right)
    return pairs + abs(len(heard) - len(expected))
