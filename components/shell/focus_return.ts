/** Back in a view, the focus is on what led away from it. It comes with what moves the views: nobody has led away before. */

type Place = { testId: string; number: number };

/** The views that lead to the one that is shown, and the part of each that had the focus last. */
const path: { view: string; place?: Place }[] = [];

const sameId = (view: Element, testId: string): HTMLElement[] => [...view.querySelectorAll<HTMLElement>(`[data-testid="${CSS.escape(testId)}"]`)];

document.addEventListener("focusin", ({ target }) => {
  const part = target as HTMLElement;
  const view = part.closest<HTMLElement>(".wm-view");
  const key = view?.dataset.view;
  if (!view || !key) return;
  const at = path.findIndex((one) => one.view === key);
  const isBack = at >= 0 && at < path.length - 1;
  if (at < 0) path.push({ view: key });
  else path.length = at + 1;
  const shown = path[path.length - 1] as (typeof path)[number];
  const { testid } = part.dataset;
  if (part !== view) {
    if (testid) shown.place = { testId: testid, number: sameId(view, testid).indexOf(part) };
  } else if (isBack && shown.place) {
    sameId(view, shown.place.testId)[shown.place.number]?.focus({ preventScroll: true });
  }
});
