"""The parts of `make bench` and `make bench-compare`."""
