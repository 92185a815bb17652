"""The service: questions about games over HTTP, and the page that asks them."""
