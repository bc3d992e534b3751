"""What clients ask of the relay, checked: the parameters of each method of its JSON-RPC."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

MAX_MESSAGE: Final = 1_000_000
"""Characters of one sealed message."""

MAX_TOPICS: Final = 500
"""Topics that one call may name."""

Topic = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Message = Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE)]
Topics = Annotated[list[Topic], Field(min_length=1, max_length=MAX_TOPICS)]
Attestation = Annotated[str, Field(max_length=8192)] | None
Seconds = Annotated[int, Field(ge=0)]


class _Call(BaseModel):
    """What senders add for statistics is left aside."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Publish(_Call):
    """`irn_publish`: a message for whoever has subscribed to its topic."""

    topic: Topic
    message: Message
    ttl: Seconds | None = None
    tag: int | None = None
    attestation: Attestation = None


class BatchPublish(_Call):
    """`irn_batchPublish`."""

    messages: Annotated[list[Publish], Field(min_length=1, max_length=50)]


class OneTopic(_Call):
    """`irn_subscribe`, `irn_fetchMessages`, and `irn_unsubscribe`, whose `id` says no more than the topic."""

    topic: Topic


class ManyTopics(_Call):
    """`irn_batchSubscribe` and `irn_batchFetchMessages`."""

    topics: Topics


class BatchUnsubscribe(_Call):
    """`irn_batchUnsubscribe`."""

    subscriptions: Annotated[list[OneTopic], Field(min_length=1, max_length=MAX_TOPICS)]


class ProposeSession(_Call):
    """`wc_proposeSession`: the application publishes its proposal, and listens for the answer, in one call."""

    pairing_topic: Annotated[Topic, Field(alias="pairingTopic")]
    proposal: Annotated[Message, Field(alias="sessionProposal")]
    ttl: Seconds | None = None
    attestation: Attestation = None


class ApproveSession(_Call):
    """`wc_approveSession`: the wallet answers the proposal, settles the session, and listens on it, in one call."""

    pairing_topic: Annotated[Topic, Field(alias="pairingTopic")]
    session_topic: Annotated[Topic, Field(alias="sessionTopic")]
    response: Annotated[Message, Field(alias="sessionProposalResponse")]
    settlement: Annotated[Message, Field(alias="sessionSettlementRequest")]
    ttl: Seconds | None = None
