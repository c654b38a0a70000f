// Collect
