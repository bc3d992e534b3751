"""Several servers with their Redis and PostgreSQL, as a deployment has them, and visitors whose flows a failure meets.

`cluster` starts the servers, each with lines of its own to Redis and PostgreSQL that a test can cut, freeze or slow down (`network`), behind a
balancer. `visitor` is somebody with a page, a wallet with a real key and a host page, over the real socket protocol; `journey` is what the
pages say, `loader` what the host page's script does. `ledger` compares what visitors and hosts were told with the database and the chain.
"""
