"""Trees, boards and maps as pictures and text."""
