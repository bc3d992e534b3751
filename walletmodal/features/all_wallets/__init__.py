"""All wallets of the directory: the grid, its pages, the search. The short list of the Connect view is another feature's."""
