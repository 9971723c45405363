"""Checks the page hashes in the signatures of a Mach-O library, universal or not, with nothing but Python's own library.

Usage: python mach_o_signature.py LIBRARY
"""

import hashlib
import struct
import sys


def parts(data):
    """Libraries for one processor in the file."""
    if data[:4] != b"\xca\xfe\xba\xbe":
        return [data]
    (count,) = struct.unpack_from(">I", data, 4)
    entries = [struct.unpack_from(">5I", data, 8 + 20 * i) for i in range(count)]
    return [data[offset : offset + size] for _, _, offset, size, _ in entries]


def signature(part):
    """Place of the signature, from the load command 0x1d; None without one."""
    magic, processor, _, _, count, _, _, _ = struct.unpack_from("<8I", part, 0)
    assert magic == 0xFEEDFACF, "no 64-bit Mach-O file"
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", part, at)
        if command == 0x1D:
            return processor, struct.unpack_from("<I", part, at + 8)[0]
        at += size
    return processor, None


def check(part, at):
    """Number of pages whose hashes were compared."""
    magic, _, count = struct.unpack_from(">3I", part, at)
    assert magic == 0xFADE0CC0, "no signature"
    pages = 0
    for i in range(count):
        _, offset = struct.unpack_from(">2I", part, at + 12 + 8 * i)
        directory = at + offset
        if struct.unpack_from(">I", part, directory)[0] != 0xFADE0C02:
            continue
        hashes, _, _, slots, limit = struct.unpack_from(">5I", part, directory + 16)
        size, kind, _, page = struct.unpack_from("4B", part, directory + 36)
        assert (size, kind) == (32, 2), "not SHA-256"
        assert slots == -(-limit // (1 << page)), "another number of pages"
        for slot in range(slots):
            start = slot << page
            digest = hashlib.sha256(part[start : min(start + (1 << page), limit)]).digest()
            place = directory + hashes + slot * size
            assert part[place : place + size] == digest, f"page {slot} differs from its hash"
        pages += slots
    return pages


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    for part in parts(data):
        processor, at = signature(part)
        if at is None:
            assert processor != 0x0100000C, "arm64 loads signed code only"
            print(f"processor {processor:#x}: not signed")
        else:
            print(f"processor {processor:#x}: {check(part, at)} pages as signed")


main()
