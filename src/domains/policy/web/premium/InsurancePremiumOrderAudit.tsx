import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand, useList } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePage } from '#kernel/web/tabs/page.tsx';
import { claimNextPremiumOrder, queryPremiumOrderList, type PremiumRow } from '../../contract/calls/premium.ts';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import '../shared/policy.css';

const AuditDesk = lazy(async () => ({ default: (await import('./AuditDesk.tsx')).AuditDesk }));

const address = { premiumOrderId: param.optional() };
const MOST = 100;
const columns = columnsOf<PremiumRow>(queryPremiumOrderList.output, [
  { key: 'premiumOrderNo', required: true },
  'policyNo',
  'insurerName',
  'productName',
  'holderName',
  { key: 'kind', plain: true },
  'direction',
  'personCount',
  'amountFen',
  'statedFen',
  'differenceFen',
  'dueOn',
  'maker',
  // Who has it in hand: nobody has checked what waits here.
  'checker',
  'state',
]);

/** /insurancePremiumOrderAudit 保费订单审核: what waits, one after another. */
export default function InsurancePremiumOrderAudit() {
  const [{ premiumOrderId }] = useAddress(address);
  const { replaceWith } = usePage();
  // One tab steps through the queue.
  const go = (id: string | undefined): void => void replaceWith(id === undefined ? {} : { premiumOrderId: id });
  const allowed = useMay();
  const { rows, error, fetching, refetch } = useList(
    queryPremiumOrderList,
    { state: ['PENDING_AUDIT'], pageNo: 1, pageSize: MOST },
    { quiet: true },
  );
  const next = useCommand(claimNextPremiumOrder, {
    blockMs: 300,
    onSuccess: ({ data }) => go(data.id),
  });
  const claimNext = () => {
    if (allowed(may['premium.audit'])) void next.run({});
    else toast('当前角色不能审核保费订单', 'warning');
  };
  useKeys([{ keys: 'Alt+N', label: '领取下一件', act: claimNext }]);
  return (
    <>
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <Can permission={may['premium.audit']}>
            <Button type="primary" loading={next.flying} onClick={claimNext}>
              领取下一件（Alt+N）
            </Button>
          </Can>
          <span className="kq-muted">待审核 {rows?.length ?? 0} 笔</span>
        </div>
      </div>
      <DataTable
        rows={rows}
        columns={columns}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有待审核的保费订单"
        settingKey="insurancePremiumOrderAudit"
        actions={[
          {
            label: '审核',
            when: ({ allowedActions }) => allowedActions.includes('approve'),
            act: ({ id }) => go(id),
          },
        ]}
        onRowClick={({ id }) => go(id)}
      />
      <Suspense fallback={null}>
        {premiumOrderId && (
          <AuditDesk
            premiumOrderId={premiumOrderId}
            queue={(rows ?? []).map(({ id }) => id)}
            onGo={go}
            onDecided={() => {
              void refetch();
              claimNext();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
