"""Which tests `make test` leaves to `make test-all`, and what still holds their behaviours.

`make test` ends within 8 minutes on two processors, so that it is run before every change. What it leaves out is run before a release,
and by whoever changes what these tests look at.
"""

from pathlib import Path
from typing import Final

import pytest

from tests.distribution import is_on_redis_as_well

_TESTS: Final = Path(__file__).parent

SLOW: Final = {
    "the same behaviour in another circumstance; the ordinary one is tested": (
        "browser/test_account_deletion.py::test_a_wallet_is_deleted_in_a_window_of_the_secure_site_and_the_next_login_makes_another",
        "browser/test_appkit_site.py::test_an_account_at_a_provider_leads_to_one_on_chain",
        "browser/test_appkit_site.py::test_an_address_is_changed_with_both_codes",
        "browser/test_appkit_site.py::test_farcasters_app_logs_in_by_the_code",
        "browser/test_appkit_site.py::test_who_closes_signs_nothing_and_the_next_request_is_the_one_that_is_shown",
        "browser/test_connect.py::test_the_journey_works_on_two_workers_over_redis",
        "browser/test_every_namespace.py",
        "browser/test_forged_events.py::test_an_event_of_a_hundred_megabytes_leaves_the_server_alive",
        "browser/test_interruptions.py",
        "browser/test_names.py::test_a_name_is_signed_for_on_the_phone",
        "browser/test_names.py::test_who_declines_registers_with_the_button_afterwards",
        "browser/test_other_hosts.py",
        "browser/test_other_sites.py",
        "browser/test_pairing.py::test_a_frame_that_loads_anew_shows_a_code_without_a_click",
        "browser/test_pairing.py::test_a_phone_that_declines_is_asked_again_with_another_code",
        "browser/test_pairing.py::test_a_relay_that_is_down_leaves_a_way_on",
        "browser/test_pairing.py::test_after_a_reload_a_fresh_code_is_there_without_a_click",
        "browser/test_pairing.py::test_an_approval_after_closing_connects",
        "browser/test_pairing.py::test_the_code_is_still_there_on_the_way_back",
        "browser/test_passkeys.py::test_after_a_code_a_passkey_brings_the_wallet_to_another_site",
        "browser/test_phones.py",
        "browser/test_placements.py",
        "browser/test_polkadot.py",
        "browser/test_records.py",
        "browser/test_recovery_password.py",
        "browser/test_redis_away.py",
        "browser/test_permissions.py::test_a_visitor_takes_back_all_permissions_at_once",
        "browser/test_reference_client.py::test_an_account_at_a_provider_logs_in",
        "browser/test_reference_client.py::test_an_account_at_another_provider_logs_in",
        "browser/test_reference_client.py::test_an_ordinary_account_makes_calls_one_after_the_other",
        "browser/test_reference_client.py::test_farcasters_app_logs_in_by_the_link",
        "browser/test_rpc_down.py",
        "browser/test_secure_cards.py::test_no_card_has_a_grave_barrier_in_another_look",
        "browser/test_secure_site_away.py",
        "browser/test_send.py::test_a_burn_address_must_be_accepted",
        "browser/test_send.py::test_a_tokens_contract_is_warned_of_also_where_it_refuses",
        "browser/test_send.py::test_a_wallet_that_sends_something_else_is_caught",
        "browser/test_send.py::test_max_empties_the_account_but_for_the_fee",
        "browser/test_send_elsewhere.py",
        "browser/test_token_fees.py",
        "browser/test_send_failures.py",
        "browser/test_sign_in.py::test_2000_forged_events_sign_nobody_in_or_out",
        "browser/test_sign_in.py::test_a_frame_that_reloads_while_the_wallet_signs_takes_its_one_answer",
        "browser/test_sign_in.py::test_a_restart_of_the_server_signs_nobody_out",
        "browser/test_sign_in.py::test_a_wallet_that_ends_the_connection_itself_signs_nobody_out",
        "browser/test_sign_in.py::test_who_signs_out_in_the_list_signs_in_again_from_there",
        "browser/test_sign_in.py::test_without_its_cookie_a_sign_in_lasts_as_long_as_the_page",
        "browser/test_sign_in_pairing.py",
        "browser/test_social.py::test_a_login_goes_on_where_the_host_page_was_loaded_anew_meanwhile",
        "browser/test_social.py::test_a_login_that_the_visitor_gave_up_by_a_reload_can_be_begun_again",
        "browser/test_social.py::test_a_provider_that_cuts_its_window_off_still_logs_in",
        "browser/test_social.py::test_apple_answers_by_a_form",
        "browser/test_social.py::test_farcasters_app_logs_in_by_the_code",
        "browser/test_social.py::test_who_does_not_allow_it_is_told_and_may_try_again",
        "browser/test_sponsored.py::test_a_token_is_sent_by_who_owns_no_coin",
        "browser/test_sponsored.py::test_a_token_is_swapped_by_who_owns_no_coin",
        "browser/test_storage.py",
        "browser/test_swap.py::test_a_token_is_approved_and_then_swapped",
        "browser/test_swap.py::test_a_wallet_that_will_not_make_one_is_asked_for_the_approval",
        "browser/test_swap_elsewhere.py",
        "browser/test_top_layer.py::test_the_modal_is_above_the_page_for_the_time_of_the_approval_alone",
        "browser/test_touch.py",
        "browser/wallets/",
        "secure/browser/test_handover.py::test_a_browser_that_tells_no_site_confirms_the_one_that_the_modal_says",
        "secure/browser/test_handover.py::test_where_storage_is_denied_a_window_opens_the_wallet_for_the_pages_life",
        "sandbox/bundler/test_clients.py::test_an_account_without_coin_is_sponsored",
        "secure/test_login_attacks.py::test_ten_thousand_guesses_find_nothing",
    ),
    "in the browser; tests of the states (tests/features) and of the loader (loader/tests) hold the behaviour": (
        "browser/test_alert.py",
        "browser/test_all_wallets.py",
        "browser/test_bad_wallets.py",
        "browser/test_buying.py::test_a_blocked_window_leaves_a_link",
        "browser/test_buying.py::test_a_window_that_was_closed_can_be_opened_again",
        "browser/test_buying.py::test_what_is_short_in_a_form_is_filled_in_at_the_providers",
        "browser/test_buying.py::test_the_element_shows_what_an_amount_buys_and_leads_to_the_providers",
        "browser/test_choosing.py",
        "browser/test_history.py",
        "browser/test_wallet_calls.py",
        "browser/test_wallet_side.py",
    ),
    "looks and movement; of the gallery, the dark entries that have every part are looked at (tests/gallery/conftest.py)": (
        "browser/test_first_openings.py",
        "browser/test_look.py",
        "browser/test_motion.py",
        "gallery/test_controls.py",
        "gallery/test_theme.py",
        "gallery/test_heights.py::test_the_skeleton_of_the_account_is_as_high_as_the_account_on_a_phone",
        "gallery/test_looks.py::test_every_part_is_seen_in_every_look",
    ),
    "what other people wrote, against what we promise them": (
        "browser/test_examples.py",
        "browser/test_host_libraries.py",
        "components/pairing/",
        "commands/test_own_project.py",
        "host/test_hosts_page.py",
        "host/test_wheel.py",
        "testing/test_plugin.py",
    ),
    "nothing else holds these: they wait in real time, or start whole servers": (
        "db/test_deadlines.py",
        "commands/test_serve.py",
        "commands/test_serving.py",
    ),
    "tools of this project; whoever uses them sees that they work": (
        "browser/test_live_reload.py",
        "browser/test_outgoing.py",
        "browser/test_sandbox_wallet.py",
        "browser/test_visits.py",
        "browser/test_wallet_parts.py",
        "sandbox/",
        "secure/test_killed.py",
        "secure/test_killed_logins.py",
        "test_scripts_audit.py",
        "test_scripts_lock.py",
        "test_scripts_setup.py",
        "test_scripts_test.py",
        "test_second_try.py",
        "testing/test_stack.py",
    ),
}
"""How the ids of the tests begin, below tests/, by the reason."""

KEPT_ON_REDIS: Final = frozenset(
    f"features/test_{name}.py"
    for name in ("approve_resume", "bridge", "pairing_resume", "requests", "resume", "resume_records", "session_size")
)
"""Of the states' tests, those of what is kept and found again run on both stores of sessions; of the others the case on Redis is slow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests."""
    beginnings = tuple(beginning for several in SLOW.values() for beginning in several)
    for item in items:
        path = item.path.relative_to(_TESTS).as_posix()
        name = item.nodeid.partition("::")[2]
        if f"{path}::{name}".startswith(beginnings) or (is_on_redis_as_well(item) and path not in KEPT_ON_REDIS):
            item.add_marker(pytest.mark.slow)
