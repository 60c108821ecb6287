"""Fetching: one address to bytes on disk. The only module that opens the network for data; it never parses.

A transfer that broke off is resumed where the server allows it. What an answer must look like is `signature.py`; what
becomes of the bytes is for the caller.
"""

from __future__ import annotations

import base64
import email.utils
import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urldefrag, urljoin, urlsplit

from schemas.counts import counted
from schemas.source import SourceError
from sources.formats.signature import FIRST_BYTES, signature_problem
from sources.services.addresses import guarded_session, is_local, is_written_private, refusal

if TYPE_CHECKING:
    import requests

USER_AGENT = "tripwright/1.0 (research benchmarks; asks with If-None-Match, at most once a second)"
ATTEMPTS = 4
REDIRECTS = 5
CONNECT_S, READ_S = 20, 60
BETWEEN_REQUESTS_S = 1.0
LONGEST_WAIT_S = 120.0
SLOWEST_BYTES_S = 1024
PATIENCE_S = 120.0
CHUNK_BYTES = 1 << 18
TEMPORARY = (408, 425, 429, 500, 502, 503, 504)


@dataclass(frozen=True)
class Validators:
    """What a server said of the bytes it gave, to ask later whether they have changed."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True)
class Terms:
    """What a recipe allows of an address: other hosts it may lead to, the longest answer, and what it must be."""

    allow_hosts: frozenset[str] = frozenset()
    max_bytes: int = 4096 << 20
    format: str = ""


@dataclass(frozen=True)
class FetchResult:
    """An answer: whether the bytes changed (they are then in the target file), and how to ask for them again."""

    is_changed: bool
    validators: Validators


class _BrokenOffError(Exception):
    """The transfer ended early or the server is busy; asking again may help, after `wait_s` if that is known."""

    def __init__(self, text: str, wait_s: float | None = None) -> None:
        super().__init__(text)
        self.wait_s = wait_s


@dataclass
class Fetcher:
    """Asks servers politely: one request at a time to each host, a second apart, as long as they ask us to wait."""

    sleep: Callable[[float], None] = time.sleep
    patience_s: float = PATIENCE_S
    say: Callable[[str], None] = lambda _: None
    """Hears which address is asked, each time: one that does not answer holds up for minutes."""
    _last_request_s: dict[str, float] = field(default_factory=dict)

    def fetch(self, url: str, target: Path, old_validators: Validators, terms: Terms) -> FetchResult:
        """Write what the address gives to `target`, unless it is what `old_validators` describes.

        `#sha256=…` at the end of the address is the hash that the bytes must have. A `target` left by a transfer that
        broke off is continued. Raises SourceError if the address cannot be had, leads to another host or a private
        one, answers with something else than the format, with more than it may, or with other bytes than announced;
        the target is removed then, unless what is there can be continued.
        """
        address, pinned = urldefrag(url)
        problem = ""
        for attempt in range(ATTEMPTS):
            again = f" again, time {attempt + 1} of {ATTEMPTS}: {problem}" if problem else ""
            self.say(f"asking {address}{again}")
            try:
                fetched = self._ask(address, target, old_validators, terms)
                if fetched.is_changed:
                    _require_pinned(address, target, pinned)
                    _validators_path(target).unlink(missing_ok=True)
                return fetched
            except _BrokenOffError as broken:
                problem = str(broken)
                if attempt < ATTEMPTS - 1:
                    self.sleep(min(broken.wait_s if broken.wait_s is not None else 2.0**attempt, LONGEST_WAIT_S))
            except (SourceError, OSError):
                target.unlink(missing_ok=True)
                _validators_path(target).unlink(missing_ok=True)
                raise
        raise SourceError(
            f"{address}: {problem}, {ATTEMPTS} times. Try again later; what arrived is kept and continued."
        )

    def _ask(self, url: str, target: Path, old_validators: Validators, terms: Terms) -> FetchResult:
        import requests
        import urllib3

        with guarded_session(url, terms.allow_hosts) as session:
            session.headers.update({"User-Agent": USER_AGENT, "Accept": "*/*", "Accept-Encoding": "identity"})
            try:
                answer = self._follow(session, url, _conditions(target, old_validators), terms)
                with answer:
                    return self._receive(url, answer, target, old_validators, terms)
            except (requests.exceptions.SSLError, requests.exceptions.InvalidURL) as error:
                raise SourceError(
                    f"{url}: {words_of(error)}. Check the address and the server's certificate."
                ) from None
            except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError) as error:
                reason = refusal(error)
                if reason:
                    raise SourceError(f"{url}: {reason}") from None
                raise _BrokenOffError(words_of(error)) from None

    def _follow(self, session: requests.Session, url: str, headers: dict[str, str], terms: Terms) -> Any:
        """Return the answer after redirects that the recipe allows."""
        first, current_url = urlsplit(url), url
        for _ in range(REDIRECTS + 1):
            self._wait_for(urlsplit(current_url).hostname or "")
            answer = session.get(
                current_url, headers=headers, stream=True, allow_redirects=False, timeout=(CONNECT_S, READ_S)
            )
            if answer.status_code not in (301, 302, 303, 307, 308):
                return answer
            answer.close()
            to = urljoin(current_url, answer.headers.get("Location", ""))
            parts = urlsplit(to)
            if parts.hostname != first.hostname and parts.hostname not in terms.allow_hosts:
                raise SourceError(
                    f"{url}: redirects to another host, {parts.hostname}; refused. If the source moved there, name it "
                    f'in the recipe: allow_hosts = ["{parts.hostname}"]'
                )
            if _is_another_port(first, parts, terms):
                raise SourceError(
                    f"{url}: redirects to another port of the same private machine, {parts.netloc}; refused, since "
                    f'something else listens there. If it is meant, name it: allow_hosts = ["{parts.netloc}"]'
                )
            if parts.scheme not in ("http", "https") or (first.scheme == "https" and parts.scheme == "http"):
                raise SourceError(f"{url}: redirects to {parts.scheme}, which is not protected; refused")
            current_url = to
        raise SourceError(f"{url}: redirects more than {REDIRECTS} times; refused")

    def _wait_for(self, host: str) -> None:
        """Wait until a second has passed since the host was last asked; a server on this machine is not spared."""
        if not is_local(host) and host in self._last_request_s:
            self.sleep(max(0.0, self._last_request_s[host] + BETWEEN_REQUESTS_S - time.monotonic()))
        self._last_request_s[host] = time.monotonic()

    def _receive(self, url: str, answer: Any, target: Path, old_validators: Validators, terms: Terms) -> FetchResult:
        status, headers = answer.status_code, answer.headers
        if status == 304:
            return FetchResult(False, old_validators)
        if status in TEMPORARY:
            raise _BrokenOffError(f"the server answered {status}", _retry_after(headers.get("Retry-After")))
        if status == 416:
            target.unlink(missing_ok=True)
            _validators_path(target).unlink(missing_ok=True)
            raise _BrokenOffError("the server cannot continue the transfer", 0)
        if status not in (200, 206):
            raise SourceError(f"{url}: the server answered {status}; expected the file. Check the address.")
        have = target.stat().st_size if status == 206 and target.exists() else 0
        total = _total_bytes(headers, status, have)
        if total is not None and total > terms.max_bytes:
            raise SourceError(_too_long(url, total, terms))
        validators = Validators(headers.get("ETag"), headers.get("Last-Modified"))
        _validators_path(target).write_text(json.dumps(asdict(validators)), encoding="utf-8")
        self._write(url, answer, target, have, terms)
        size = target.stat().st_size
        if total is not None and size != total:
            raise _BrokenOffError(f"{size:,} of {counted(total, 'byte')} arrived")
        _require_announced(headers, target)
        return FetchResult(True, validators)

    def _write(self, url: str, answer: Any, target: Path, have: int, terms: Terms) -> None:
        """Append the answer's body to the first `have` bytes; refuse what is not the format, too long or too slow."""
        started, received = time.monotonic(), 0
        with target.open("ab" if have else "wb") as file:
            try:
                while chunk := answer.raw.read1(CHUNK_BYTES, decode_content=True):
                    file.write(chunk)
                    if not have and received < FIRST_BYTES <= received + len(chunk):
                        self._require_format(url, answer, file, target, terms)
                    received += len(chunk)
                    if have + received > terms.max_bytes:
                        raise SourceError(_too_long(url, None, terms))
                    seconds = time.monotonic() - started
                    if seconds > self.patience_s and received < seconds * SLOWEST_BYTES_S:
                        raise SourceError(
                            f"{url}: sent {counted(received, 'byte')} in {seconds:.0f} s and did not end; refused"
                        )
            finally:
                file.flush()
        if not have and received < FIRST_BYTES:
            self._require_format(url, answer, None, target, terms)

    def _require_format(self, url: str, answer: Any, file: Any, target: Path, terms: Terms) -> None:
        if file is not None:
            file.flush()
        with target.open("rb") as start:
            first = start.read(FIRST_BYTES)
        problem = signature_problem(first, urlsplit(url).path, terms.format, answer.headers.get("Content-Type", ""))
        if problem:
            raise SourceError(f"{url}: {problem}")


