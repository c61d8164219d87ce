import { Alert, Button } from 'antd';
import { useCallback, useMemo, useRef, useState } from 'react';
import { platformErrors } from '#kernel/contract/errors.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useTopic } from '#kernel/web/realtime/socket.ts';
import { parseSearch } from '#kernel/web/router/address.ts';
import { PageView } from '#kernel/web/router/loadPage.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { NotFound } from '#kernel/web/router/NotFound.tsx';
import { pageAt } from '#kernel/web/router/pages.ts';
import { tabs, useTabs } from '#kernel/web/tabs/store.ts';
import { usePage, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { queryPageByToken } from '../../contract/calls/data.ts';
import { LowcodeFrame } from '../bridge/LowcodeFrame.tsx';

/** Parameters of the address as the definition knows them: texts. */
const textsOf = (search: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));

/** What an unknown address shows, for a page that is offline, removed or not this user's. */
function Unknown() {
  const page = pageAt('*');
  return page ? <PageView load={page.load} /> : <NotFound />;
}

/** The page of a token: its definition from the server, its frame, and what happens when another version is published meanwhile. */
export default function LowcodePage() {
  const { path, search } = usePage();
  const token = path.slice(1);
  const read = useData(queryPageByToken, { token, opened: true }, { quiet: true, fresh: Infinity });
  const { data, error, refetch } = read;
  const [outdated, setOutdated] = useState(false);
  // The address follows the page; what it said at first is what the page begins with.
  const first = useRef(textsOf(search));
  usePageTitle(data?.title);
  useTopic(
    'lowcode',
    useCallback(
      (payload: unknown) => {
        const changed = typeof payload === 'object' && payload !== null && 'token' in payload ? payload.token : null;
        if (changed === token) setOutdated(true);
      },
      [token],
    ),
  );
  const keepState = useCallback(
    (query: string) => {
      const next = parseSearch(query.startsWith('?') ? query : `?${query}`);
      if (useTabs.getState().active === path) goTo(path, next, { replace: true });
      tabs.patch(path, { search: next });
    },
    [path],
  );
  const page = useMemo(() => data && { pageToken: token, versionId: data.versionId, datasets: data.datasets }, [data, token]);
  if (error instanceof RefusalError && error.code === platformErrors.NOT_FOUND.code) return <Unknown />;
  if (error) {
    return (
      <div className="kq-panel" role="alert">
        <h2>页面加载失败</h2>
        <p>{error.message}</p>
        <Button type="primary" onClick={() => void refetch()}>
          重新加载
        </Button>
      </div>
    );
  }
  if (!data || !page) return <Waiting for={read} />;
  return (
    <div className="lc-page">
      {outdated && (
        <Alert
          banner
          type="info"
          title="页面有新版本，当前填写的内容仍可复制，刷新后使用新版本"
          action={
            <Button
              size="small"
              type="primary"
              onClick={() => {
                setOutdated(false);
                void refetch();
              }}
            >
              刷新
            </Button>
          }
        />
      )}
      <LowcodeFrame
        page={page}
        title={data.title}
        definition={data.definition}
        query={first.current}
        onState={keepState}
        onGone={() => setOutdated(true)}
      />
    </div>
  );
}
