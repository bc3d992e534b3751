"""JSON text of what a state holds.

Why: lists, dictionaries and models come out of a state as proxies, which `json.dumps` does not know.
Test: `test_what_state_hands_out_has_a_json_text`.
Dropped when: `rx` offers a serializer of whole values.
"""

from reflex.utils.format import json_dumps

__all__ = ["json_dumps"]
