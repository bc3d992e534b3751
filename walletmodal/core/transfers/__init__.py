"""What a visitor sends, swaps or buys, from the form to the record of it."""
