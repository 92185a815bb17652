"""A strategy as data: trees, their files, replay, verification and compact form."""
