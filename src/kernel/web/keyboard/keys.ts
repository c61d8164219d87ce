import { useEffect, useRef } from 'react';
import { create } from 'zustand';

/** One shortcut: `Ctrl+K`, `J`, `F2`, `?`, `Ctrl+Enter`, `ArrowDown`. */
export interface Shortcut {
  keys: string;
  /** What it does, for the keyboard help. */
  label: string;
  act(): void;
  /** Works also while a field has the focus (needs Ctrl, Alt or a function key). */
  inFields?: boolean;
}

interface Scope {
  id: number;
  shortcuts: readonly Shortcut[];
  /** Nothing below hears the keys (an open drawer). */
  exclusive: boolean;
}

/** Scopes from the shell up to the innermost open layer. */
export const useScopes = create<{ scopes: readonly Scope[] }>(() => ({ scopes: [] }));

let nextId = 1;

/**
 * Registers shortcuts as long as the component is shown; those of hidden tabs rest, since their effects do.
 * @param exclusive an open dialog or drawer: pages below do not hear the keys meanwhile.
 */
export function useKeys(shortcuts: readonly Shortcut[], exclusive = false): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const own = useRef(0);
  const shape = shortcuts.map(({ keys, label }) => `${keys}:${label}`).join('|');
  useEffect(() => {
    if (own.current === 0) own.current = nextId++;
    const live = latest.current.map((shortcut, index) => ({ ...shortcut, act: () => latest.current[index]?.act() }));
    const scope: Scope = { id: own.current, shortcuts: live, exclusive };
    // Changed shortcuts keep their place: a panel whose acts change must not come to lie over what stands in it.
    useScopes.setState(({ scopes }) => ({
      scopes: scopes.some(({ id }) => id === scope.id) ? scopes.map((one) => (one.id === scope.id ? scope : one)) : [...scopes, scope],
    }));
  }, [shape, exclusive]);
  useEffect(() => () => useScopes.setState(({ scopes }) => ({ scopes: scopes.filter(({ id }) => id !== own.current) })), []);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(checkbox|radio)$/.test(target.getAttribute('type') ?? '');

/** Keys by their place, for presses with Alt: there the letter that a keyboard makes of them differs. */
const PLACES: Readonly<Record<string, string>> = { Slash: '/', Comma: ',', Period: '.', Minus: '-', Equal: '=' };
const nameOfPlace = (code: string): string | undefined => /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? PLACES[code];

/** Name of a pressed key as the shortcuts spell it. */
export function nameOfKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> & { code?: string }): string {
  const place = event.altKey && event.code ? nameOfPlace(event.code) : undefined;
  const key = place ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const shift = event.shiftKey && (event.key.length > 1 || place !== undefined);
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

/** The shortcut that a key press means now. */
export function shortcutFor(scopes: readonly Scope[], name: string, inField: boolean): Shortcut | undefined {
  for (const scope of [...scopes].reverse()) {
    const found = scope.shortcuts.find((shortcut) => shortcut.keys === name && (!inField || shortcut.inFields));
    if (found) return found;
    if (scope.exclusive) return undefined;
  }
  return undefined;
}

/** Listens once, for the whole window. Answers the function that stops it. */
export function listenToKeys(): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    const found = shortcutFor(useScopes.getState().scopes, nameOfKey(event), isField(event.target));
    if (!found) return;
    event.preventDefault();
    // Its own alone: Escape in a preview must not close the drawer below it too.
    event.stopImmediatePropagation();
    found.act();
  };
  window.addEventListener('keydown', hear);
  return () => window.removeEventListener('keydown', hear);
}
