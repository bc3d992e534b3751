"""The table of what draws each view."""

from walletmodal.core.protocol.views import BUILT_VIEWS
from walletmodal.features.modal.views import VIEWS


def test_every_built_view_is_drawn_and_no_other() -> None:
    told = (
        "a view is `built=True` in core/protocol/views.py and has its line in features/modal/views.py or later_views.py"
    )
    assert VIEWS.keys() == BUILT_VIEWS, told
