"""The network of the paper: encoder, pointer decoder, scorers, and the search over transitions."""
