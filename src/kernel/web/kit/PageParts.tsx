import { Tabs } from 'antd';
import { Suspense, type ComponentType, type ReactNode } from 'react';
import { goTo } from '../router/navigate.ts';
import { useMay } from '../session/store.ts';
import { usePage } from '../tabs/page.tsx';
import { PartLine } from './PartLine.tsx';

export interface PagePart {
  key: string;
  label: string;
  /** Shown to who holds it; absent: to everybody who sees the page. */
  permission?: { code: string };
  /** May be lazy: the tabs stay while it is fetched. */
  content: ComponentType;
}

/** Parts of a page as tabs; the chosen one is kept in the address as `tab`, and the filters of one mean nothing to the other. */
export function PageParts({ parts, beside }: { parts: readonly PagePart[]; /** At the end of the tabs' line. */ beside?: ReactNode }) {
  const may = useMay();
  const { path, search } = usePage();
  const shown = parts.filter((part) => part.permission === undefined || may(part.permission));
  const active = shown.find((part) => part.key === search['tab']) ?? shown[0];
  if (!active) return <div className="kq-empty">当前角色没有可查看的内容</div>;
  const Content = active.content;
  return (
    <div className="kq-parts">
      <PartLine
        {...(beside !== undefined && { beside })}
        tabs={
          shown.length > 1 && (
            <Tabs
              size="small"
              activeKey={active.key}
              items={shown.map(({ key, label }) => ({ key, label }))}
              onChange={(key) => goTo(path, { tab: key === shown[0]?.key ? '' : key }, { replace: true })}
            />
          )
        }
      >
        <div className="kq-part" key={active.key}>
          <Suspense fallback={<div className="kq-loading" />}>
            <Content />
          </Suspense>
        </div>
      </PartLine>
    </div>
  );
}
