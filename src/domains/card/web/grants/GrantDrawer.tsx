import { Alert, Drawer } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { RowActions } from '#kernel/web/kit/RowActions.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { queryGrantDetail } from '../../contract/calls/grants.ts';
import { grantMachine } from '../../contract/grantStates.ts';
import { LineList } from './GrantLines.tsx';
import { useGrantActions } from './useGrantActions.ts';

/** A grant: what it gives, who passed it, and what became of each line. */
export function GrantDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryGrantDetail, { grantId: id }, { quiet: true });
  const actions = useGrantActions();
  return (
    <Drawer
      open
      title={data ? `发放单 ${data.grantNo}` : '发放单'}
      size={1080}
      onClose={onClose}
      extra={data && <RowActions row={data} actions={actions} />}
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Waiting for={{ error, refetch }} />
      ) : (
        <>
          {data.needsSecond && data.status === 'PENDING_APPROVAL' && (
            <Alert type="warning" showIcon title="发放总额达到10万元，批准后需第三人复审" style={{ marginBottom: 12 }} />
          )}
          {data.waitingSince !== null && (
            <Alert
              type="warning"
              showIcon
              title={
                <>
                  发放中断，等待重试：自 <Time at={data.waitingSince} /> 起没有进展，系统会在一分钟内继续，已发放的明细不会重复发放
                </>
              }
              style={{ marginBottom: 12 }}
            />
          )}
          <Facts
            facts={factsIn(queryGrantDetail.output, data, [
              'status',
              'typeName',
              'source',
              'totalCount',
              'totalAmount',
              'totalBonus',
              { label: '成功/失败', value: `${data.okCount}/${data.failCount}` },
              'submittedBy',
              'approvedBy',
              'createdBy',
              'createdAt',
              { label: '发放说明', value: data.purpose || '—', wide: true },
            ])}
          />
          <Section title="发放明细">
            <LineList fixed={{ grantId: id }} />
          </Section>
          <Section title="审批记录">
            <AuditTimeline rows={data.trail} machine={grantMachine} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
