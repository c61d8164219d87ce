import 'dayjs/locale/zh-cn.js';
import { Button } from 'antd';
import dayjs from 'dayjs';
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import '../theme/shell.css';
import '../theme/kit.css';
import { DialogHost } from '../feedback/DialogHost.tsx';
import { WorkCards } from '../feedback/progress.tsx';
import { listenToKeys, useKeys } from '../keyboard/keys.ts';
import { leadFocus } from '../keyboard/overlayFocus.ts';
import { pagesAbove } from '../../contract/route.ts';
import { parseSearch } from '../router/address.ts';
import { enterLayer, keepLayersInHistory } from '../router/layerHistory.ts';
import { goTo } from '../router/navigate.ts';
import { allRoutes } from '../router/pages.ts';
import { useExpiry } from '../session/expiry.ts';
import { homeOf } from '../session/guards.ts';
import { leave } from '../session/enter.ts';
import { useSession } from '../session/store.ts';
import { Slot } from '../slots.tsx';
import { resumeTabs } from '../tabs/kept.ts';
import { tabs, useTabs } from '../tabs/store.ts';
import type { Tab } from '../tabs/tabList.ts';
import { Crumbs } from './Crumbs.tsx';
import { permittedInsurance } from './insuranceMenu.ts';
import { leftCorpusMenu, shellLayer } from './slots.ts';
import { TabHost } from './TabHost.tsx';
import { TabStrip } from './TabStrip.tsx';
import { TopMenu } from './TopMenu.tsx';
import { activeTop, menuItems } from './topMenu.ts';
import { useCurrentPage } from './useCurrentPage.ts';
import { useSessionStart } from './useSessionStart.ts';
import { UserCorner } from './UserCorner.tsx';
import { Watermark } from './Watermark.tsx';

dayjs.locale('zh-cn');
keepLayersInHistory();
leadFocus(document, enterLayer);

const PRODUCT = '康桥';
const KeyboardHelp = lazy(async () => ({ default: (await import('./KeyboardHelp.tsx')).KeyboardHelp }));
const InsuranceMenu = lazy(async () => ({ default: (await import('./InsuranceMenu.tsx')).InsuranceMenu }));
const PasswordNotice = lazy(async () => ({ default: (await import('./PasswordNotice.tsx')).PasswordNotice }));
// Fetched behind the shell, while its own version is still there.
const NewVersion = lazy(async () => ({ default: (await import('./NewVersion.tsx')).NewVersion }));
const Notice = lazy(async () => ({ default: (await import('../feedback/Notice.tsx')).Notice }));
const MenuSearch = lazy(async () => ({ default: (await import('./MenuSearch.tsx')).MenuSearch }));

/** The main layout (productHome): header, left menu, tabs, breadcrumb, content. */
export default function MainLayout() {
  const { ready, failure, retry } = useSessionStart();
  useEffect(listenToKeys, []);
  useEffect(() => {
    // Fetched behind the shell, so that the end of a session can be shown also without a network.
    import('../session/ExpiryDialog.tsx').catch(() => {});
  }, []);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      // The button of the expiry dialog leaves without a question: nothing could be saved any more.
      if (tabs.dirty().length && useExpiry.getState().message === null) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <>
      <DialogHost />
      {failure ? (
        <StartFailure text={failure} onRetry={retry} />
      ) : ready ? (
        <Shell />
      ) : (
        <div className="kq-shell-skeleton" role="progressbar" aria-label="加载中" />
      )}
    </>
  );
}

function StartFailure({ text, onRetry }: { text: string; onRetry(): void }) {
  return (
    <main className="kq-panel">
      <h1>登录信息加载失败</h1>
      <p>{text}</p>
      <p className="kq-row">
        <Button type="primary" onClick={onRetry}>
          重新加载
        </Button>
        <Button onClick={() => void leave()}>退出登录</Button>
      </p>
    </main>
  );
}

