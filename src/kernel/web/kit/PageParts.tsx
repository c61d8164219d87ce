import { Tabs } from 'antd';
import type { ComponentType } from 'react';
import { goTo } from '../router/navigate.ts';
import { useMay } from '../session/store.ts';
import { usePage } from '../tabs/page.tsx';
import './pageParts.css';

export interface PagePart {
  key: string;
  label: string;
  /** Shown to who holds it; absent: to everybody who sees the page. */
  permission?: { code: string };
  content: ComponentType;
}

/** Parts of a page as tabs; the chosen one stands in the address as `tab`, and the filters of one mean nothing to the other. */
export function PageParts({ parts }: { parts: readonly PagePart[] }) {
  const may = useMay();
  const { path, search } = usePage();
  const shown = parts.filter((part) => part.permission === undefined || may(part.permission));
  const active = shown.find((part) => part.key === search['tab']) ?? shown[0];
  if (!active) return null;
  const Content = active.content;
  return (
    <div className="kq-parts">
      <Tabs size="small" activeKey={active.key} items={shown.map(({ key, label }) => ({ key, label }))} onChange={(key) => goTo(path, { tab: key === shown[0]?.key ? '' : key }, { replace: true })} />
      <div className="kq-part" key={active.key}>
        <Content />
      </div>
    </div>
  );
}
