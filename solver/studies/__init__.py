"""Many games side by side: comparison, atlas, strategies built for keeping."""
