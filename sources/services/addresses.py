"""Which machines an address may reach: never a private one that the recipe does not name.

The check is made on the connection itself, before a byte is sent, so that a name which resolves elsewhere the second
time gains nothing.
"""

from __future__ import annotations

import ipaddress
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool


class PrivateAddressError(OSError):
    """A connection reached a machine that the recipe does not name and that is not public."""


def is_local(host: str) -> bool:
    """Return whether the host, as written, is this very machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def guarded_session(url: str, allow_hosts: frozenset[str]) -> requests.Session:
    """Return a session that reaches public machines, the allowed hosts, and the address's own if written as private.

    Who writes a private address into a recipe means that machine. Credentials of this machine are never sent.
    """
    host = urlsplit(url).hostname or ""
    session = requests.Session()
    session.auth = lambda request: request  # else requests looks into ~/.netrc
    adapter = _Guarded(allow_hosts | ({host} if is_written_private(host) else set()))
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


def refusal(error: BaseException) -> str:
    """Return why a connection was refused by us, if that is what an error of the session comes from; else ""."""
    cause: BaseException | None = error
    while cause is not None:
        reason = getattr(cause, "reason", None)
        refusals = [e for e in (cause, reason, *cause.args) if isinstance(e, PrivateAddressError)]
        if refusals:
            return str(refusals[0])
        nested = next((e for e in (reason, *cause.args) if isinstance(e, BaseException)), None)
        cause = nested or cause.__cause__ or cause.__context__
    return ""


class _Guarded(HTTPAdapter):
    """Connects through pools whose connections look at whom they reached."""

    def __init__(self, allowed: frozenset[str] | set[str]) -> None:
        self._pools = _pools(frozenset(allowed))
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        """Make the pool manager with our pools."""
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = self._pools


def _pools(allowed: frozenset[str]) -> dict[str, Any]:
    def require_allowed(host: str, connected: Any) -> Any:
        peer = connected.getpeername()[0]
        if host not in allowed and not _is_public(peer):
            connected.close()
            raise PrivateAddressError(
                f"{host} is the private address {peer}; refused. If that is meant, name it in the recipe: "
                f'allow_hosts = ["{host}"]'
            )
        return connected

    class Plain(HTTPConnection):
        def _new_conn(self) -> Any:
            return require_allowed(self.host, super()._new_conn())

    class Secured(HTTPSConnection):
        def _new_conn(self) -> Any:
            return require_allowed(self.host, super()._new_conn())

    class PlainPool(HTTPConnectionPool):
        ConnectionCls: Any = Plain

    class SecuredPool(HTTPSConnectionPool):
        ConnectionCls: Any = Secured

    return {"http": PlainPool, "https": SecuredPool}


def _is_public(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_global


def is_written_private(host: str) -> bool:
    """Return whether the host, as written, is a machine that is not public."""
    try:
        return host == "localhost" or not ipaddress.ip_address(host).is_global
    except ValueError:
        return False
