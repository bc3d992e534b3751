/** Approval of what is no request of a site, on the same card and by the same rules. */
import type { Card, Summary } from "../cards/card";
import { askingPage } from "../host_page";
import { rejected } from "../errors";
import { loadRequests } from "../scripts";
import type { Turn } from "../screen";

/** Has the visitor approve it; `working`: what is said afterwards, while it is carried out. `last`: nothing else is asked; `apart`: in a window of this site's own. Raises 4001. */
export async function approve(summary: Summary, working: string, turn: Turn, last = true, apart = false): Promise<void> {
  const { askConsent, askInWindow } = await loadRequests();
  const card: Card = { ...summary, origin: askingPage("").origin, vouched: true, network: "", account: "", hint: null, apart };
  const consent = askConsent(card, () => askInWindow(card, turn.signal));
  turn.signal.addEventListener("abort", consent.stop);
  turn.show(consent.card);
  if (!(await consent.given)) throw rejected();
  if (last) turn.commit();
  consent.working(working);
}
