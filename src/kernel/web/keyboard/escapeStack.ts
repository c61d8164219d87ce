import { useEffect, useRef, useState } from 'react';

/** One that is open: a drawer, a dialog, the list of a select. */
export interface Layer {
  /** Layers that were rendered later lie above. */
  order: number;
  hear: { current: OnEsc | undefined };
}

type OnEsc = (press: { top: boolean; event: KeyboardEvent }) => void;

/** An input method that has just closed its list of candidates with Escape, milliseconds. */
const COMPOSED_MS = 200;

let layers: readonly Layer[] = [];
let lastOrder = 0;
const hearers: (() => void)[] = [];
const change = (now: readonly Layer[]) => {
  layers = now;
  for (const hear of hearers) hear();
};

export const openLayers = (): readonly Layer[] => layers;
/** Hears of every layer that opens or closes. */
export const watchLayers = (hear: () => void): void => void hearers.push(hear);

/** What Escape does: the layer on top closes, or asks whether it may. */
export function pressEscape(event: KeyboardEvent): void {
  const all = layers;
  for (const layer of all.toReversed()) layer.hear.current?.({ top: layer === all.at(-1), event });
}
let composedAt = -Infinity;

function hearKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || performance.now() - composedAt < COMPOSED_MS) return;
  pressEscape(event);
}
const hearComposition = () => void (composedAt = performance.now());

/**
 * Takes the place of the same hook in `@rc-component/portal` 2.2.1 (alias in vite.config.ts), through which drawers, dialogs and
 * lists of the library hear Escape. That one enters a layer while it is rendered: a rendering that React gives up, as it does for what
 * is loaded on demand, leaves its layer on top for ever, and nothing below closes by Escape any more. Here a layer enters when
 * it is shown; its order is still that of rendering, so that what is inside lies above what holds it.
 */
export default function useEscKeyDown(open: boolean, onEsc?: OnEsc): void {
  const hear = useRef(onEsc);
  hear.current = onEsc;
  const [shown, setShown] = useState({ open: false, order: 0 });
  // As soon as it opens, in the same rendering: effects of what is inside come first.
  if (shown.open !== open) setShown({ open, order: open ? ++lastOrder : 0 });
  const { order } = shown;
  useEffect(() => {
    if (!open) return;
    const layer: Layer = { order, hear };
    if (layers.length === 0) {
      window.addEventListener('keydown', hearKey);
      window.addEventListener('compositionend', hearComposition);
    }
    change([...layers, layer].toSorted((one, other) => one.order - other.order));
    return () => {
      change(layers.filter((one) => one !== layer));
      if (layers.length > 0) return;
      window.removeEventListener('keydown', hearKey);
      window.removeEventListener('compositionend', hearComposition);
    };
  }, [open, order]);
}
