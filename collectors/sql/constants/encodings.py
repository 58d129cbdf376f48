"""Bytes, digests and text encodings of constants. Each function raises CannotConvert, or a
ValueError, if engines differ or fail."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from urllib.parse import quote_plus, unquote_plus

from sqlglot import exp

from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.values import Folded, is_int, not_constant
from prunescope.collectors.sql.dialects import dialect_of

_SHA2 = {224: "sha224", 256: "sha256", 384: "sha384", 512: "sha512"}
_DIGITS = re.compile("(?:[0-9A-Fa-f]{2})*")
_URL = re.compile("(?:%[0-9A-Fa-f]{2}|[^%])*")
_LONGEST_LINE = 57
"""Bytes in a line of base64: versions of Spark break what is longer."""
_LAST_ASCII = 127


def digest(name: str) -> Callable[[Call, Folded], Folded]:
    """A function that returns a digest: its text in Spark, its bytes in Trino."""

    def found(call: Call, value: Folded) -> Folded:
        made = hashlib.new(name, _bytes(call, value), usedforsecurity=False)
        return made.digest() if dialect_of(call.session.dialect).hashes_bytes else made.hexdigest()

    return found


def sha2(call: Call, value: Folded, bits: Folded) -> Folded:
    """SHA-2 of `bits` bits; 0 means 256."""
    if not is_int(bits):
        raise not_constant()
    name = _SHA2.get(bits or 256)
    if name is None:
        raise not_constant()
    return digest(name)(call, value)


def hexadecimal(call: Call, value: Folded) -> str:
    """hex() and to_hex(), or their lower-case forms. Spark also takes whole numbers."""
    if is_int(value) and value >= 0 and not dialect_of(call.session.dialect).hashes_bytes:
        text = f"{value:X}"
    else:
        text = _bytes(call, value).hex().upper()
    return text.lower() if isinstance(call.expression, exp.LowerHex) else text


def of_hexadecimal(_call: Call, value: Folded) -> bytes:
    """unhex() and from_hex() of whole bytes."""
    if not isinstance(value, str) or not _DIGITS.fullmatch(value):
        raise not_constant()
    return bytes.fromhex(value)


def base64(call: Call, value: Folded) -> str:
    """base64() and to_base64() of bytes that fit on a line."""
    found = _bytes(call, value)
    if len(found) > _LONGEST_LINE:
        raise not_constant()
    return b64encode(found).decode()


def of_base64(_call: Call, value: Folded) -> bytes:
    """unbase64() and from_base64() of a text that base64() would write."""
    if not isinstance(value, str):
        raise not_constant()
    found = b64decode(value, validate=True)
    if b64encode(found).decode() != value:
        raise not_constant()
    return found


def encoded(call: Call, value: Folded) -> bytes:
    """A text in UTF-8."""
    if not isinstance(value, str) or not _is_utf8(call):
        raise not_constant()
    return value.encode()


def decoded(call: Call, value: Folded) -> str:
    """The text of bytes in UTF-8."""
    if not isinstance(value, bytes) or not _is_utf8(call):
        raise not_constant()
    return value.decode()


def url_encoded(_call: Call, value: Folded) -> str:
    """url_encode(), in the encoding of form fields."""
    if not isinstance(value, str):
        raise not_constant()
    return quote_plus(value, safe="*").replace("~", "%7E")


def url_decoded(_call: Call, value: Folded) -> str:
    """url_decode() of a valid encoding."""
    if not isinstance(value, str) or not _URL.fullmatch(value):
        raise not_constant()
    return unquote_plus(value, errors="strict")


def character(_call: Call, *codes: Folded) -> str:
    """chr() of a code in ASCII: Spark wraps others around."""
    if len(codes) != 1 or not is_int(codes[0]) or not 0 < codes[0] <= _LAST_ASCII:
        raise not_constant()
    return chr(codes[0])


def code(call: Call, value: Folded) -> int:
    """ascii() of a text that begins in ASCII, and codepoint() of a single character."""
    is_strict = dialect_of(call.session.dialect).is_strict
    if not isinstance(value, str) or not value[:1].isascii() or not value:
        raise not_constant()
    if is_strict and len(value) > 1:
        raise not_constant()
    return ord(value[0])


def _bytes(call: Call, value: Folded) -> bytes:
    """The bytes to digest or write; in Spark a text stands for its UTF-8."""
    if isinstance(value, str) and not dialect_of(call.session.dialect).hashes_bytes:
        return value.encode()
    if not isinstance(value, bytes):
        raise not_constant()
    return value


def _is_utf8(call: Call) -> bool:
    return call.expression.text("charset").lower() == "utf-8"
