"""Pictures that our server fetches for the frame: of the directory by id, of other servers by signed reference.

Bundled pictures stand in `assets/`; what the frame shows of a wallet's own announcement never comes here.
"""

from walletmodal.services.images.errors import ImageError, ImageRefusal
from walletmodal.services.images.images import DIRECTORY_KINDS, DirectoryKind, Images
from walletmodal.services.images.references import ImageReferences, reference_key
from walletmodal.services.images.remote import RemoteImages
from walletmodal.services.images.shared import MAX_SHARED_CHARACTERS
from walletmodal.services.images.store import Image, ImageMemory

__all__ = [
    "DIRECTORY_KINDS",
    "MAX_SHARED_CHARACTERS",
    "DirectoryKind",
    "Image",
    "ImageError",
    "ImageMemory",
    "ImageReferences",
    "ImageRefusal",
    "Images",
    "RemoteImages",
    "reference_key",
]
