import { Suspense, useState } from 'react';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { yuan } from '#kernel/contract/money.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { ReportFilters, TotalsLine } from '#kernel/web/list/totals.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  cancelPayConsultation,
  exportPayConsultationList,
  queryPayConsultationSum,
  syncPayConsultation,
  type ConsultOrderRow,
  queryPayConsultationList,
} from '../../contract/calls/consultOrders.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { OrderDrawer, RefundDialog } from './lazyDialogs.ts';
import { orderList, refreshes } from './orderList.tsx';

/** Who may open the page of the chats, which is another domain's. */
const CHAT = 'consultation.chat.send';
type Filters = InputOf<typeof queryPayConsultationSum>;
const results: Readonly<Record<string, string>> = {
  WAITING: '支付渠道尚未收到付款',
  PAID: '支付渠道已收到付款',
  FAILED: '支付失败',
  CLOSED: '支付已关闭',
};

/** Totals over the filter, below the list. */
function Totals({ filters }: { filters: string }) {
  const { data } = useData(queryPayConsultationSum, JSON.parse(filters) as Filters, { quiet: true, fresh: 5_000 });
  if (!data) return null;
  const parts = [
    ['订单', `${data.orders} 单`],
    ['原价', `¥${yuan(data.priceFen, true)}`],
    ['优惠', `¥${yuan(data.discountFen, true)}`],
    ['实收', `¥${yuan(data.paidFen, true)}`],
    ['已退', `¥${yuan(data.refundedFen, true)}`],
  ] as const;
  return <TotalsLine parts={parts} />;
}

/** Orders of one tab. */
export function Orders({ fixed }: { fixed: Partial<Filters> }) {
  const { path, search } = usePage();
  const shown = typeof search['id'] === 'string' ? search['id'] : null;
  const layers = useLayers();
  const refund = (order: ConsultOrderRow) => layers.open((close) => <RefundDialog order={order} onClose={close} />);
  const [filters, setFilters] = useState('{}');
  const cancel = useCommand(cancelPayConsultation, { success: '订单已取消!', refreshes });
  const sync = useCommand(syncPayConsultation, {
    refreshes,
    onSuccess: ({ data }) => void ask({ title: '支付结果', content: results[data.payResult] ?? '', danger: false }),
  });
  const open = (id: string | undefined) => goTo(path, { ...search, id }, { replace: true });
  const onCancel = async (row: ConsultOrderRow) => {
    const opinion = await confirmWithOpinion({
      title: '取消订单',
      content: `确定要取消订单“${row.orderNo}”吗?取消后患者不能再支付。`,
      facts: factsIn(queryPayConsultationList.output, row, ['patientName', 'doctorName', 'itemName', 'payFen', 'createdAt']),
      danger: true,
      opinion: 'optional',
    });
    if (opinion !== null) await cancel.run({ id: row.id, version: row.version, ...(opinion && { opinion }) });
  };
  return (
    <>
      <ResourceList
        of={orderList}
        fixed={fixed}
        every={30_000}
        onRowClick={(row) => open(row.id)}
        actions={[
          { label: '详情', act: (row) => open(row.id) },
          {
            label: '退款',
            permission: may['consult.refund'],
            danger: true,
            when: (row) => consultOrderMachine.canStart('refund', row.state) && row.payFen !== row.refundedFen,
            act: refund,
          },
          { label: '取消', permission: may['consult.edit'], danger: true, when: (row) => row.state === 'WAIT_PAY', act: onCancel },
          {
            label: '查询支付结果',
            permission: may['consult.edit'],
            when: (row) => row.state === 'WAIT_PAY',
            act: (row) => sync.run({ id: row.id }),
          },
          {
            label: '进入会话',
            permission: CHAT,
            when: (row) => row.groupId !== null,
            act: (row) => goTo('/assistantIM', { groupId: row.groupId ?? '' }),
          },
        ]}
        toolbar={(view) => {
          const all = { ...view.filters, ...fixed };
          return (
            <>
              <ExportButton call={exportPayConsultationList} view={{ ...view, filters: all }} permission={may['consult.export']} />
              <ReportFilters filters={all} onChange={setFilters} />
            </>
          );
        }}
      />
      <Totals filters={filters} />
      {layers.shown}
      <Suspense fallback={null}>{shown && <OrderDrawer id={shown} onClose={() => open(undefined)} onRefund={refund} />}</Suspense>
    </>
  );
}
