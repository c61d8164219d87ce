import { Modal } from 'antd';
import { useMemo, useState } from 'react';
import { useFinders } from '../keyboard/finders.ts';
import type { Found } from '../keyboard/finders.ts';
import { useKeys } from '../keyboard/keys.ts';
import { goTo } from '../router/navigate.ts';
import { matches, rankOf } from './menuMatch.ts';
import { pageCommands } from './pageCommands.ts';
import { flatten } from './topMenu.ts';
import type { MenuItem } from './topMenu.ts';
import { useNumbers } from './useNumbers.ts';
import { usePinyin } from './usePinyin.ts';

interface MenuSearchProps {
  items: readonly MenuItem[];
  onClose(): void;
}

/** Without a word only pages are listed: acts are many, and their buttons in sight. */
const MOST_ACTS = 8;

/** Type-ahead over permitted pages, business numbers and acts of the page: Chinese, pinyin or its initials; arrows and Enter. */
export function MenuSearch({ items, onClose }: MenuSearchProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [acts] = useState(pageCommands);
  const finders = useFinders((state) => state.finders);
  const pinyinOf = usePinyin();
  const pages = useMemo(() => flatten(items), [items]);
  const numbers = useNumbers(text);
  const found = useMemo((): readonly Found[] => {
    const things = finders.flatMap(({ find }) => find(text.trim()));
    const menu = pages
      .filter((page) => matches(page, text, pinyinOf))
      .toSorted((one, other) => rankOf(one, text) - rankOf(other, text))
      .map(({ path, title, trail }) => ({ key: path, title, trail: trail.join(' / '), act: () => goTo(path) }));
    const fitting =
      text.trim() === '' ? [] : acts.filter(({ title }) => matches({ title, trail: [], path: '' }, text, pinyinOf)).slice(0, MOST_ACTS);
    return [...numbers.found, ...things, ...menu, ...fitting];
  }, [finders, pages, acts, text, pinyinOf, numbers.found]);
  const at = Math.min(chosen, Math.max(0, found.length - 1));
  useKeys([], true);
  const open = (one: Found | undefined) => {
    if (!one) return;
    onClose();
    one.act();
  };
  const readsPinyin = pinyinOf === null && /^[a-z\s]+$/i.test(text.trim());
  return (
    <Modal
      open
      footer={null}
      closable={false}
      width={560}
      onCancel={onClose}
      className="kq-command"
      title={null}
      styles={{ body: { padding: 0 } }}
    >
      <input
        className="kq-command-input"
        placeholder="输入菜单名称、拼音或首字母，业务编号，本页操作"
        aria-label="搜索"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'ArrowDown') setChosen(Math.min(at + 1, found.length - 1));
          else if (event.key === 'ArrowUp') setChosen(Math.max(at - 1, 0));
          else if (event.key === 'Enter') open(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul className="kq-command-list" role="listbox" aria-label="搜索结果">
        {found.map((one, index) => (
          <li key={one.key} role="option" aria-selected={index === at}>
            <button
              type="button"
              tabIndex={-1}
              className={index === at ? 'kq-on' : ''}
              ref={(element) => {
                if (index === at) element?.scrollIntoView({ block: 'nearest' });
              }}
              onClick={() => open(one)}
            >
              <span>{one.title}</span>
              <span className="kq-muted">{one.trail}</span>
            </button>
          </li>
        ))}
      </ul>
      {(readsPinyin || numbers.word !== undefined || found.length === 0) && (
        <p className="kq-command-word" role="status">
          {readsPinyin ? '拼音加载中…' : (numbers.word ?? '没有匹配的菜单、编号或操作')}
        </p>
      )}
    </Modal>
  );
}
