import { ConfigProvider } from 'antd';
import { Activity, memo, useMemo, useRef } from 'react';
import { PageView } from '../router/loadPage.tsx';
import { pageAt } from '../router/pages.ts';
import { PageContext } from '../tabs/page.tsx';
import { useTabs } from '../tabs/store.ts';
import type { Tab } from '../tabs/tabList.ts';

/** The kept pages: one is shown, the others keep their state and rest. What a reload brought back is drawn when it is shown. */
export function TabHost({ shown }: { shown: boolean }) {
  const open = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  return open.filter(({ used }) => used > 0).map((tab) => <TabPane key={tab.key} tab={tab} visible={shown && tab.key === active} />);
}

const TabPane = memo(function TabPane({ tab, visible }: { tab: Tab; visible: boolean }) {
  const layers = useRef<HTMLDivElement>(null);
  const scope = useMemo(() => ({ tabKey: tab.key, path: tab.path, search: tab.search }), [tab.key, tab.path, tab.search]);
  const page = pageAt(tab.route);
  if (!page) return null;
  return (
    <Activity mode={visible ? 'visible' : 'hidden'}>
      <section className="kq-page" aria-label={tab.title}>
        <PageContext value={scope}>
          {/* Drawers and dialogs belong to their page: they rest with it. */}
          <ConfigProvider getPopupContainer={() => layers.current ?? document.body}>
            <PageView load={page.load} />
          </ConfigProvider>
        </PageContext>
        <div ref={layers} className="kq-page-layers" />
      </section>
    </Activity>
  );
});
