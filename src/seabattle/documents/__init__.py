"""What commands print with --json and the service answers: one document for both."""
