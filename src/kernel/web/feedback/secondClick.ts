/**
 * The second click of a double click is meant for what the first one was on. Where that has gone meanwhile, as a dialog goes with its
 * answer and a menu with its choice, the click does nothing to what lay below.
 */
export function holdSecondClicks(page: Document): void {
  let first: Element | null = null;
  page.addEventListener(
    'click',
    (event) => {
      if (event.detail <= 1) first = event.target instanceof Element ? event.target : null;
      else if (first !== null && !first.isConnected) {
        event.stopPropagation();
        event.preventDefault();
      }
    },
    true,
  );
}
