"""The figures of `make bench`: what is measured, how, and how it is reported. Nothing here is part of the product or of its tests."""
