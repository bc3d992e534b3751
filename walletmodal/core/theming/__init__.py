"""What a deployment's theme is and what follows from it: colours that can be read, and the style sheet.

No files are read here: `walletmodal.reflex_internals.theme_assets` does that.
"""
