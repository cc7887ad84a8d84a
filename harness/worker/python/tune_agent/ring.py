"""The notes of a process: records in a ring, in a file that tune maps too. A kill loses none.

`notes.<rank>` is little-endian; harness/worker/script/note.h reads it. A page comes first:

       0  "tunenote"
       8  u32  version of this format
      12  u32  bytes of this page, 4096
      16  u32  bytes of a record, 16
      20  u32  rank
      24  u64  records that fit, whole segments
      32  u64  records of a segment
      40  u64  process id
      48  i64  CLOCK_MONOTONIC and, at 56, CLOCK_REALTIME when the file was made, ns
      64  u64  segments begun, over all laps
      72  u64  records that found no room, rounded up to whole blocks of 256
    2048  u8   command of tune, 0 once it is obeyed; i64 at 2056: its number
    2112  u64  segments that tune has taken: their room may be used again

and then the records: u8 kind, u8 flags, u16 subject, i32 number, i64 moment on CLOCK_MONOTONIC.
The moment is written last, and is 0 as long as there is no record. Only the thread that trains
writes. Where the ring is full, notes are dropped and counted; LOST stands where they are missing.
"""
import itertools
import mmap
import os
import struct
import time

MAGIC = b"tunenote"
VERSION = 1
HEADER_BYTES = 4096
RECORD_BYTES = 16
SEGMENT = 4096
CAPACITY = 1 << 16
BEGUN, DROPPED, COMMAND, ARGUMENT, TAKEN, SCRATCH = 64, 72, 2048, 2056, 2112, 3072
DROPPED_AT_ONCE = 256
GRADIENTS = BEGINS = 1  # flags: gradients are enabled; a mark begins

(ASK, GOT, END, ITERATE, FETCHED, CALL, BACK, BACK_END, GRAD, GRAD_END, STEP, STEP_END, CLEAR,
 CLEAR_END, SAVE, SAVE_END, LOADER, EPOCH, MARK, LOST, RECORD, RECORD_END, OPTIMIZER,
 UNSEEN) = range(1, 25)

_now = time.monotonic_ns
_pack = struct.Struct("qq").pack_into  # native, so that each word is stored at once
_word = struct.Struct("q")


def word(kind, subject=0, flags=0, number=0):
    """All of a record but its moment."""
    number = max(-(1 << 31), min((1 << 31) - 1, number))
    return kind | flags << 8 | min(subject, 65535) << 16 | number << 32


class _Segments:
    """What `itertools.chain` asks for offsets: thousands of notes need no line of Python."""

    def __init__(self, page, capacity, position):
        self.page, self.all, self.dropped = page, capacity // SEGMENT, 0
        self.begun, self.into = position // SEGMENT, position % SEGMENT

    def __iter__(self):
        return self

    def __next__(self):
        page = self.page
        if self.begun - _word.unpack_from(page, TAKEN)[0] >= self.all:
            self.dropped += DROPPED_AT_ONCE
            _word.pack_into(page, DROPPED, self.dropped)
            self.lost = True
            return itertools.repeat(SCRATCH, DROPPED_AT_ONCE)
        size = SEGMENT * RECORD_BYTES
        begin = HEADER_BYTES + self.begun % self.all * size
        if self.begun >= self.all:
            page[begin:begin + size] = bytes(size)
        first = begin + self.into * RECORD_BYTES
        self.begun, self.into = self.begun + 1, 0
        _word.pack_into(page, BEGUN, self.begun)
        if self.lost:
            self.lost = False
            _pack(page, first, word(LOST, number=self.dropped), _now())
            first += RECORD_BYTES
        return range(first, begin + size, RECORD_BYTES)

    lost = False


class Ring:
    """Records in `page`, a buffer of HEADER_BYTES and then room for `capacity` records."""

    def __init__(self, page, capacity, position=0):
        self.page = page
        self._offsets = itertools.chain.from_iterable(_Segments(page, capacity, position))

    def tick(self, kind, subject=0, flags=0, number=0):
        """A function without arguments that notes this, now: no line of Python is run by it."""
        what = itertools.repeat(word(kind, subject, flags, number))
        clock = iter(_now, -1)  # a clock without end
        return map(_pack, itertools.repeat(self.page), self._offsets, what, clock).__next__

    def note(self, kind, subject=0, flags=0, number=0):
        _pack(self.page, next(self._offsets), word(kind, subject, flags, number), _now())

    def bytes_written(self):
        """The records up to here, for another ring to begin with. No more may be written."""
        end = next(self._offsets)
        return bytes(self.page[HEADER_BYTES:len(self.page) if end == SCRATCH else end])


def scouting_ring():
    """In memory, for a process of which nobody knows yet whether it trains."""
    capacity = 16 * SEGMENT
    return Ring(bytearray(HEADER_BYTES + capacity * RECORD_BYTES), capacity)


def ring_in_file(path, rank, earlier, capacity=CAPACITY):
    """A new file with the records of `earlier` in it. All of its room is taken and touched at once: a
    full disk found later would end the process by a signal, and a first touch costs microseconds."""
    size = HEADER_BYTES + capacity * RECORD_BYTES
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, size)
        page = mmap.mmap(descriptor, size)
    finally:
        os.close(descriptor)
    page[:] = bytes(size)
    old = earlier.bytes_written()[:(capacity - 1) * RECORD_BYTES]
    page[HEADER_BYTES:HEADER_BYTES + len(old)] = old
    # The first segments are begun as soon as there is a record.
    position = len(old) // RECORD_BYTES
    struct.pack_into("<QQQqqQQ", page, 24, capacity, SEGMENT, os.getpid(), _now(), time.time_ns(),
                     -(-position // SEGMENT), 0)
    struct.pack_into("<8sIIII", page, 0, MAGIC, VERSION, HEADER_BYTES, RECORD_BYTES, rank)
    return Ring(page, capacity, position)
