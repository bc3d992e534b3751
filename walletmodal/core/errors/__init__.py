"""Every error that the product raises on purpose. `docs/errors.md` has a paragraph on each.

WalletModalError                       code, short_message, details, docs_path
├── CaipError                          a CAIP-2 or CAIP-10 text that is none
├── AddressError                       an address that its namespace does not know
├── AmountError                        a text that is no exact amount
├── NetworkError                       a network description that cannot be used
├── RecordError                        a record that the database may not keep
├── ShapeError                         an answer that has not the shape of its service
├── ProtocolError                      a message between the windows that has the wrong shape (reason)
├── SettingsError                      deployment settings that cannot be used (problems)
├── ThemeError                         a theme that cannot be used
├── CatalogueError                     a catalogue of texts that cannot be used
├── TransportError                     the way to a service failed
│   ├── HttpRequestError               status, url, headers, body
│   │   └── AskedTooMuchError          the asker has had enough, and nothing was sent (errors/services.py)
│   ├── RpcRequestError                the service answered with a JSON-RPC error (code, data)
│   ├── WebSocketRequestError          a request over a socket failed
│   ├── SocketClosedError              the socket closed before the answer
│   ├── RequestTimeoutError            no answer in time; its name on the wire is TimeoutError
│   ├── ResponseTooLargeError          more bytes than we are willing to read
│   ├── MalformedResponseError         an answer that cannot be read
│   ├── PrivateAddressError            a stranger's URL leads to an address that is not public
│   └── UrlRequiredError               no URL is configured for the network
├── RpcError                           JSON-RPC 2.0, EIP-1193 and EIP-5792 codes (errors/rpc.py)
│   ├── ParseRpcError -32700           ├── InvalidRequestRpcError -32600
│   ├── MethodNotFoundRpcError -32601  ├── InvalidParamsRpcError -32602
│   ├── InternalRpcError -32603        ├── InvalidInputRpcError -32000
│   ├── ResourceNotFoundRpcError -32001
│   ├── ResourceUnavailableRpcError -32002
│   ├── TransactionRejectedRpcError -32003
│   ├── MethodNotSupportedRpcError -32004
│   ├── LimitExceededRpcError -32005   ├── JsonRpcVersionUnsupportedError -32006
│   ├── UserRejectedRequestError 4001  ├── UnauthorizedProviderError 4100
│   ├── UnsupportedProviderMethodError 4200
│   ├── ProviderDisconnectedError 4900 ├── ChainDisconnectedError 4901
│   ├── SwitchChainError 4902
│   ├── UnsupportedNonOptionalCapabilityError 5700
│   ├── UnsupportedChainIdError 5710   ├── DuplicateIdError 5720
│   ├── UnknownBundleIdError 5730      ├── BundleTooLargeError 5740
│   ├── AtomicReadyWalletRejectedUpgradeError 5750
│   ├── AtomicityNotSupportedError 5760
│   └── UnknownRpcError -1
├── NodeError                          why a node refuses a transaction (errors/nodes.py)
│   ├── ExecutionRevertedError 3       ├── FeeCapTooHighError
│   ├── FeeCapTooLowError              ├── NonceTooHighError
│   ├── NonceTooLowError               ├── NonceMaxValueError
│   ├── InsufficientFundsError         ├── IntrinsicGasTooHighError
│   ├── IntrinsicGasTooLowError        ├── TransactionTypeNotSupportedError
│   ├── TipAboveFeeCapError            └── UnknownNodeError
├── OperationError                     why a user operation is refused (errors/operations.py)
│   ├── AccountRejectedError           ├── OperationFundsError
│   ├── OperationNonceError            ├── OperationGasError
│   ├── PaymasterRefusedError -32501
│   │   └── PaymasterDepositError -32508
│   ├── ForbiddenOpcodeError -32502    ├── OperationExpiredError -32503
│   ├── OperationThrottledError -32504 ├── OperationStakeError -32505
│   ├── OperationSignatureError -32507
│   ├── OperationRevertedError -32521  what the account is to do would fail: reason
│   ├── OperationFieldsError -32602    ├── OperationHashError
│   ├── TokenFundsError                less of a token than the fee may take
│   ├── PaymasterTermsError -32501     another price than the one that was shown
│   └── SponsorshipError -32501        the operator does not pay: reason
├── SmartAccountUnavailableError 4200  a Safe cannot be used on the network (errors/operations.py)
├── ContractCreationError 4200         a Safe is to make a contract
├── ServiceError                       a service said no: service, status (errors/services.py)
│   ├── NameServiceError               a name could not be resolved, suggested, listed or registered
│   └── UnsupportedServiceNetworkError the service does not know the network
├── TokenBalanceUnavailableError       nobody can say what an account owns
├── ImageError                         a picture cannot be had (services/images/errors.py)
├── NotConfiguredError                 no base URL is set for the service
├── RuleError                          what a visitor or a host gave breaks a rule (errors/rules.py)
│   ├── AccountNameError
│   ├── SendError
│   │   ├── ReceiverChangedError       the name leads elsewhere by now (errors/receivers.py)
│   │   └── ReceiverUncheckedError     it cannot be looked up again
│   ├── SwapError                      a swap that is not offered
│   ├── PermissionUnreadableError      a permission that cannot be read for what it is (errors/permissions.py)
│   ├── PermissionsUnsupportedError    a network or an account whose contracts could not hold one
│   ├── PayloadError                   ├── PaddingError
│   ├── EmailCooldownError             └── HostOptionError
├── NameLookupError                    where a name leads cannot be said now (errors/receivers.py)
├── HistoryUnknownError                whom an account has dealt with cannot be said now
├── MethodNotAllowedError 4200         an RPC method of no list (requests/methods.py)
├── DeniedError 4100                   the operator's policy says no: reason (requests/policy.py)
├── FlowError                          a step that is not possible now (errors/flow.py)
│   ├── DisconnectError                ├── SignInNotEnabledError
│   ├── NoActiveAddressError           ├── NoActiveNetworkError
│   ├── AdapterNotFoundError           ├── ConnectorNotFoundError
│   ├── UnsupportedChainError          ├── ChainNotSupportedError
│   ├── AnotherNetworkError            ├── TooManyPendingError
│   ├── NotRecordedError
│   ├── SignInRefusedError 4100        the wallet's answer proves nothing: refusal (errors/sign_in.py)
│   │   └── ProofOfFundsError 4100     it tells of coins, which only the chain could verify
│   ├── SignInUncheckedError           ├── SignInUnavailableError
│   ├── TooManySignInsError            └── TooManyChecksError
├── ModalUnreachableError              a host's server gets no answer of the modal's (errors/sign_in.py)
├── TokenError 4100                    a sign-in token that a host must not believe: fault (errors/sign_in.py)
├── WebhookError 4100                  a webhook that a host must not believe: fault (errors/webhooks.py)
└── FrameError                         the secure frame failed (errors/flow.py)
    ├── FrameAbortedError              └── FrameLoadError
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypedDict

from walletmodal.core.errors.codes import INTERNAL_ERROR, INVALID_PARAMS
from walletmodal.core.language import _
from walletmodal.core.version import VERSION


class WireError(TypedDict):
    """An error as the windows pass it to each other: `{code, message}` (docs/protocol.md §2)."""

    code: int
    message: str


class WalletModalError(Exception):
    """The root of the tree.

    Args:
        short_message: one sentence that may reach a visitor or a host's developer.
        code: the number that a host's code tests; -32603 where no standard names one.
        details: what the innermost cause said; untrusted when it came from outside.
        docs_path: the place in our documentation that explains the error; by default the paragraph of its class.
        meta: further lines of the long form, such as the URL of a request.
    """

    name: ClassVar[str] = "WalletModalError"
    default_code: ClassVar[int] = INTERNAL_ERROR

    def __init__(
        self,
        short_message: str,
        *,
        code: int | None = None,
        details: str = "",
        docs_path: str = "",
        meta: Sequence[str] = (),
    ) -> None:
        self.code = self.default_code if code is None else code
        self.short_message = short_message
        self.details = details
        self.docs_path = docs_path or f"docs/errors.md#{self.name.lower()}"
        self.meta = tuple(meta)
        super().__init__(short_message)

    @property
    def message(self) -> str:
        """The long form, for logs: short message, a blank line, meta lines, docs, details, version."""
        lines = [self.short_message, "", *self.meta, f"Docs: {self.docs_path}"]
        if self.details:
            lines.append(f"Details: {self.details}")
        lines.append(f"Version: walletmodal@{VERSION}")
        return "\n".join(lines)

    def wire(self) -> WireError:
        """The form that crosses to the host page: the code and the short message, never the details."""
        return {"code": self.code, "message": self.short_message}


class CaipError(WalletModalError):
    """A text that is no CAIP-2 network id or CAIP-10 address."""

    name = "CaipError"
    default_code = INVALID_PARAMS


class AddressError(WalletModalError):
    """An address that the rules of its namespace refuse."""

    name = "AddressError"
    default_code = INVALID_PARAMS


class AmountError(WalletModalError):
    """A text that names no exact, non-negative amount of the currency's decimals."""

    name = "AmountError"
    default_code = INVALID_PARAMS


