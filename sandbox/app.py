"""The sandbox's web application; nothing but assembly."""

from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.routing import Mount

from sandbox.anvil import AnvilNode
from sandbox.control import control
from sandbox.demo import demo_routes
from sandbox.faults import FaultBook
from sandbox.gate import ServiceGate
from sandbox.gateway import rpc_gateway
from sandbox.journal import Journal
from sandbox.settings import SandboxSettings


def sandbox_app(settings: SandboxSettings, nodes: Mapping[str, AnvilNode]) -> Starlette:
    """Services, control and demo page over running nodes, by CAIP-2 id."""
    faults, journal = FaultBook(), Journal()
    return Starlette(
        routes=[
            Mount("/rpc", ServiceGate(rpc_gateway(nodes), "rpc", faults, journal)),
            Mount("/sandbox", control(nodes, faults, journal)),
            *demo_routes(settings),
        ]
    )
