"""A private authority for one test, and the certificate of a server that it vouches for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def _certificate(
    subject: str, key: ec.EllipticCurvePrivateKey, issuer: str, issuer_key: ec.EllipticCurvePrivateKey
) -> x509.Certificate:
    now = datetime.now(UTC)
    is_authority = subject == issuer
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if is_authority:
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=True,
            crl_sign=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        return builder.add_extension(usage, critical=True).sign(issuer_key, hashes.SHA256())
    names = x509.SubjectAlternativeName([x509.DNSName(subject), x509.IPAddress(ip_address("127.0.0.1"))])
    return builder.add_extension(names, critical=False).sign(issuer_key, hashes.SHA256())


class Authority:
    """It in `file`, the server's certificate in `certificate` and its key in `key`, all PEM."""

    def __init__(self, folder: Path, name: str = "localhost") -> None:
        authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        authority = _certificate("private authority", authority_key, "private authority", authority_key)
        own = _certificate(name, key, "private authority", authority_key)
        self.file, self.certificate, self.key = (folder / f"{name}.pem" for name in ("authority", "server", "key"))
        self.file.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
        self.certificate.write_bytes(own.public_bytes(serialization.Encoding.PEM))
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.key.write_bytes(private)
        self.key.chmod(0o600)
