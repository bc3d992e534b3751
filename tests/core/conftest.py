"""How long a property may take is no property of the code: the machine may be busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("walletmodal", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("walletmodal")
