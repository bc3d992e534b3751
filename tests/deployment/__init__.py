"""The files of docs/deployment and the Containerfile."""
