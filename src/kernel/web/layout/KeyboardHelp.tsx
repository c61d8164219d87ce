import { Modal } from 'antd';
import { useScopes } from '../keyboard/keys.ts';

/** The shortcuts that work now, innermost first. */
export function KeyboardHelp({ onClose }: { onClose(): void }) {
  const scopes = useScopes((state) => state.scopes);
  const shortcuts = scopes.toReversed().flatMap((scope) => scope.shortcuts);
  const unique = shortcuts.filter((shortcut, index) => shortcuts.findIndex((other) => other.keys === shortcut.keys) === index);
  return (
    <Modal open title="键盘快捷键" footer={null} onCancel={onClose} width={460}>
      <dl className="kq-keys">
        {unique.map((shortcut) => (
          <div key={shortcut.keys}>
            <dt>
              {partsOf(shortcut.keys).map((key) => (
                <kbd key={key}>{keyNames[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{shortcut.label}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

/** `Ctrl+K` is two keys; the plus sign alone is one. */
const partsOf = (keys: string): readonly string[] => (keys === '+' ? [keys] : keys.split('+'));
const keyNames: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
