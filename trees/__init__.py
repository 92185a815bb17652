"""What a strategy looks like: trees as frozen data, their files, verification and drawing."""
