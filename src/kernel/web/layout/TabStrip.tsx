import { useEffect, useRef } from 'react';
import { useKeys } from '../keyboard/keys.ts';
import { useContextMenu } from '../kit/PopMenu.tsx';
import { goTo } from '../router/navigate.ts';
import { closePages } from '../tabs/close.ts';
import { useTabs } from '../tabs/store.ts';
import type { Tab } from '../tabs/tabList.ts';

/** The open pages; a dot marks unsaved edits. */
export function TabStrip() {
  const open = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    strip.current?.querySelector('.kq-on')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  const step = (by: number) => {
    const at = open.findIndex((tab) => tab.key === active);
    const next = open[(at + by + open.length) % open.length];
    if (next) goTo(next.path, next.search);
  };
  useKeys([
    { keys: 'Alt+ArrowLeft', label: '上一个页签', act: () => step(-1), inFields: true },
    { keys: 'Alt+ArrowRight', label: '下一个页签', act: () => step(1), inFields: true },
    { keys: 'Alt+W', label: '关闭当前页签', act: () => active && void closePages([active]), inFields: true },
  ]);
  const menuOf = (tab: Tab) => {
    const at = open.indexOf(tab);
    const others = (list: readonly Tab[]) => void closePages(list.map(({ key }) => key));
    return [
      { key: 'this', label: '关闭', act: () => others([tab]) },
      { key: 'others', label: '关闭其他', disabled: open.length < 2, act: () => others(open.filter((other) => other !== tab)) },
      { key: 'right', label: '关闭右侧', disabled: at === open.length - 1, act: () => others(open.slice(at + 1)) },
      { key: 'all', label: '关闭全部', act: () => others(open) },
    ];
  };
  const context = useContextMenu();
  return (
    <nav className="kq-tabs" aria-label="打开的页面" ref={strip}>
      {open.map((tab) => (
        <div
          key={tab.key}
          className={tab.key === active ? 'kq-tab kq-on' : 'kq-tab'}
          onContextMenu={(event) => context.open(event, menuOf(tab))}
        >
          <button
            type="button"
            {...(tab.key === active && { 'aria-current': 'page' as const })}
            title={tab.title}
            onClick={() => goTo(tab.path, tab.search)}
            onAuxClick={(event) => event.button === 1 && void closePages([tab.key])}
          >
            {tab.dirty && <i className="kq-tab-dirty" title="有未保存的修改" />}
            {tab.title}
          </button>
          <button type="button" className="kq-tab-close" aria-label={`关闭${tab.title}`} onClick={() => void closePages([tab.key])}>
            ×
          </button>
        </div>
      ))}
      {context.menu}
    </nav>
  );
}
