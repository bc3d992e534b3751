"""One page, one state, one counter."""

import reflex as rx


class Counter(rx.State):
    """How often the button was pressed."""

    count: int = 0

    @rx.event
    def increment(self) -> None:
        """One more."""
        self.count += 1


def index() -> rx.Component:
    """The button that shows the count."""
    page: rx.Component = rx.el.main(rx.el.button(Counter.count, on_click=Counter.increment, id="counter"))
    return page


app = rx.App(toaster=None)
app.add_page(index, route="/", title="Counter")
