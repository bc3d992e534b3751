"""What hosts' servers are told of: events, and the signature by which they know who tells them."""
