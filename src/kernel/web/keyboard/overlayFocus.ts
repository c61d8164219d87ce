import { watchLayers } from './escapeStack.ts';
import { PANEL_KEYS } from './PanelKeys.tsx';

// Where the keyboard is when a dialog or drawer opens and when it has closed: the one place that decides it, for all of them. The library
// puts it on the button that closes, where what is typed goes nowhere and Enter throws the form away.

const PANELS = '.ant-modal, .ant-drawer-section';
const BODIES = '.ant-modal-body, .ant-drawer-body';
/** What somebody fills in. Radio buttons: the chosen one, which stands for its group. */
const FIELDS =
  'input:not([type=hidden], [type=file], [type=radio]), input[type=radio]:checked, textarea, select, [contenteditable=true], [role=switch]';
const FOCUSABLE = `${FIELDS}, button, a[href], [tabindex]`;
/** Places to come back to that are remembered: one that a list has drawn anew since is passed over. */
const MOST_PLACES = 12;

const isUsable = (element: Element): boolean =>
  !element.matches(':disabled, [aria-disabled=true], [readonly]:not([role=combobox])') &&
  element.checkVisibility({ visibilityProperty: true });

const usable = (root: ParentNode, selector: string): HTMLElement | undefined =>
  [...root.querySelectorAll<HTMLElement>(selector)].find(isUsable);

const byKeys = (panel: HTMLElement): boolean => panel.querySelector(`.${PANEL_KEYS}`) !== null;

/** Where the keyboard begins: the first field, else what most probably comes next, else the panel, whose content the keys then scroll. */
function beginningOf(panel: HTMLElement): HTMLElement {
  if (byKeys(panel)) return panel;
  const body = panel.querySelector(BODIES);
  const field = body && usable(body, FIELDS);
  return field ?? usable(panel, '.ant-modal-footer .ant-btn-primary, .ant-drawer-footer .ant-btn-primary') ?? panel;
}

/** The nearest of an element and what holds it that takes the keyboard. */
const holderOf = (element: Element): HTMLElement | null => element.closest<HTMLElement>(FOCUSABLE);

/** Listens once, for the whole window; tells of every panel that opens. */
export function leadFocus(document: Document, onOpen: (panel: HTMLElement) => void): void {
  /** Open panels, the innermost last, each with where the keyboard was before it. */
  let open: { panel: HTMLElement; from: readonly HTMLElement[] }[] = [];
  /** Where it was, newest first. */
  let places: readonly HTMLElement[] = [];
  const remember = (place: HTMLElement | null) => {
    if (place) places = [place, ...places.filter((one) => one !== place)].slice(0, MOST_PLACES);
  };

  const focus = (element: HTMLElement) => {
    if (!element.matches(FOCUSABLE)) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };

  /** Until somebody does something in it: what is loaded may bring the first field later. */
  const begin = (panel: HTMLElement) => {
    const settle = () => {
      const at = document.activeElement;
      const inField = at instanceof HTMLElement && at.matches(FIELDS) && panel.contains(at) && at.closest(BODIES) !== null;
      // What opened over it meanwhile keeps the keyboard.
      if (open.at(-1)?.panel !== panel || (inField && !byKeys(panel))) return;
      const beginning = beginningOf(panel);
      if (at !== beginning) focus(beginning);
    };
    const watch = new MutationObserver(settle);
    const stop = () => {
      watch.disconnect();
      panel.removeEventListener('focusin', settle);
      document.removeEventListener('keydown', stop, true);
      document.removeEventListener('pointerdown', stop, true);
    };
    watch.observe(panel, { childList: true, subtree: true });
    // The library's own choice comes when the panel has been moved into its place.
    panel.addEventListener('focusin', settle);
    document.addEventListener('keydown', stop, true);
    document.addEventListener('pointerdown', stop, true);
    settle();
  };

  const closed = () => {
    const isOpen = ({ panel }: { panel: HTMLElement }) => panel.isConnected && panel.checkVisibility();
    const gone = open.filter((one) => !isOpen(one));
    if (gone.length === 0) return;
    open = open.filter(isOpen);
    const at = document.activeElement;
    if (at !== null && at !== document.body && at.checkVisibility() && !gone.some(({ panel }) => panel.contains(at))) return;
    const back = gone[0]!.from.find((place) => place.isConnected && isUsable(place));
    back?.focus({ preventScroll: true });
  };

  const isNew = (panel: HTMLElement) => !open.some((one) => one.panel === panel);
  const enter = (panel: HTMLElement) => {
    open = [...open, { panel, from: places.filter((place) => !panel.contains(place)) }];
    begin(panel);
    onOpen(panel);
  };
  /** As soon as it is in the page, before it has been moved into its place: Back belongs to it from then on. */
  const look = () => {
    for (const panel of document.querySelectorAll<HTMLElement>(PANELS)) if (isNew(panel) && panel.checkVisibility()) enter(panel);
  };

  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      closed();
      const panel = target.closest<HTMLElement>(PANELS);
      if (panel && isNew(panel)) enter(panel);
      else remember(target);
    },
    true,
  );
  // A frame that takes the keyboard says so to nobody outside of it but by the window's loss.
  window.addEventListener('blur', () => {
    if (document.activeElement instanceof HTMLIFrameElement) remember(document.activeElement);
  });
  // A click on what takes no focus of its own is still where the operator was.
  document.addEventListener('pointerdown', ({ target }) => target instanceof Element && remember(holderOf(target)), true);
  // What it holds is taken out of the page when it has left the stack.
  watchLayers(() => {
    look();
    setTimeout(closed);
  });
}
