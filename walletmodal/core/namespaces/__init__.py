"""One folder for each namespace, found by its name: its descriptor and its RPC methods. What talks to its nodes is in `services/chains`."""
