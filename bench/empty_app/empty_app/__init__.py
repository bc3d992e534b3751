"""The smallest Reflex app with an event: the measure for what ours adds."""
