"""How long ago something was, as time goes on."""

from walletmodal.components.age.age import age

__all__ = ["age"]
