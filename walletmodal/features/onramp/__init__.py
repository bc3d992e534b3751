"""Buying with a card: providers, their pages, and what was bought. No data of a card comes here: it is entered on the provider's page."""