class NetworkError(WalletModalError):
    """A network that a host described wrongly, or that nobody knows."""

    name = "NetworkError"
    default_code = INVALID_PARAMS


class RecordError(WalletModalError):
    """A record that is too large, or whose id has the wrong form."""

    name = "RecordError"
    default_code = INVALID_PARAMS


class ShapeError(WalletModalError):
    """An answer of a service, a wallet or the secure frame that has not the shape of its API.

    Args:
        details: the first field that is wrong and why; never its value, which may be hostile.
    """

    name = "ShapeError"

    def __init__(self, details: str) -> None:
        super().__init__(_("The answer has the wrong shape."), details=details)


class ProtocolError(WalletModalError):
    """A message of docs/protocol.md that is ignored.

    Args:
        reason: `malformed`, `oversized` or `deep`: the label of the counter of ignored messages.
        details: which part is wrong; never the value itself, which may be hostile.
    """

    name = "ProtocolError"
    default_code = INVALID_PARAMS

    def __init__(self, reason: str, details: str = "") -> None:
        self.reason = reason
        super().__init__(f"The message was ignored: {reason}", details=details)


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """One setting that is wrong: its name, what is wrong with it, and a value that would do."""

    setting: str
    problem: str
    example: str

    def __str__(self) -> str:
        return f"{self.setting}: {self.problem} (example: {self.setting}={self.example})"


