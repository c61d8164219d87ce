import { Tabs } from 'antd';
import { Suspense } from 'react';
import type { ComponentType } from 'react';
import { goTo } from '../../../../kernel/web/router/navigate.ts';
import { useMay } from '../../../../kernel/web/session/store.ts';
import { usePage } from '../../../../kernel/web/tabs/page.tsx';
import './channel.css';

export interface PageTab {
  key: string;
  label: string;
  permission: { code: string };
  content: ComponentType;
}

/** Parts of a page, each shown to who may see it; the chosen one stands in the address as `tab`. */
export function PageTabs({ tabs }: { tabs: readonly PageTab[] }) {
  const may = useMay();
  const { path, search } = usePage();
  const shown = tabs.filter((tab) => may(tab.permission));
  const active = shown.find((tab) => tab.key === search['tab']) ?? shown[0];
  if (!active) return <div className="kq-empty">当前角色没有可查看的内容</div>;
  const Content = active.content;
  return (
    <div className="ch-tabbed">
      {shown.length > 1 && <Tabs size="small" activeKey={active.key} items={shown.map(({ key, label }) => ({ key, label }))} onChange={(key) => goTo(path, { tab: key === shown[0]?.key ? '' : key }, { replace: true })} />}
      <div className="ch-tab-body" key={active.key}>
        <Suspense fallback={<div className="kq-loading" />}>
          <Content />
        </Suspense>
      </div>
    </div>
  );
}
