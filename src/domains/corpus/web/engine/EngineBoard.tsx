import { Alert, Button, Tabs } from 'antd';
import { lazy, useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { showRate } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { queryEngineState, querySendSwitchList, stopSend, type EngineState, type SwitchRow } from '../../contract/engine/engineCalls.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { SendList } from '../runs/SendList.tsx';
import { SettingForm } from './SettingForm.tsx';
import './engine.css';

const ResumeDialog = lazy(async () => ({ default: (await import('./ResumeDialog.tsx')).ResumeDialog }));

const POLL_MS = 10_000;

const switches = resource(querySendSwitchList, {
  routeKey: 'corpus:switches',
  empty: '没有停发记录',
  columns: ['scopeType', 'scopeName', 'reason', 'active', 'by', 'createdAt', 'until', 'endedBy', 'endedAt', 'onResume'],
});

/** 运行看板: whether the engine sends, what waits, what failed, and the switch that stops everything. */
export default function EngineBoard() {
  const { data, error, refetch } = useData(queryEngineState, {}, { quiet: true, every: POLL_MS });
  const [tab, setTab] = useState('sends');
  const layers = useLayers();
  const resume = (scope: Pick<SwitchRow, 'scopeType' | 'scopeId' | 'scopeName'>) =>
    layers.open((close) => <ResumeDialog scope={scope} onClose={close} />);
  const stop = useCommand(stopSend, { success: SERVER_MESSAGE, refreshes: [queryEngineState, querySendSwitchList] });
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" role="progressbar" aria-label="运行看板加载中" />;
  const stopAll = async () => {
    const reason = await confirmWithOpinion({
      title: '全局停发',
      content: '停发后，所有场景的随访消息都不再发送，直到恢复。已开始发送的消息不受影响。',
      facts: [{ label: '范围', value: '全部场景' }],
      label: '停发原因',
      opinion: 'required',
      danger: true,
    });
    if (reason !== null) await stop.run({ scopeType: 'ENGINE', reason });
  };
  const actions: readonly RowAction<SwitchRow>[] = [
    {
      label: '恢复',
      permission: may['engine.resume'],
      when: (row) => row.active && (row.scopeType === 'ENGINE' || row.scopeType === 'SCENE'),
      act: resume,
    },
    {
      label: '恢复',
      permission: may['run.operate'],
      when: (row) => row.active && row.scopeType !== 'ENGINE' && row.scopeType !== 'SCENE',
      act: resume,
    },
  ];
  return (
    <div className="kq-engine">
      <header className="kq-detail-head">
        <h2>运行看板</h2>
        <div className="kq-detail-actions">
          {data.stopped ? (
            <Can permission={may['engine.resume']}>
              <Button type="primary" onClick={() => resume({ scopeType: 'ENGINE', scopeId: '', scopeName: '全部随访消息' })}>
                恢复发送
              </Button>
            </Can>
          ) : (
            <Can permission={may['engine.stop']}>
              <Button danger type="primary" disabled={stop.busy} onClick={() => void stopAll()}>
                全局停发
              </Button>
            </Can>
          )}
        </div>
      </header>
      {data.stopped && (
        <Alert
          type="error"
          showIcon
          title={`${data.stopped.byBreaker ? '系统已自动停发' : '已全局停发'}：${data.stopped.reason}`}
          description={`自${showInstant(data.stopped.at).slice(0, 16)}起，没有新的随访消息发出`}
        />
      )}
      <Tiles state={data} />
      <Slots slots={data.slots} />
      <Tabs
        size="small"
        activeKey={tab}
        onChange={setTab}
        items={[
          { key: 'sends', label: '发送监控' },
          { key: 'switches', label: '停发记录' },
          { key: 'errors', label: '最近错误' },
          { key: 'setting', label: '引擎参数' },
        ]}
      />
      {tab === 'sends' && <SendList />}
      {tab === 'switches' && <ResourceList of={switches} actions={actions} />}
      {tab === 'errors' && <Errors errors={data.errors} />}
      {tab === 'setting' && <SettingForm key={data.setting.version} setting={data.setting} />}
      {layers.shown}
    </div>
  );
}

function Tiles({ state }: { state: EngineState }) {
  const tiles = [
    ['今日已发送', String(state.sentToday)],
    ['待发积压', String(state.backlog)],
    ['最长等待', `${state.oldestMinutes}分钟`],
    ['结果待确认', String(state.unknown)],
    [`近${state.results}条失败率`, showRate(state.failBp)],
  ] as const;
  return (
    <div className="kq-tiles">
      {tiles.map(([label, value]) => (
        <div key={label} className="kq-tile">
          <strong>{value}</strong>
          {label}
        </div>
      ))}
    </div>
  );
}

/** Today by slot: how much was planned, went out, waits or was left out. */
function Slots({ slots }: { slots: EngineState['slots'] }) {
  const most = Math.max(1, ...slots.map(({ planned, sent, held, skipped, failed }) => planned + sent + held + skipped + failed));
  const part = (n: number, look: string) => n > 0 && <i className={look} style={{ height: `${Math.max(2, (n / most) * 48)}px` }} />;
  return (
    <div className="kq-slots" aria-label="今日各时段">
      {slots.map(({ slot, planned, sent, held, skipped, failed }) => (
        <div key={slot} title={`${slot} 计划${planned} 已发${sent} 暂缓${held} 跳过${skipped} 失败${failed}`}>
          <span>
            {part(failed, 'kq-slot-failed')}
            {part(held, 'kq-slot-held')}
            {part(skipped, 'kq-slot-skipped')}
            {part(planned, 'kq-slot-planned')}
            {part(sent, 'kq-slot-sent')}
          </span>
          {slot}
        </div>
      ))}
    </div>
  );
}

function Errors({ errors }: { errors: EngineState['errors'] }) {
  if (errors.length === 0) return <p className="kq-muted kq-pad">没有错误</p>;
  return (
    <ul className="kq-pad">
      {errors.map(({ sendNo, at, text }) => (
        <li key={sendNo}>
          <span className="kq-muted">{showInstant(at)}</span> {sendNo} {text}
        </li>
      ))}
    </ul>
  );
}
