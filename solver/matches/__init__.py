"""One game between a person and the program: hiding, and shooting in turn."""
