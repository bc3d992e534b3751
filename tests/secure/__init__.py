"""Tests of the secure site."""
