"""What pages in a browser are made of: the explorer, its templates and scripts."""
