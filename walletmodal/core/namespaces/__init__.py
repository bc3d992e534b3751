"""One folder for each namespace, found by its name: what is particular to it, beside what talks to its nodes (`services/chains`)."""
