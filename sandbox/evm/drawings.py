"""The pictures of the chains' own things, drawn as SVG and carried in `data:` URIs."""

import base64
from hashlib import sha256


def avatar_uri(name: str) -> str:
    """A round picture that is always the same for a name, as a `data:image/svg+xml` URI."""
    seed = sha256(name.encode()).digest()
    hue, turn = seed[0] * 360 // 256, seed[1] * 360 // 256
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        f'<rect width="64" height="64" fill="hsl({hue},62%,46%)"/>'
        f'<g transform="rotate({turn} 32 32)" fill="hsl({(hue + 140) % 360},70%,72%)">'
        '<path d="M8 44a24 24 0 0 1 48 0z"/>'
        f'<circle cx="{20 + seed[2] % 24}" cy="{14 + seed[3] % 10}" r="{5 + seed[4] % 5}"/></g></svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"
