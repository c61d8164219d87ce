import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { queryPremiumOrderDetail } from '../../contract/calls/premium.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { directions, premiumBases, rejectReasons } from '../../contract/premiumStates.ts';

export type OrderDetail = OutputOf<typeof queryPremiumOrderDetail>;
export type OrderAllocation = OrderDetail['allocations'][number];

export const differs = (order: OrderDetail): boolean =>
  order.recomputedFen !== order.amountFen || order.items.some((item) => item.amountFen !== item.recomputedFen);

export function OrderFacts({ order }: { order: OrderDetail }) {
  return (
    <Facts
      facts={factsIn(queryPremiumOrderDetail.output, order, [
        'policyNo',
        'holderName',
        'insurerName',
        'productName',
        'kind',
        { key: 'direction', value: <Dict of={directions} code={order.direction} /> },
        { label: '期间', value: `${order.periodFrom} 至 ${order.periodTo}` },
        { label: '批单', value: order.endorsementNo },
        { label: '追溯天数', value: order.backdatedDays > 0 ? <span className="pol-wrong">{order.backdatedDays}天</span> : '无' },
        'dueOn',
        'settledFen',
        ...(POLICY_LINE_VIEW[order.productLine].insurerNumbers ? [{ label: '保司发票号', value: order.insurerInvoiceNo }] : []),
        'maker',
        'checker',
        'createdAt',
        ...(order.rejectReasons.length > 0
          ? [{ label: '驳回原因', value: order.rejectReasons.map((code) => rejectReasons.label(code)).join('、'), wide: true }]
          : []),
        ...(order.opinion ? [{ label: '意见', value: order.opinion, wide: true }] : []),
      ])}
    />
  );
}

/** 平台计算 / 订单 / 保司, side by side. */
export function Comparison({ order }: { order: OrderDetail }) {
  const days = order.items.reduce((sum, item) => sum + item.days, 0);
  const wrong = order.recomputedFen !== order.amountFen;
  const insurers = POLICY_LINE_VIEW[order.productLine].insurerNumbers;
  const stated = order.statedFen !== null && order.statedFen !== order.amountFen;
  return (
    <Section title="金额对比">
      <table className="pol-table">
        <thead>
          <tr>
            <th>项目</th>
            <th className="pol-amount">平台计算</th>
            <th className="pol-amount">订单</th>
            {insurers && <th className="pol-amount">保司</th>}
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>人数</td>
            <td className="pol-amount">{new Set(order.items.map(({ insuredItemId }) => insuredItemId)).size}</td>
            <td className="pol-amount">{order.personCount}</td>
            {insurers && <td className="pol-amount">—</td>}
          </tr>
          <tr>
            <td>天数合计</td>
            <td className="pol-amount">{days}</td>
            <td className="pol-amount">{days}</td>
            {insurers && <td className="pol-amount">—</td>}
          </tr>
          <tr>
            <td>金额</td>
            <td className={wrong ? 'pol-amount pol-wrong' : 'pol-amount'}>
              <Money fen={order.recomputedFen} unit />
            </td>
            <td className="pol-amount">
              <Money fen={order.amountFen} unit />
            </td>
            {insurers && (
              <td className={stated ? 'pol-amount pol-wrong' : 'pol-amount'}>
                {order.statedFen === null ? '—' : <Money fen={order.statedFen} unit />}
              </td>
            )}
          </tr>
        </tbody>
      </table>
    </Section>
  );
}

/** Lines of an order, those first whose amount is not what rate and days say. */
export function OrderItems({ order }: { order: OrderDetail }) {
  const rows = order.items
    .map((item) => ({ ...item, key: String(item.lineNo), wrong: item.amountFen !== item.recomputedFen }))
    .toSorted((one, other) => Number(other.wrong) - Number(one.wrong) || one.lineNo - other.lineNo);
  const more = order.personCount > rows.length;
  return (
    <Section title={`明细（${rows.length}行${more ? '，其余请导出' : ''}）`}>
      <DataTable
        rows={rows}
        rowKey="key"
        height={360}
        empty="没有明细"
        columns={[
          { key: 'lineNo', title: '行', width: 50 },
          { key: 'name', title: '姓名', width: 90 },
          { key: 'planCode', title: '计划', width: 70 },
          { key: 'amountFen', title: '金额', kind: 'money' },
          {
            key: 'recomputedFen',
            title: '重算金额',
            width: 120,
            align: 'right',
            kind: 'custom',
            render: (row) => (
              <span className={row.wrong ? 'pol-wrong' : ''}>
                <Money fen={row.recomputedFen} />
              </span>
            ),
          },
          { key: 'basis', title: '方式', kind: 'dict', dictionary: premiumBases, plain: true, width: 90 },
          { key: 'from', title: '起', kind: 'day' },
          { key: 'to', title: '止', kind: 'day' },
          { key: 'days', title: '天数', kind: 'number', width: 70 },
          { key: 'calc', title: '算法', width: 420 },
        ]}
      />
    </Section>
  );
}

export function OrderAllocations({ order, actions = [] }: { order: OrderDetail; actions?: readonly RowAction<OrderAllocation>[] }) {
  return (
    <Section title="到账与分配">
      <DataTable
        rows={order.allocations}
        height="auto"
        empty="还没有登记收付"
        actions={actions}
        columns={[
          { key: 'bankFlowNo', title: '银行流水号', width: 180 },
          { key: 'payerName', title: '付款人', width: 160 },
          { key: 'paidOn', title: '到账日期', kind: 'day' },
          { key: 'amountFen', title: '分配金额', kind: 'money' },
          {
            key: 'reversed',
            title: '状态',
            width: 90,
            value: (row) => (row.amountFen.startsWith('-') ? '撤销' : row.reversed ? '已撤销' : '有效'),
          },
          { key: 'madeBy', title: '登记人', width: 90 },
          { key: 'at', title: '登记时间', kind: 'time' },
        ]}
      />
    </Section>
  );
}
