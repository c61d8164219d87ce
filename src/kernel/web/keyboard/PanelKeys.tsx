import { useKeys, type Shortcut } from './keys.ts';

/** Marks a panel that is worked by letters, figures and arrows: the keyboard does not begin in a field of it, which would take them. */
export const PANEL_KEYS = 'kq-panel-keys';

const isPlain = ({ keys }: Shortcut): boolean => !/^(Ctrl|Alt|F\d)/.test(keys);

/** The shortcuts of a drawer or dialog, rendered inside of it. With `exclusive` the pages below do not hear the keys meanwhile. */
export function PanelKeys({ shortcuts, exclusive = true }: { shortcuts: readonly Shortcut[]; exclusive?: boolean }) {
  useKeys(shortcuts, exclusive);
  return shortcuts.some(isPlain) ? <span hidden className={PANEL_KEYS} /> : null;
}
