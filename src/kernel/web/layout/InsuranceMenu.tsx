import { useState } from 'react';
import type { RouteDeclaration } from '../../contract/route.ts';
import { PageLink } from '../kit/PageLink.tsx';
import { allRoutes } from '../router/pages.ts';
import { markedEntry } from './insuranceMenu.ts';
import type { InsuranceGroup } from './insuranceMenu.ts';

/** Left menu of insurance pages; the group of the current entry stays expanded. */
export function InsuranceMenu({ groups, route }: { groups: readonly InsuranceGroup[]; route: RouteDeclaration }) {
  const marked = markedEntry(route, allRoutes());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (title: string) =>
    setOpened((current) => {
      const next = new Set(current);
      if (!next.delete(title)) next.add(title);
      return next;
    });
  return (
    <nav className="kq-left-menu" aria-label="保险业务菜单">
      {groups.map((group) => {
        const links = group.entries.map((entry) => (
          <li key={entry.path}>
            <PageLink to={entry.path} className={entry.path === marked ? 'kq-left-link kq-on' : 'kq-left-link'}>
              {entry.title}
            </PageLink>
          </li>
        ));
        const { title } = group;
        if (title === undefined) return <ul key={group.entries[0]?.path}>{links}</ul>;
        const isOpen = opened.has(title) || group.entries.some((entry) => entry.path === marked);
        return (
          <section key={title}>
            <button type="button" className="kq-left-group" aria-expanded={isOpen} onClick={() => toggle(title)}>
              {title}
              <i className="kq-caret" aria-hidden />
            </button>
            {isOpen && <ul>{links}</ul>}
          </section>
        );
      })}
    </nav>
  );
}
