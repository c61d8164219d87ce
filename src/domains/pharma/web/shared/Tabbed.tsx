import { Tabs } from 'antd';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { useMay } from '../../../../kernel/web/session/store.ts';
import { goTo } from '../../../../kernel/web/router/navigate.ts';
import { usePage } from '../../../../kernel/web/tabs/page.tsx';
import '../pharma.css';

export interface Part {
  key: string;
  label: ReactNode;
  permission?: { code: string };
  content(): ReactNode;
}

/** Parts of a page under tabs; which one is shown stands in the address. */
export function Tabbed({ parts }: { parts: readonly Part[] }) {
  const may = useMay();
  const { path, search } = usePage();
  const shown = parts.filter(({ permission }) => permission === undefined || may(permission));
  const active = shown.find(({ key }) => key === search['tab']) ?? shown[0];
  if (!active) return null;
  return (
    <div className="ph-tabbed">
      <Tabs size="small" activeKey={active.key} items={shown.map(({ key, label }) => ({ key, label }))} onChange={(key) => goTo(path, { tab: key === shown[0]!.key ? '' : key }, { replace: true })} />
      <div className="ph-tabbed-body" key={active.key}>
        <Suspense fallback={<div className="kq-loading" />}>{active.content()}</Suspense>
      </div>
    </div>
  );
}
