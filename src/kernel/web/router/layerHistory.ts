import { alignAddress, provideGate, provideHearer, shownHref } from './navigate.ts';
import { openLayers, pressEscape, watchLayers, type Layer } from '../keyboard/escapeStack.ts';

// The browser's Back with a drawer or dialog open closes it, and does not leave the page below; Forward opens it again. Each has an entry
// of the history, of which the router knows nothing: its address is that of the page. A layer that the address names (`?channelId=5`) has
// changed that address when it opens; when it has closed, the entry below takes the address that the page has then.

interface Entry {
  id: number;
  /** Address with which it is opened again. */
  href: string;
  /** What the operator sees of it; absent while its code is still on its way. */
  panel?: HTMLElement;
  /** Hears Escape; on a slow machine it enters the stack long after the panel is in the page. */
  layer?: Layer;
}

const MARK = 'kqLayer';
let entries: readonly Entry[] = [];
let lastId = Date.now();
/** How what was opened last is opened again; answers whether it was. */
let reopening: (() => boolean) | null = null;
const reopeners = new Map<number, () => boolean>();
/** Steps back that this module made itself and that have not come yet, with what waits for them. */
let awaited = 0;
let waiting: (() => void)[] = [];

const markOf = (state: unknown): number | undefined => {
  const mark = typeof state === 'object' && state !== null ? Reflect.get(state, MARK) : undefined;
  return typeof mark === 'number' ? mark : undefined;
};

/** As the browser itself does it: the router would take it for a navigation. */
function mark(how: 'pushState' | 'replaceState', { id, href }: Entry): void {
  History.prototype[how].call(history, { ...history.state, [MARK]: id }, '', href);
}

const addressNow = (): string => location.pathname + location.search + location.hash;

/** Longest that a step is waited for: one that the browser gave up, for a way out of the page that began meanwhile, never comes. */
const STEP_MS = 1_000;
let stepping: ReturnType<typeof setTimeout> | undefined;

function step(by: number): void {
  awaited += 1;
  history.go(by);
  clearTimeout(stepping);
  stepping = setTimeout(stepped, STEP_MS);
}

/** No step is on its way any more: what waited goes on. */
function stepped(): void {
  clearTimeout(stepping);
  awaited = 0;
  const due = waiting;
  waiting = [];
  for (const change of due) change();
}

/** Runs what changes the history when no step of this module is on its way: it would start from another entry. */
function afterSteps(change: () => void): void {
  if (awaited === 0) change();
  else waiting.push(change);
}

/** Entries whose layers have been closed by their own buttons are left behind. */
const leave = (): void => afterSteps(leaveNow);

function leaveNow(): void {
  let dead = 0;
  while (dead < entries.length && !isAlive(entries.at(-1 - dead)!)) dead += 1;
  if (dead === 0) return;
  const top = entries.at(-1)!;
  const stands = isMarked(top);
  entries = entries.slice(0, -dead);
  // Who went on to another page has left them in the past already.
  if (!stands) return;
  mark('replaceState', top);
  waiting = [...waiting, () => addressNow() !== shownHref() && alignAddress()];
  step(-dead);
}

const isMarked = ({ id }: Entry): boolean => markOf(history.state) === id;

/** A page that changes its address below what is open: the entry stays that of the layer. */
function changeBelow(change: () => void): void {
  const top = entries.at(-1);
  const stands = top !== undefined && isMarked(top);
  change();
  if (stands) mark('replaceState', { ...top, href: addressNow() });
}

function isAlive({ layer, panel }: Entry): boolean {
  if (layer) return openLayers().includes(layer);
  return panel === undefined || isShown(panel);
}

const isShown = (panel: HTMLElement): boolean => panel.isConnected && panel.checkVisibility();

/** The panel that waits for its layer takes the one on top, unless that belongs to what lies below. */
function joinLayer(): void {
  const waits = entries.at(-1);
  const layer = openLayers().at(-1);
  if (!waits?.panel || waits.layer || !layer || entries.some((one) => one.layer === layer)) return;
  entries = [...entries.slice(0, -1), { ...waits, layer }];
}

/** How the layer that is about to open is opened again by Forward. */
export const offerReopening = (reopen: () => boolean): void => void (reopening = reopen);

/** A drawer or dialog has opened. */
export function enterLayer(panel: HTMLElement): void {
  afterSteps(() => {
    const reopen = reopening;
    reopening = null;
    // It has closed again before the step below it was made.
    if (!isShown(panel)) return;
    const top = entries.at(-1);
    // Opened again by Forward, or in the place of one that has just gone.
    const isTaken = top !== undefined && (!(top.panel ?? top.layer) || !isAlive(top)) && isMarked(top);
    const id = isTaken ? top.id : (lastId += 1);
    const entry = { id, href: addressNow(), panel };
    if (!isTaken) mark('pushState', entry);
    if (reopen) reopeners.set(id, reopen);
    entries = [...(isTaken ? entries.slice(0, -1) : entries), entry];
    // The library enters its layer after what is inside of it.
    setTimeout(joinLayer);
  });
}

function hear(event: PopStateEvent): void {
  if (awaited > 0) {
    awaited -= 1;
    event.stopImmediatePropagation();
    if (awaited === 0) stepped();
    return;
  }
  const to = markOf(event.state);
  // One whose record could not be shown never opened: nothing is there to close.
  if (openLayers().length === 0) entries = entries.filter((one) => one.panel && isAlive(one));
  const top = entries.at(-1);
  if (top && to !== top.id) {
    event.stopImmediatePropagation();
    // As it was: what asks first stays, and what closes leaves its entry as ever.
    mark('pushState', { ...top, href: shownHref() });
    pressEscape(new KeyboardEvent('keydown', { key: 'Escape' }));
    return;
  }
  if (to === undefined || top) return;
  entries = [{ id: to, href: addressNow() }];
  // Named by its address: the router opens it.
  if (addressNow() !== shownHref()) return;
  event.stopImmediatePropagation();
  if (reopeners.get(to)?.()) return;
  entries = [];
  step(-1);
}

export function keepLayersInHistory(): void {
  provideHearer(hear);
  provideGate((change, way) => afterSteps(way === 'replace' ? () => changeBelow(change) : change));
  watchLayers(() => {
    setTimeout(joinLayer);
    setTimeout(leave);
  });
  // Of what was open before a reload the entry alone is left.
  if (markOf(history.state) !== undefined) step(-1);
}
