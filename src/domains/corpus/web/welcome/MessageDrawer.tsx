import { Descriptions, Drawer, Tabs } from 'antd';
import { TransitionButtons } from '#kernel/web/detail/TransitionButtons.tsx';
import { lazy, Suspense } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { queryWelcomeMessageDetail } from '../../contract/welcome/calls.ts';
import { autoActions, autoKind, autoMachine, autoTrigger, quietMode } from '../../contract/welcome/dictionaries.ts';
import { useMessageActions } from './useMessageActions.ts';
import '../materials/materials.css';

const MessagePreview = lazy(() => import('./MessagePreview.tsx'));
const WIDTH = 860;

/** One message: what it says, when and to whom, and what became of it; the auditor decides here. */
export default function MessageDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryWelcomeMessageDetail, { id }, { quiet: true });
  const actions = useMessageActions();
  const row = data?.message;
  return (
    <Drawer open size={WIDTH} title={row ? `${autoKind.label(row.kind)}详情` : '详情'} onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={row?.name}
        state={row && <Dict of={autoMachine.dictionary} code={row.state} />}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          row && (
            <TransitionButtons
              machine={autoMachine}
              actions={autoActions}
              allowed={row.allowedActions}
              disabled={actions.busy}
              onTake={(action) => actions.take(row, action)}
            />
          )
        }
      >
        {data && row && (
          <Tabs
            items={[
              {
                key: 'content',
                label: '内容',
                children: (
                  <div className="kq-mat-split">
                    <Descriptions
                      column={1}
                      items={[
                        { key: 'triggerType', label: '触发时机', children: autoTrigger.label(row.triggerType) },
                        { key: 'scope', label: '适用范围', children: row.scope },
                        { key: 'summary', label: '内容摘要', children: row.summary },
                        { key: 'delay', label: '延时', children: row.delay },
                        { key: 'quietMode', label: '发送时段', children: quietMode.label(row.quietMode) },
                        { key: 'valid', label: '有效期', children: row.valid },
                        { key: 'recent', label: '近30天发送/回复率', children: row.recent },
                      ]}
                    />
                    <Suspense>
                      <MessagePreview materialIds={row.materialIds} smsText={row.smsText} />
                    </Suspense>
                  </div>
                ),
              },
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={autoMachine} /> },
            ]}
          />
        )}
      </DetailLayout>
    </Drawer>
  );
}
