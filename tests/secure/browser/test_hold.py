"""A device whose transfers wait: its visitor is told so in the place of the request's card."""

from playwright.sync_api import expect

from tests.secure.browser.stage import Stage

UNTIL = 1_900_000_000_000
NODE = {
    "eth_getTransactionCount": "0x0",
    "eth_estimateGas": "0x5208",
    "eth_feeHistory": {"baseFeePerGas": ["0x1", "0x1"], "reward": [["0x1"]]},
}


def test_a_transfer_that_has_to_wait_is_not_offered_for_approval(stage: Stage) -> None:
    stage.site.held_until = UNTIL
    stage.site.node = dict(NODE)
    account = stage.log_in()["address"]
    stage.request("eth_sendTransaction", [{"from": account, "to": account, "value": "0x1"}])
    expect(stage.card.get_by_test_id("hold")).to_contain_text("Transfers from this device wait")
    expect(stage.card.get_by_test_id("hold")).to_contain_text("2030")
    expect(stage.card.get_by_test_id("frame-approve")).to_have_count(0)
    stage.card.get_by_test_id("hold-close").click()
    refused = stage.answer("asked")["payload"]
    assert (refused["code"], refused["reason"]) == (4001, "held")
    assert not [call for call in stage.site.calls if call == "/v1/wallet/half"]


def test_a_message_is_offered_all_the_same(stage: Stage) -> None:
    stage.site.held_until = UNTIL
    account = stage.log_in()["address"]
    stage.request("personal_sign", ["0x" + b"hello".hex(), account])
    expect(stage.card.get_by_test_id("frame-approve")).to_be_enabled()
    assert "/v1/wallet/hold" not in stage.site.calls
