import { Button, Drawer, Skeleton } from 'antd';
import { PushpinFilled, PushpinOutlined } from '@ant-design/icons';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { Shortcut } from '#kernel/web/keyboard/keys.ts';
import { PanelKeys } from '#kernel/web/keyboard/PanelKeys.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryPatientDetail } from '../../contract/calls/sufferer.ts';
import '../shared/patient.css';
import { Header } from './Header.tsx';
import { RecordDialogs } from './RecordDialogs.tsx';
import { RecordContext, type RecordDialog } from './recordScope.ts';
import { recordTabs } from './tabs.tsx';

interface RecordDrawerProps {
  patientId: string;
  pinned: boolean;
  onPin(pin: boolean): void;
  /** Opens the finder over the record. */
  onFind(): void;
  onClose(): void;
}

const Refused = lazy(async () => ({ default: (await import('./Refused.tsx')).Refused }));
const NUMBER_KEYS = 9;

/** Moves the focus among the rows of what is shown. */
function stepRow(root: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(root?.querySelectorAll<HTMLElement>('[role=tabpanel] [data-row]') ?? [])].filter((row) => row.offsetParent !== null);
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}

/** 患者档案: the record over any page; pinned, it stays while the pages below change. */
export function RecordDrawer({ patientId, pinned, onPin, onFind, onClose }: RecordDrawerProps) {
  const may = useMay();
  const {
    data: detail,
    error,
    loading,
    refetch,
  } = useData(queryPatientDetail, { patientId, fromPage: window.location.pathname.slice(0, 100) }, { quiet: true });
  const { open, shown } = useLayers();
  const [tab, setTab] = useState('overview');
  const [inside, setInside] = useState(true);
  const root = useRef<HTMLDivElement>(null);
  const tabs = useMemo(() => (detail ? recordTabs.filter((one) => one.shown(may, detail)) : []), [detail, may]);
  const active = tabs.find(({ key }) => key === tab) ?? tabs[0];
  const show = useCallback((dialog: RecordDialog) => open((close) => <RecordDialogs dialog={dialog} onClose={close} />), [open]);
  const scope = useMemo(() => detail && { detail, patientId: detail.canonicalId, show, goToTab: setTab }, [detail, show]);
  // A form over the record keeps the keys for itself.
  const shortcuts: Shortcut[] = shown
    ? []
    : [
        { keys: 'Alt+P', label: '查找患者', act: onFind, inFields: true },
        ...tabs
          .slice(0, NUMBER_KEYS)
          .map(({ key, label }, index) => ({ keys: String(index + 1), label: `档案：${label}`, act: () => setTab(key) })),
        { keys: 'ArrowDown', label: '下一行', act: () => stepRow(root.current, 1) },
        { keys: 'ArrowUp', label: '上一行', act: () => stepRow(root.current, -1) },
      ];
  return (
    <Drawer
      open
      onClose={onClose}
      size={960}
      mask={!pinned}
      keyboard
      rootClassName="pa-drawer"
      title="患者档案"
      extra={
        <Button
          type="text"
          size="small"
          aria-pressed={pinned}
          icon={pinned ? <PushpinFilled /> : <PushpinOutlined />}
          onClick={() => onPin(!pinned)}
          title={pinned ? '取消固定' : '固定在页面右侧，切换页面时不关闭'}
        >
          {pinned ? '已固定' : '固定'}
        </Button>
      }
    >
      <div
        ref={root}
        className="pa-body"
        tabIndex={-1}
        onFocus={() => setInside(true)}
        onBlur={(event) => setInside(event.currentTarget.contains(event.relatedTarget))}
      >
        {(shown !== null || !pinned || inside) && <PanelKeys shortcuts={shortcuts} exclusive={shown !== null || !pinned} />}
        {error ? (
          <Suspense fallback={null}>
            <Refused error={error} patientId={patientId} onRetry={() => void refetch()} />
          </Suspense>
        ) : loading || !detail || !scope ? (
          <Skeleton active paragraph={{ rows: 12 }} />
        ) : (
          <RecordContext value={scope}>
            <div key={detail.canonicalId}>
              <Header />
              <div role="tablist" aria-label="档案内容" className="pa-tabs">
                {tabs.map(({ key, label, count }, index) => (
                  <button
                    key={key}
                    id={`pa-tab-${key}`}
                    type="button"
                    role="tab"
                    aria-selected={key === active?.key}
                    aria-controls="pa-tab-panel"
                    onClick={() => setTab(key)}
                    {...(index < NUMBER_KEYS && { title: `按 ${index + 1} 打开` })}
                  >
                    {label}
                    {count?.(detail) ? <small>{count(detail)}</small> : null}
                  </button>
                ))}
              </div>
              {active && (
                <div key={active.key} role="tabpanel" id="pa-tab-panel" aria-labelledby={`pa-tab-${active.key}`}>
                  <Suspense fallback={<Skeleton active paragraph={{ rows: 6 }} />}>
                    <active.content />
                  </Suspense>
                </div>
              )}
            </div>
            {shown}
          </RecordContext>
        )}
      </div>
    </Drawer>
  );
}
