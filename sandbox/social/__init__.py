"""Six social providers on loopback, each a real OAuth provider with the ways of the one that it stands for."""

from walletmodal.sandbox.social.providers import PROVIDERS, social_settings
from walletmodal.sandbox.social.service import SocialService

__all__ = ["PROVIDERS", "SocialService", "social_settings"]
