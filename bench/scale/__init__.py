"""`make bench-scale`: what thousands of open visitors cost servers of several workers, Redis and PostgreSQL.

`recording` notes in Chromium what a page says in a visit, `page` repeats it without a browser, `population` plays many such visitors in a
process of its own (`population_process` is its other end), `deployment` starts and observes the servers, `measure` makes the figures,
`capacity` the tables of docs/capacity.md. `soak`, `rolling` and `failover` are parts with visitors or clicks of their own.
"""