def _is_another_port(first: SplitResult, to: SplitResult, terms: Terms) -> bool:
    """Return whether a redirect leads to another port of a machine that is not public."""
    ports = [parts.port or {"https": 443}.get(parts.scheme, 80) for parts in (first, to)]
    host = to.hostname or ""
    is_private = is_written_private(host) or host in terms.allow_hosts
    return is_private and ports[0] != ports[1] and f"{host}:{ports[1]}" not in terms.allow_hosts


def _conditions(target: Path, old_validators: Validators) -> dict[str, str]:
    """Return the headers that ask for changed bytes only, and for the rest only of a transfer that broke off."""
    headers = {}
    if old_validators.etag:
        headers["If-None-Match"] = old_validators.etag
    if old_validators.last_modified:
        headers["If-Modified-Since"] = old_validators.last_modified
    side = _validators_path(target)
    if target.exists() and target.stat().st_size and side.exists():
        partial_validators = Validators(**json.loads(side.read_text(encoding="utf-8")))
        strong = (
            partial_validators.etag
            if partial_validators.etag and not partial_validators.etag.startswith("W/")
            else partial_validators.last_modified
        )
        if strong:
            headers |= {"Range": f"bytes={target.stat().st_size}-", "If-Range": strong}
    return headers


def _validators_path(target: Path) -> Path:
    return target.with_name(target.name + ".json")


