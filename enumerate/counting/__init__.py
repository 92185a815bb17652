"""Layouts counted without listing them: the frontier sweep, maps and samples."""
