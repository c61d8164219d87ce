import { Alert, Button } from 'antd';
import { lazy, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ImportWizard } from '#kernel/web/files/ImportWizard.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { download } from '#kernel/web/http/download.ts';
import { send } from '#kernel/web/http/client.ts';
import { isSessionEnd } from '#kernel/web/http/errorLaw.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { parseSearch } from '#kernel/web/router/address.ts';
import { allRoutes } from '#kernel/web/router/pages.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { useTheme } from '#kernel/web/theme/ThemeRoot.tsx';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { OpenedWindow } from '#kernel/web/pageWindows.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { conditionWords, variablesOf } from '../../contract/conditions.ts';
import { exportDataset, queryDataset, revealDatasetValue } from '../../contract/calls/data.ts';
import { dataCalls, type PageOfFrame } from './dataCalls.ts';
import { FrameHost, type FrameServices } from './frameHost.ts';
import { regionWords } from './regionWords.ts';
import './lowcode.css';

const ChooseDialog = lazy(async () => ({ default: (await import('./ChooseDialog.tsx')).ChooseDialog }));
const FailedRows = lazy(async () => ({ default: (await import('./FailedRows.tsx')).FailedRows }));

interface Props {
  page: PageOfFrame;
  title: string;
  definition: unknown;
  query: Readonly<Record<string, string>>;
  /** The page's state belongs into the address. */
  onState?(query: string): void;
  /** What is shown is not the published version any more. */
  onGone?(): void;
}

/** A page of the product from `/hospitalList?id=1`; anything else leads nowhere. */
function openAddress(href: string): void {
  const [path = '', query = ''] = href.split('?');
  const known = allRoutes().some((route) => route.path === path || route.path === '/:token');
  if (/^\/[A-Za-z]\w*$/.test(path) && known) goTo(path, parseSearch(`?${query}`));
}

/** Lets the browser save what an action made: an address of this site alone. */
function saveAnswered(data: unknown): void {
  if (typeof data !== 'object' || data === null || !('url' in data) || typeof data.url !== 'string') return;
  const url = new URL(data.url, window.location.origin);
  if (url.protocol !== 'https:' && url.origin !== window.location.origin) return;
  const link = document.createElement('a');
  link.href = url.href;
  link.download = 'fileName' in data && typeof data.fileName === 'string' ? data.fileName : '';
  link.click();
}

/**
 * A definition, shown by the renderer in a frame of its own. The frame asks this page for everything; its code is loaded only when the
 * first
 * such page is opened.
 */
