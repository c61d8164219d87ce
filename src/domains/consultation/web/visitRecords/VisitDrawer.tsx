import { Button, Drawer, Skeleton, Tabs } from 'antd';
import { Suspense, type ReactNode } from 'react';
import type { AnswerOf } from '../../../../kernel/contract/call.ts';
import { AuditTimeline } from '../../../../kernel/web/detail/AuditTimeline.tsx';
import { Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { Can } from '../../../../kernel/web/kit/Can.tsx';
import { TableFailure } from '../../../../kernel/web/kit/TableState.tsx';
import { Dict, Time } from '../../../../kernel/web/kit/values.tsx';
import { goTo } from '../../../../kernel/web/router/navigate.ts';
import { usePage } from '../../../../kernel/web/tabs/page.tsx';
import { queryVisitRecordDetail, type VisitRow } from '../../contract/calls/visits.ts';
import { boardActions } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { inquiryMachine, visitRecordMachine } from '../../contract/states.ts';
import { FeeTab, InfoTab, RatingTab, VideosTab } from './DetailTabs.tsx';
import type { InquiryAct } from './InquiryDialog.tsx';
import { ChatTab, RecordTab } from './layers.ts';
import { spanText } from './spans.ts';
import { usePrint } from './usePrint.ts';

export type Detail = AnswerOf<typeof queryVisitRecordDetail>;

/** States and acts of the inquiry and of its record in one trail. */
const both = {
  dictionary: {
    label: (code: string) => (Object.hasOwn(visitRecordMachine.states, code) ? visitRecordMachine.dictionary.label(code) : inquiryMachine.dictionary.label(code)),
    tone: (code: string) => (Object.hasOwn(visitRecordMachine.states, code) ? visitRecordMachine.dictionary.tone(code) : inquiryMachine.dictionary.tone(code)),
  },
  transitions: { ...inquiryMachine.transitions, ...visitRecordMachine.transitions },
};

function TrailTab({ detail }: { detail: Detail }) {
  const rows = detail.timeline.toReversed().map(({ diff, toState, ...row }) => ({ ...row, toState: toState ?? '', differences: diff as { label: string; before: unknown; after: unknown }[] }));
  return (
    <>
      <Section title="接待轨迹">
        {detail.board.length === 0 ? <p className="kq-muted">没有接待记录</p> : (
          <ol className="kq-timeline">
            {detail.board.toReversed().map((row) => (
              <li key={`${row.at}${row.action}`}>
                <b>{boardActions.label(row.action)}</b> {row.fromName && <>{row.fromName} </>}{row.toName && <>→ {row.toName} </>}{row.waitSec !== null && <span className="kq-muted">等待 {spanText(row.waitSec)} </span>}{row.reason && <>：{row.reason}</>}
                <div className="kq-muted"><Time at={row.at} /></div>
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title="操作轨迹"><AuditTimeline rows={rows} machine={both} /></Section>
    </>
  );
}

interface DrawerProps {
  serverId: string;
  onClose(): void;
  onQuality(row: VisitRow): void;
  onInquiry(row: VisitRow, act: InquiryAct): void;
  onRecord(row: VisitRow, action: 'submit' | 'archive' | 'correct'): void;
}

/** One inquiry with everything that belongs to it; the shown tab stands in the address as `view`. */
export function VisitDrawer({ serverId, onClose, onQuality, onInquiry, onRecord }: DrawerProps) {
  const { path, search } = usePage();
  const { data, error, refetch } = useData(queryVisitRecordDetail, { serverId }, { quiet: true });
  const print = usePrint();
  const view = typeof search['view'] === 'string' && search['view'] !== '' ? search['view'] : 'info';
  const row = data?.row;
  const can = (action: string) => row?.allowedActions.includes(action) ?? false;
  const lazily = (content: ReactNode) => <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>{content}</Suspense>;
  return (
    <Drawer
      open size={1080} onClose={onClose} title={row ? <>问诊 {row.inquiryNo} <Dict of={inquiryMachine.dictionary} code={row.serverStatus} />{row.recordState && <> <Dict of={visitRecordMachine.dictionary} code={row.recordState} /></>}</> : '就诊记录'}
      footer={row && (
        <div className="kq-detail-acts">
          {can('refuse') && <Button danger onClick={() => onInquiry(row, 'refuse')}>退诊</Button>}
          {can('reopen') && <Button onClick={() => onInquiry(row, 'reopen')}>恢复问诊</Button>}
          {can('extend') && <Button onClick={() => onInquiry(row, 'extend')}>延长时长</Button>}
          {can('qc') && <Button onClick={() => onQuality(row)}>质检</Button>}
          <Can permission={may['visit.export']}>{row.visitRecordId !== null && <Button onClick={() => void print(serverId, 'record')}>打印小结</Button>}</Can>
          {can('correct') && <Button onClick={() => onRecord(row, 'correct')}>更正</Button>}
          {can('archive') && <Button onClick={() => onRecord(row, 'archive')}>归档</Button>}
          {can('submit') && <Button type="primary" onClick={() => onRecord(row, 'submit')}>提交医生确认</Button>}
        </div>
      )}
    >
      {error ? <TableFailure error={error} onRetry={() => void refetch()} /> : !data ? <Skeleton active paragraph={{ rows: 12 }} /> : (
        <Tabs
          size="small" activeKey={view} destroyOnHidden onChange={(key) => goTo(path, { ...search, view: key === 'info' ? undefined : key }, { replace: true })}
          items={[
            { key: 'info', label: '问诊信息', children: <InfoTab detail={data} /> }, { key: 'chat', label: '聊天记录', children: lazily(<ChatTab detail={data} />) }, { key: 'record', label: `就诊小结${data.records.length > 1 ? `（${data.records.length}版）` : ''}`, children: lazily(<RecordTab detail={data} />) },
            { key: 'videos', label: `视频记录（${data.videos.length}）`, children: <VideosTab detail={data} /> }, { key: 'fee', label: '费用与订单', children: <FeeTab detail={data} /> }, { key: 'rating', label: '评价与质检', children: <RatingTab detail={data} /> },
            { key: 'trail', label: '操作轨迹', children: <TrailTab detail={data} /> },
          ]}
        />
      )}
    </Drawer>
  );
}
