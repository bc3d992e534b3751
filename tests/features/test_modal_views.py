"""The table of what draws each view."""

from walletmodal.core.protocol.views import VIEWS
from walletmodal.features.modal.views import VIEWS as DRAWN


def test_every_view_is_drawn_and_no_other() -> None:
    told = "a view has its line in core/protocol/views.py, and in features/modal/views.py or later_views.py"
    assert DRAWN.keys() == VIEWS.keys(), told
