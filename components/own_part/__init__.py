"""What stands round a component of a team's own: if it raises, that is seen in its place, and nowhere else."""

from walletmodal.components.own_part.own_part import own_part, raised_part

__all__ = ["own_part", "raised_part"]
