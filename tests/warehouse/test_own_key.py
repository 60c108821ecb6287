"""What was written into a home here is told from what others wrote: by a key that nobody else can read."""

from __future__ import annotations

import pytest

from warehouse.own_key import KEY_BYTES, KEY_FILE, is_signed, signature

DATA = b"accepted"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The user's cache, which is not there yet."""
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_signature_is_of_a_name_its_bytes_and_this_user(cache):
    signed = str(signature("verdicts/1", DATA)).encode()
    assert is_signed("verdicts/1", DATA, signed)
    assert not is_signed("verdicts/2", DATA, signed)
    assert not is_signed("verdicts/1", b"refused", signed)
    assert not is_signed("verdicts/1", DATA, b"")
    assert not is_signed("verdicts/1", DATA, "é".encode())
    key = cache / KEY_FILE
    assert (key.stat().st_mode & 0o777, len(key.read_bytes())) == (0o600, KEY_BYTES)
    assert [*cache.iterdir()] == [key]
    key.unlink()
    assert not is_signed("verdicts/1", DATA, signed)


def test_a_key_that_others_read_or_that_is_none_signs_nothing(cache, tmp_path):
    signed, key = str(signature("verdicts/1", DATA)).encode(), cache / KEY_FILE
    key.chmod(0o640)
    assert (signature("verdicts/1", DATA), is_signed("verdicts/1", DATA, signed)) == (None, False)
    key.chmod(0o600)
    key.write_bytes(b"short")
    assert signature("verdicts/1", DATA) is None
    key.unlink()
    (tmp_path / "elsewhere").write_bytes(bytes(KEY_BYTES))
    (tmp_path / "elsewhere").chmod(0o600)
    key.symlink_to(tmp_path / "elsewhere")
    assert signature("verdicts/1", DATA) is None


def test_where_no_key_can_be_kept_nothing_is_signed(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "file" / "cache"))
    assert signature("verdicts/1", DATA) is None