class SettingsError(WalletModalError):
    """The deployment's settings cannot be used; lists every wrong one by name."""

    name = "SettingsError"

    def __init__(self, problems: Sequence[SettingProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(["These settings are wrong:", *(f"  {problem}" for problem in problems)]))


class CatalogueError(WalletModalError):
    """A catalogue of translated texts that cannot be used: it is broken, or a language has none."""

    name = "CatalogueError"


class ThemeError(WalletModalError):
    """A theme that cannot be used: a value out of its bounds, a text that could not be read, a file that is missing or too large."""

    name = "ThemeError"


class TransportError(WalletModalError):
    """The way to a service failed (transport-level errors)."""

    name = "TransportError"


class HttpRequestError(TransportError):
    """A request that got no HTTP answer (status None) or one that is not 2xx.

    Args:
        url: where it went, without its query, which may carry a project id.
        status: HTTP status, or None when there was no answer.
        headers: of the answer, lower-case names.
        body: of the answer, as text, cut.
        details: the answer's `error`, the status text, or the cause of the network failure.
    """

    name = "HttpRequestError"

    def __init__(
        self,
        *,
        url: str,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        body: str = "",
        details: str = "",
    ) -> None:
        self.url, self.status, self.headers, self.body = url, status, dict(headers or {}), body
        meta = [] if status is None else [f"Status: {status}"]
        super().__init__(_("HTTP request failed."), details=details, meta=[*meta, f"URL: {url}"])


class RpcRequestError(TransportError):
    """A JSON-RPC `error` in a well-formed answer; `code` and `data` are the service's own."""

    name = "RpcRequestError"

    def __init__(self, *, code: int, details: str, url: str, data: object = None) -> None:
        self.url, self.data = url, data
        super().__init__(_("RPC Request failed."), code=code, details=details, meta=[f"URL: {url}"])


class WebSocketRequestError(TransportError):
    """A request over a socket failed."""

    name = "WebSocketRequestError"

    def __init__(self, *, url: str, details: str = "") -> None:
        self.url = url
        super().__init__(_("WebSocket request failed."), details=details, meta=[f"URL: {url}"])


class SocketClosedError(TransportError):
    """The socket closed before the answer came."""

    name = "SocketClosedError"

    def __init__(self, *, url: str) -> None:
        self.url = url
        super().__init__(_("The socket has been closed."), meta=[f"URL: {url}"])


class RequestTimeoutError(TransportError):
    """No complete answer within the limit. Hosts know it as `TimeoutError`; the class does not hide Python's own."""

    name = "TimeoutError"

    def __init__(self, *, url: str) -> None:
        self.url = url
        super().__init__(
            _("The request took too long to respond."), details="The request timed out.", meta=[f"URL: {url}"]
        )


class ResponseTooLargeError(TransportError):
    """The answer had more than `limit` bytes and was not read further."""

    name = "ResponseTooLargeError"

    def __init__(self, *, url: str, limit: int) -> None:
        self.url, self.limit = url, limit
        super().__init__(
            _("The response is too large."), details=f"More than {limit} bytes were sent.", meta=[f"URL: {url}"]
        )


class MalformedResponseError(TransportError):
    """The answer was 2xx and is not what was asked for: no JSON, or no JSON-RPC response."""

    name = "MalformedResponseError"

    def __init__(self, *, url: str, details: str) -> None:
        self.url = url
        super().__init__(_("The response could not be understood."), details=details, meta=[f"URL: {url}"])


class PrivateAddressError(TransportError):
    """A URL that a stranger has given leads to an address that is not public; nothing was sent."""

    name = "PrivateAddressError"

    def __init__(self, details: str = "") -> None:
        super().__init__(_("This address is not asked."), details=details)


class UrlRequiredError(TransportError):
    """No RPC URL is configured for the network."""

    name = "UrlRequiredError"

    def __init__(self, details: str = "") -> None:
        super().__init__(
            _("No URL was provided to the Transport. Please provide a valid RPC URL to the Transport."), details=details
        )