def _total_bytes(headers: Any, status: int, have: int) -> int | None:
    """Return how long the whole file is. Raises _BrokenOffError if a continued transfer does not continue ours."""
    if status == 206:
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", headers.get("Content-Range", ""))
        if match is None or int(match[1]) != have:
            raise SourceError(f"the server continued at {headers.get('Content-Range')!r}; expected byte {have}")
        return None if match[2] == "*" else int(match[2])
    length = "" if headers.get("Content-Encoding", "identity") != "identity" else headers.get("Content-Length", "")
    return int(length) if length.isdigit() else None


def _too_long(url: str, total: int | None, terms: Terms) -> str:
    what = f"is {total / 2**20:,.0f} MB long" if total is not None else "did not end"
    return (
        f"{url}: the answer {what}; at most {terms.max_bytes / 2**20:,.0f} MB are read. "
        "If it is as long as that, say so in the recipe: max_size_mb"
    )


def _retry_after(value: str | None) -> float | None:
    """Return the seconds that a server asks to wait: a number of them, or a date."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _require_announced(headers: Any, target: Path) -> None:
    """Raise _BrokenOffError if the bytes are not those whose digest the server announced."""
    announced = {}
    for name in ("Repr-Digest", "Digest"):
        match = re.search(r"sha-256=:?([A-Za-z0-9+/]{43}=)", headers.get(name, ""), re.IGNORECASE)
        if match:
            announced["sha256"] = match[1]
    if headers.get("Content-MD5"):
        announced["md5"] = headers["Content-MD5"]
    for algorithm, announced_digest in announced.items():
        with target.open("rb") as file:
            digest = hashlib.file_digest(file, lambda a=algorithm: hashlib.new(a, usedforsecurity=False)).digest()
        if base64.b64encode(digest).decode() != announced_digest:
            target.unlink()
            raise _BrokenOffError(f"the bytes do not have the {algorithm} that the server announced")


def _require_pinned(url: str, target: Path, pinned: str) -> None:
    pinned_sha256 = pinned.removeprefix("sha256=") if pinned.startswith("sha256=") else ""
    if not pinned_sha256:
        return
    with target.open("rb") as file:
        actual_sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if actual_sha256 != pinned_sha256.lower():
        raise SourceError(f"{url}: has sha256 {actual_sha256}; the recipe pins {pinned_sha256}. Nothing was taken.")


def words_of(error: BaseException) -> str:
    """Return an error's innermost words, without the objects that libraries print around them."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return f"{type(error).__name__}: {re.sub(r'<[^>]*>', '', str(error)).strip(' :')[:200]}"
