"""References to pictures: nobody but the deployment makes them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.services.images import ImageError, ImageReferences, reference_key

URL = "https://pictures.example/nft/1.png?size=2"


@pytest.fixture
def references() -> ImageReferences:
    return ImageReferences(reference_key())


@given(st.from_regex(r"https://[a-z]{1,20}\.example/[!#-;=?-\[\]^_a-z|~]{0,100}", fullmatch=True))
def test_what_was_signed_comes_back(url: str) -> None:
    references = ImageReferences(b"key")
    reference = references.sign(url)
    assert references.read(reference) == url
    assert reference.replace("-", "").replace("_", "").replace(".", "").isalnum()


@given(st.text() | st.from_regex(r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{1,60}", fullmatch=True))
def test_what_a_client_makes_up_is_refused(reference: str) -> None:
    with pytest.raises(ImageError) as raised:
        ImageReferences(b"key").read(reference)
    assert raised.value.refusal == "reference"


def test_a_changed_url_is_refused(references: ImageReferences) -> None:
    signature = references.sign(URL).partition(".")[0]
    other = base64.urlsafe_b64encode(b"http://169.254.169.254/").rstrip(b"=").decode()
    with pytest.raises(ImageError):
        references.read(f"{signature}.{other}")


def test_each_process_has_its_own_key_without_a_secret(references: ImageReferences) -> None:
    with pytest.raises(ImageError):
        ImageReferences(reference_key()).read(references.sign(URL))


def test_workers_with_one_secret_read_each_others_references() -> None:
    secret = "a-secret-of-at-least-24-characters"
    one, other = (ImageReferences(reference_key(secret)) for _ in range(2))
    assert other.read(one.sign(URL)) == URL


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "data:image/png;base64,AA", "file:///etc/passwd", "//x/y"])
def test_only_web_urls_are_signed(references: ImageReferences, url: str) -> None:
    assert references.sign(url) == ""


def test_a_reference_has_one_spelling(references: ImageReferences) -> None:
    """The last letter of the 22 has four bits that no byte of the signature has."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    signature, _, content = references.sign(URL).partition(".")
    other = signature[:-1] + letters[letters.index(signature[-1]) + 1]
    with pytest.raises(ImageError):
        references.read(f"{other}.{content}")
