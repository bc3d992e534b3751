"""All of Reflex, and of the libraries below it, that is not public: one module for each thing that we need of it.

Each module says why we need it, which test holds the framework to it (`tests/test_framework_contracts.py` for states,
`tests/test_framework_app.py`, `tests/test_framework_language.py`, `tests/test_framework_redis.py`, `tests/test_framework_views.py`), and what would let us drop it. All else calls it by a plain name; `tests/test_reflex_internals.py` fails where Reflex's inside is used anywhere else.

These stand elsewhere, because they must:

- `walletmodal/commands/reflex_commands.py`, `walletmodal/commands/dev_server.py`, `walletmodal/commands/dev_worker.py`: commands of
  Reflex's that have no settings for what npm runs, where lock files go, what is printed and how the app is loaded after a save. They run
  before the application is there. Dropped when `reflex run` and `reflex export` take them as options.
- `walletmodal/commands/frontend/vite.config.mjs`: the build of Reflex's web folder with our chunks; npm reads it. Dropped when
  `rxconfig.py` can say it.
- `scripts/mypy_reflex.py`: the type of `rx.event`, for mypy alone. Dropped when Reflex types it for more than pyright.
- `components/frame/`: mounts the compiled pages without React Router; `test_the_compiled_runtime_exports_what_a_mounted_page_imports`.
  Dropped when Reflex can compile a page that is mounted into an element.
- `walletmodal/host/reflex.py`: types of the hosts' Reflex, where nothing of the server's is installed.
- `bench/event_names.py`: asks what an event is called on the wire, of the release that is measured.
"""
