"""The command that opens the page: advice, play and review in a browser, without any program."""

from __future__ import annotations

import webbrowser

import click


@click.command()
@click.option("--no-browser", is_flag=True, help="Only print where the page lies.")
def play(no_browser: bool) -> int:
    """Open a page in the browser for advice, play and review.

    Advice in a real game, tap by tap; a game against the program; a look back at what was lost. The
    page is one file that counts by itself: it can be copied to a phone, sent to a friend, or put on
    any web server. Try:

    \b
      seabattle play
      cp "$(seabattle play --no-browser)" /tmp/
    """  # noqa: D301
    from seabattle.trees.page.play import page_path

    path = page_path()
    click.echo(path)
    if not no_browser:
        webbrowser.open(path.as_uri())
    return 0
