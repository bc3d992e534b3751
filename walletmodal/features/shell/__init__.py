"""The modal itself: open or closed, the view stack, the header, the card."""
