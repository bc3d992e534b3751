"""How long ago something was, as time goes on."""

from components.age.age import age

__all__ = ["age"]
