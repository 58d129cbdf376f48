"""Errors of the audit itself; those of queries and tables are in `collectors.errors`."""

from collectors.errors import PrunescopeError


class BadConfiguration(PrunescopeError):
    """The configuration cannot be used; nothing was done."""

    code = "bad_configuration"


class PublishFailed(PrunescopeError):
    """Results could not be written."""

    code = "publish_failed"
