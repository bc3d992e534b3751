"""Pure Python facts and rules of the product: no I/O, no Reflex, no SQL, nothing of ours from outside this folder."""
