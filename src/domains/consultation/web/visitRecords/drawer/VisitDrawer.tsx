import { Button, Drawer, Skeleton, Tabs } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { confirmLeaving } from '#kernel/web/tabs/unsaved.ts';
import { queryVisitRecordDetail, type VisitRow } from '../../../contract/calls/visits.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import { inquiryMachine, visitRecordMachine } from '../../../contract/states.ts';
import type { InquiryAction } from '../InquiryDialog.tsx';
import { usePrint } from '../usePrint.ts';

// Each tab of the drawer is loaded when it is opened.
const DetailTab = lazy(async () => ({ default: (await import('./DetailTabs.tsx')).DetailTab }));
const ChatTab = lazy(async () => ({ default: (await import('./ChatTab.tsx')).ChatTab }));
const RecordTab = lazy(async () => ({ default: (await import('./RecordTab.tsx')).RecordTab }));

interface DrawerProps {
  serverId: string;
  onClose(): void;
  onQuality(row: VisitRow): void;
  onInquiry(row: VisitRow, act: InquiryAction): void;
  onRecord(row: VisitRow, action: 'submit' | 'archive' | 'correct'): void;
}

/** One inquiry with everything that belongs to it; the shown tab stands in the address as `view`. */
export function VisitDrawer({ serverId, onClose, onQuality, onInquiry, onRecord }: DrawerProps) {
  const { path, search } = usePage();
  const { data, error, refetch } = useData(queryVisitRecordDetail, { serverId }, { quiet: true });
  const print = usePrint();
  const [dirty, setDirty] = useState(false);
  const leave = async (then: () => void) => {
    if (dirty && !(await confirmLeaving())) return;
    setDirty(false);
    then();
  };
  // What is handed to the doctor is what is stored, not what stands in the form.
  const submit = () => (dirty ? toast('有未保存的修改，请先保存小结', 'warning') : row && onRecord(row, 'submit'));
  const view = typeof search['view'] === 'string' && search['view'] !== '' ? search['view'] : 'info';
  const row = data?.row;
  const can = (action: string) => row?.allowedActions.includes(action) ?? false;
  const lazily = (content: ReactNode) => <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>{content}</Suspense>;
  return (
    <Drawer
      open
      size={1080}
      onClose={() => void leave(onClose)}
      title={
        row ? (
          <>
            问诊 {row.inquiryNo} <Dict of={inquiryMachine.dictionary} code={row.serverStatus} />
            {row.recordState && (
              <>
                {' '}
                <Dict of={visitRecordMachine.dictionary} code={row.recordState} />
              </>
            )}
          </>
        ) : (
          '就诊记录'
        )
      }
      footer={
        row && (
          <div className="kq-detail-actions">
            {can('refuse') && (
              <Button danger onClick={() => onInquiry(row, 'refuse')}>
                退诊
              </Button>
            )}
            {can('reopen') && <Button onClick={() => onInquiry(row, 'reopen')}>恢复问诊</Button>}
            {can('extend') && <Button onClick={() => onInquiry(row, 'extend')}>延长时长</Button>}
            {can('qc') && <Button onClick={() => onQuality(row)}>质检</Button>}
            <Can permission={may['visit.export']}>
              {row.visitRecordId !== null && <Button onClick={() => void print(serverId, 'record')}>打印小结</Button>}
            </Can>
            {can('correct') && <Button onClick={() => onRecord(row, 'correct')}>更正</Button>}
            {can('archive') && <Button onClick={() => onRecord(row, 'archive')}>归档</Button>}
            {can('submit') && (
              <Button type="primary" onClick={submit}>
                提交医生确认
              </Button>
            )}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : (
        <Tabs
          size="small"
          activeKey={view}
          destroyOnHidden
          onChange={(key) => void leave(() => goTo(path, { ...search, view: key === 'info' ? undefined : key }, { replace: true }))}
          items={[
            { key: 'info', label: '问诊信息', children: lazily(<DetailTab name="info" detail={data} />) },
            { key: 'chat', label: '聊天记录', children: lazily(<ChatTab detail={data} />) },
            {
              key: 'record',
              label: `就诊小结${data.records.length > 1 ? `（${data.records.length}版）` : ''}`,
              children: lazily(<RecordTab detail={data} onDirty={setDirty} />),
            },
            { key: 'videos', label: `视频记录（${data.videos.length}）`, children: lazily(<DetailTab name="videos" detail={data} />) },
            { key: 'fee', label: '费用与订单', children: lazily(<DetailTab name="fee" detail={data} />) },
            { key: 'rating', label: '评价与质检', children: lazily(<DetailTab name="rating" detail={data} />) },
            { key: 'trail', label: '操作轨迹', children: lazily(<DetailTab name="trail" detail={data} />) },
          ]}
        />
      )}
    </Drawer>
  );
}