export function LowcodeFrame({ page, title, definition, query, onState, onGone }: Props) {
  const [shown, setShown] = useState(false);
  const [failure, setFailure] = useState('');
  const [unread, setUnread] = useState<unknown>(null);
  // What the frame waits for, and what is only shown: that takes nothing from the other's place.
  const asked = useLayers();
  const notices = useLayers();
  // What the page is asked for now: it begins there again.
  const content = useRef({ query });
  const isDark = useTheme((state) => state.name === 'dark');
  const { pageToken, versionId } = page;
  const place = (datasetCode: string) => ({ pageToken, versionId, datasetCode });

  const search = useCallback(
    async (datasetCode: string, options: string, keyword: string) => {
      const asked = { pageToken, versionId, datasetCode, operation: `options.${options}`, filters: { keyword } };
      const { items } = await send(queryDataset, asked, { quiet: true });
      return items.map(({ value, label }) => ({ value: String(value), label: String(label) }));
    },
    [pageToken, versionId],
  );

  const services: FrameServices = {
    call: dataCalls(page, {
      done(done) {
        if (done.failed > 0) notices.open((close) => <FailedRows done={done} onClose={close} />);
        saveAnswered(done.data);
      },
      gone: () => onGone?.(),
      listed: setUnread,
    }),
    async reveal(dataset, column, key) {
      return (await send(revealDatasetValue, { ...place(dataset), column, key })).value;
    },
    async exported(dataset, filters) {
      const known = page.datasets.find(({ code }) => code === dataset)?.filters.map(({ key }) => key) ?? [];
      const chosen = Object.fromEntries(
        known.flatMap((key) => {
          const value = filters[key];
          return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || Array.isArray(value)
            ? [[key, value]]
            : [];
        }),
      );
      try {
        const answer = await download(exportDataset, { ...place(dataset), filters: chosen });
        toast(answer.kind === 'saved' ? '导出成功' : '数据较多，已转入下载中心生成');
      } catch (error) {
        if (!isSessionEnd(error)) throw error;
      }
    },
    imported(dataset) {
      const importerCode = page.datasets.find(({ code }) => code === dataset)?.importerCode;
      if (!importerCode) return Promise.resolve(false);
      let changed = false;
      return new Promise((done) =>
        asked.open((close) => (
          <ImportWizard
            open
            importerCode={importerCode}
            onChanged={() => {
              changed = true;
            }}
            onClose={() => {
              done(changed);
              close();
            }}
          />
        )),
      );
    },
    window(name, record) {
      let changed = false;
      return new Promise((done) =>
        asked.open((close) => (
          <OpenedWindow
            name={name}
            record={record}
            onChanged={() => {
              changed = true;
            }}
            onClose={() => {
              done(changed);
              close();
            }}
          />
        )),
      );
    },
    choose: (wish, choice, value) =>
      new Promise((done) =>
        asked.open((close) => (
          <ChooseDialog
            title={wish}
            choice={choice}
            value={value}
            search={search}
            onDone={(chosen) => {
              done(chosen);
              close();
            }}
          />
        )),
      ),
    async words(choice, value) {
      if (choice.of === 'region') return regionWords(useSession.getState().cityList, value);
      if (choice.of === 'condition') {
        const read = variablesOf(choice.variables);
        return read.fault === null ? conditionWords(read.variables, value) : read.fault;
      }
      if (choice.of === 'file') return `已上传${value.split(',').length}个文件`;
      const found = await search(choice.dataset, choice.options, '');
      return found.find((one) => one.value === value)?.label ?? value;
    },
    navigate: openAddress,
    state(next) {
      content.current = { query: Object.fromEntries(new URLSearchParams(next)) };
      onState?.(next);
    },
    preview: (file) => notices.open((close) => <FilePreview files={[{ ...file, detectedType: null, pageCount: null }]} onClose={close} />),
    shown: () => setShown(true),
    failed: () => setFailure('页面组件加载失败，请检查网络后重新加载'),
  };
  const latest = useRef(services);
  useLayoutEffect(() => {
    latest.current = services;
  });
  const [host] = useState(() => new FrameHost(() => latest.current));
  const show = useCallback(
    () => host.show({ definition, datasets: page.datasets, query: content.current.query }),
    [host, definition, page.datasets],
  );
  useEffect(show, [show]);
  useEffect(() => host.paint(isDark), [host, isDark]);
  useKeys([{ keys: '/', label: '到第一个筛选条件', act: () => host.search() }]);

  return (
    <div className="lc-frame-place">
      {!shown && failure === '' && <div className="kq-loading" role="progressbar" aria-label="页面加载中" />}
      {failure !== '' && (
        <div className="kq-panel" role="alert">
          <p>{failure}</p>
        </div>
      )}
      {unread !== null && (
        <Alert
          banner
          type="error"
          title={`数据加载失败：${failureText(unread)}。下面显示的不是最新数据`}
          action={
            <Button
              size="small"
              onClick={() => {
                setUnread(null);
                show();
              }}
            >
              重新加载
            </Button>
          }
        />
      )}
      <iframe ref={host.attach} className="lc-frame" src="/amis/frame.html" title={title} aria-busy={!shown} />
      {asked.shown}
      {notices.shown}
    </div>
  );
}
