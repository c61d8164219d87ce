import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { PageLink } from '../kit/PageLink.tsx';
import { fitting } from './topMenu.ts';
import type { MenuItem } from './topMenu.ts';

interface TopMenuProps {
  items: readonly MenuItem[];
  active: string | undefined;
  path: string;
}

/** The pictures come after the menu can be used; their room is kept. */
const MenuIcon = lazy(() => import('./MenuIcon.tsx'));

const MORE = '更多';
const MORE_WIDTH = 72;
const OPEN_DELAY_MS = 90;

/** Level 1 in a row, levels 2 and 3 in a panel below; what does not fit is listed under 更多. */
export function TopMenu({ items, active, path }: TopMenuProps) {
  const bar = useRef<HTMLElement>(null);
  const [count, setCount] = useState(items.length);
  const [open, setOpen] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const widths = useRef<readonly number[]>([]);

  useLayoutEffect(() => {
    setCount(items.length);
    widths.current = [];
  }, [items]);
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return undefined;
    const measure = () => {
      if (widths.current.length !== items.length) {
        const buttons = [...element.querySelectorAll<HTMLElement>('[data-top]')];
        if (buttons.length !== items.length) return;
        widths.current = buttons.map((button) => button.offsetWidth);
      }
      setCount(fitting(widths.current, element.clientWidth, MORE_WIDTH));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [items]);
  useEffect(() => setOpen(null), [path]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const wanted = useRef<string | null>(null);
  const later = (title: string | null) => {
    wanted.current = title;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(title), OPEN_DELAY_MS);
  };
  // A drawer that closes under the pointer brings it here as well, where nobody moved it to.
  const point = (title: string, { movementX, movementY }: MouseEvent) => {
    if ((movementX !== 0 || movementY !== 0) && wanted.current !== title) later(title);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(null);
  };
  const shown = items.slice(0, count);
  const rest = items.slice(count);
  const entries: MenuItem[] = [...shown, ...(rest.length ? [{ title: MORE, children: rest }] : [])];
  return (
    <nav className="kq-top" ref={bar} aria-label="主菜单" onMouseLeave={() => later(null)} onKeyDown={onKey}>
      {entries.map((item) => {
        const isActive = item.title === active || (item.title === MORE && rest.some((other) => other.title === active));
        return (
          <div key={item.title} className="kq-top-item" onMouseMove={(event) => point(item.title, event.nativeEvent)}>
            <button
              type="button"
              data-top={item.title === MORE ? undefined : ''}
              className={isActive ? 'kq-top-title kq-on' : 'kq-top-title'}
              aria-expanded={open === item.title}
              aria-haspopup="true"
              onClick={() => {
                clearTimeout(timer.current);
                wanted.current = item.title;
                setOpen(open === item.title ? null : item.title);
              }}
            >
              {item.icon && (
                <span className="kq-top-icon" aria-hidden>
                  <Suspense fallback={null}>
                    <MenuIcon name={item.icon} />
                  </Suspense>
                </span>
              )}
              {item.title}
            </button>
            {open === item.title && <TopPanel item={item} path={path} onChoose={() => setOpen(null)} />}
          </div>
        );
      })}
    </nav>
  );
}

/** Pages that stand on level 2 in one column, each level-2 group in its own. */
function TopPanel({ item, path, onChoose }: { item: MenuItem; path: string; onChoose(): void }) {
  const loose = item.children.filter((child) => child.children.length === 0 && child.path);
  const groups = item.children.filter((child) => child.children.length > 0);
  return (
    // The links inside act; this only closes the panel after them.
    <div className="kq-top-panel" onClick={onChoose} role="presentation">
      {item.path && <TopLinks items={[{ title: item.title, path: item.path, children: [] }]} path={path} />}
      {loose.length > 0 && <TopLinks items={loose} path={path} />}
      {groups.map((group) => (
        <TopLinks key={group.title} title={group.title} items={linksOf(group)} path={path} />
      ))}
    </div>
  );
}

const linksOf = (group: MenuItem): MenuItem[] => [
  ...(group.path ? [{ title: group.title, path: group.path, children: [] }] : []),
  ...group.children.flatMap((child) => (child.children.length ? linksOf(child) : [child])),
];

function TopLinks({ title, items, path }: { title?: string; items: readonly MenuItem[]; path: string }) {
  return (
    <ul className="kq-top-group">
      {title && <li className="kq-top-heading">{title}</li>}
      {items.map((item) => (
        <li key={item.path}>
          <PageLink to={item.path ?? '/'} className={item.path === path ? 'kq-on' : ''}>
            {item.title}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
