"""What `make bench` and `make bench-compare` are made of."""
