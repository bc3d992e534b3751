"""Where names lead and what accounts are called: ENS over the nodes, and the names of the blockchain service's zones. Pictures are elsewhere."""

from walletmodal.services.names.account_names import AccountNames
from walletmodal.services.names.normal_form import NormalName, normal_form

__all__ = ["AccountNames", "NormalName", "normal_form"]
