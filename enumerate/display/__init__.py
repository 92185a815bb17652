"""One board as a picture, and what the objects of all rooms show in notebooks."""