function Shell() {
  const last = useRef<Tab>(undefined);
  // Before the page of the address opens among them.
  useLayoutEffect(() => {
    last.current ??= resumeTabs();
  }, []);
  const { page, path, title: ownTitle, permitted, keys, known, left, navShow, weChatPage } = useCurrentPage();
  const menu = useSession((state) => state.userRoleMenu);
  const defaultMenu = useSession((state) => state.defaultMenu);
  const [layer, setLayer] = useState<'search' | 'help' | null>(null);
  const items = useMemo(() => menuItems(menu, known), [menu, known]);
  const insurance = useMemo(() => permittedInsurance(keys, known), [keys, known]);
  const above = useMemo(() => (page ? pagesAbove(page.route, allRoutes()) : []), [page]);
  const home = useMemo(() => homeOf(menu, defaultMenu, known), [menu, defaultMenu, known]);
  const title = useTabs((state) => state.tabs.find((tab) => tab.key === state.active)?.title);
  useKeys([
    { keys: 'Ctrl+K', label: '搜索菜单、业务编号与本页操作', act: () => setLayer('search'), inFields: true },
    { keys: '?', label: '键盘快捷键', act: () => setLayer('help') },
  ]);
  useEffect(() => {
    const again = last.current;
    last.current = undefined;
    if (path !== '/') return;
    // A layer that the address names (a patient's record) opens over the page that comes first.
    if (again) goTo(again.path, again.search, { replace: true });
    else if (home) goTo(home, parseSearch(window.location.search), { replace: true });
  }, [path, home]);
  useEffect(() => {
    document.title = title && permitted ? `${title} · ${PRODUCT}` : PRODUCT;
  }, [title, permitted]);
  return (
    <div className="kq-shell">
      {!weChatPage && (
        <header className="kq-header">
          <a
            className="kq-logo"
            href="/"
            onClick={(event) => {
              event.preventDefault();
              if (home) goTo(home);
            }}
          >
            <i aria-hidden />
            {PRODUCT}
          </a>
          <TopMenu
            items={items}
            active={page && activeTop(items, [path, ...above.map((one) => one.path)], (above[0] ?? page.route).trail)}
            path={path}
          />
          <UserCorner onSearch={() => setLayer('search')} onHelp={() => setLayer('help')} />
        </header>
      )}
      <Suspense fallback={null}>
        <NewVersion />
        <PasswordNotice />
      </Suspense>
      <div className="kq-body">
        {permitted && left === 'corpus' && (
          <aside className="kq-left">
            <Slot of={leftCorpusMenu} props={{}} />
          </aside>
        )}
        {permitted && left === 'insurance' && page && (
          <aside className="kq-left">
            <Suspense fallback={null}>
              <InsuranceMenu groups={insurance} route={page.route} />
            </Suspense>
          </aside>
        )}
        <main className="kq-main">
          {!weChatPage && (
            <div className="kq-place">
              <TabStrip />
              {page && permitted && <Crumbs route={page.route} title={ownTitle} />}
            </div>
          )}
          <TabHost shown={permitted && navShow} />
          {page && !permitted && <Forbidden />}
          {!page && path === '/' && !home && <Forbidden />}
        </main>
      </div>
      {!weChatPage && <Slot of={shellLayer} props={{}} />}
      <WorkCards />
      <Suspense fallback={null}>
        <Notice />
      </Suspense>
      <Watermark />
      <Suspense fallback={null}>
        {layer === 'search' && <MenuSearch items={items} onClose={() => setLayer(null)} />}
        {layer === 'help' && <KeyboardHelp onClose={() => setLayer(null)} />}
      </Suspense>
    </div>
  );
}

/** A page outside the role's menu, in place. */
function Forbidden() {
  return (
    <div className="kq-panel" role="alert">
      <h2>没有访问该页面的权限</h2>
      <p>如需使用，请联系管理员开通，或切换到有权限的角色。</p>
      <Button onClick={() => goTo('/', {}, { replace: true })}>返回首页</Button>
    </div>
  );
}
