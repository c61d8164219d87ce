import { provideGate } from './navigate.ts';
import { openLayers, pressEscape, watchLayers, type Layer } from '../keyboard/escapeStack.ts';

// The browser's Back with a drawer or dialog open closes it, and does not leave the page below; Forward opens it again. Each has an entry
// of the history, of which the router knows nothing: its address is that of the page.

interface Entry {
  id: number;
  /** Absent while its code is still on its way. */
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
function push(id: number): void {
  History.prototype.pushState.call(history, { ...history.state, [MARK]: id }, '', location.href);
}

function step(by: number): void {
  awaited += 1;
  history.go(by);
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
  const stands = markOf(history.state) === entries.at(-1)!.id;
  entries = entries.slice(0, -dead);
  // Who went on to another page has left them in the past already.
  if (stands) step(-dead);
}

const isAlive = ({ layer }: Entry): boolean => layer === undefined || openLayers().includes(layer);

/** How the layer that is about to open is opened again by Forward. */
export const offerReopening = (reopen: () => boolean): void => void (reopening = reopen);

/** A drawer or dialog has opened. */
export function enterLayer(): void {
  afterSteps(() => {
    const top = entries.at(-1);
    // Opened again by Forward, or in the place of one that has just gone.
    const isTaken = top !== undefined && (top.layer === undefined || !openLayers().includes(top.layer)) && markOf(history.state) === top.id;
    const id = isTaken ? top.id : (lastId += 1);
    if (!isTaken) push(id);
    if (reopening) reopeners.set(id, reopening);
    reopening = null;
    entries = [...(isTaken ? entries.slice(0, -1) : entries), { id }];
    // The library enters its layer after what is inside of it.
    setTimeout(() => {
      const layer = openLayers().at(-1);
      entries = entries.flatMap((entry) => (entry.id !== id ? [entry] : layer ? [{ id, layer }] : []));
    });
  });
}

function hear(event: PopStateEvent): void {
  if (awaited > 0) {
    awaited -= 1;
    event.stopImmediatePropagation();
    if (awaited > 0) return;
    const due = waiting;
    waiting = [];
    for (const change of due) change();
    return;
  }
  const to = markOf(event.state);
  const top = entries.at(-1);
  if (top && to !== top.id) {
    event.stopImmediatePropagation();
    // As it was: what asks first stays, and what closes leaves its entry as ever.
    push(top.id);
    pressEscape(new KeyboardEvent('keydown', { key: 'Escape' }));
    return;
  }
  if (to === undefined || top) return;
  event.stopImmediatePropagation();
  const reopen = reopeners.get(to);
  entries = [{ id: to }];
  if (reopen?.()) return;
  entries = [];
  step(-1);
}

/** Listens once, before the router does: at its target an event comes to those that capture first. */
export function keepLayersInHistory(): void {
  window.addEventListener('popstate', hear, true);
  provideGate(afterSteps);
  watchLayers(() => setTimeout(leave));
}
