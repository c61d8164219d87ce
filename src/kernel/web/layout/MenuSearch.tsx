import { Modal } from 'antd';
import { useMemo, useState } from 'react';
import { useKeys } from '../keyboard/keys.ts';
import { goTo } from '../router/navigate.ts';
import { matches } from './menuMatch.ts';
import { flatten } from './topMenu.ts';
import type { MenuItem } from './topMenu.ts';
import { usePinyin } from './usePinyin.ts';

interface MenuSearchProps {
  items: readonly MenuItem[];
  onClose(): void;
}

/** Type-ahead over the permitted pages: Chinese, pinyin or its initials; arrows and Enter. */
export function MenuSearch({ items, onClose }: MenuSearchProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const pinyinOf = usePinyin();
  const pages = useMemo(() => flatten(items), [items]);
  const found = useMemo(() => pages.filter((page) => matches(page, text, pinyinOf)), [pages, text, pinyinOf]);
  const at = Math.min(chosen, Math.max(0, found.length - 1));
  useKeys([], true);
  const open = (path: string | undefined) => {
    if (!path) return;
    onClose();
    goTo(path);
  };
  return (
    <Modal
      open
      footer={null}
      closable={false}
      width={520}
      onCancel={onClose}
      className="kq-command"
      title={null}
      styles={{ body: { padding: 0 } }}
    >
      <input
        className="kq-command-input"
        placeholder="输入菜单名称、拼音或首字母"
        aria-label="搜索菜单"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'ArrowDown') setChosen(Math.min(at + 1, found.length - 1));
          else if (event.key === 'ArrowUp') setChosen(Math.max(at - 1, 0));
          else if (event.key === 'Enter') open(found[at]?.path);
          else return;
          event.preventDefault();
        }}
      />
      <ul className="kq-command-list" role="listbox" aria-label="菜单">
        {found.map((page, index) => (
          <li key={page.path} role="option" aria-selected={index === at}>
            <button
              type="button"
              tabIndex={-1}
              className={index === at ? 'kq-on' : ''}
              ref={(element) => {
                if (index === at) element?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => open(page.path)}
            >
              <span>{page.title}</span>
              <span className="kq-muted">{page.trail.join(' / ')}</span>
            </button>
          </li>
        ))}
        {found.length === 0 && <li className="kq-empty">没有匹配的菜单</li>}
      </ul>
    </Modal>
  );
}
