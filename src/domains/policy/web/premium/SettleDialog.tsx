import { Alert, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { allocateReceipt, queryReceiptList, suggestAllocation, type PremiumRow } from '../../contract/calls/premium.ts';
import { premiumRefreshes as refreshes } from './premiumList.tsx';

export type ReceiptRow = OutputOf<typeof queryReceiptList>;

interface Line {
  premiumOrderId: string;
  premiumOrderNo: string;
  policyNo: string;
  dueOn: string;
  openFen: string;
}

const openOf = (order: PremiumRow): string => String(BigInt(order.amountFen) - BigInt(order.settledFen));
const lineOf = (order: PremiumRow): Line => ({
  premiumOrderId: order.id,
  premiumOrderNo: order.premiumOrderNo,
  policyNo: order.policyNo,
  dueOn: order.dueOn,
  openFen: openOf(order),
});

/** Receipts with something left that go the order's way; those of its payer first. */
function Receipts({ order, chosen, onChoose }: { order: PremiumRow; chosen: ReceiptRow | null; onChoose(row: ReceiptRow): void }) {
  const { rows, error, fetching, refetch } = useList(
    queryReceiptList,
    { direction: order.direction, unallocated: true, pageNo: 1, pageSize: 100 },
    { quiet: true },
  );
  const sorted = rows?.toSorted((one, other) => Number(other.payerName === order.holderName) - Number(one.payerName === order.holderName));
  return (
    <DataTable
      rows={sorted}
      loading={fetching}
      error={error}
      onRetry={() => void refetch()}
      height={320}
      empty="没有可分配的到账记录，请先登记到账"
      choice={{ chosen: chosen?.id, onChoose }}
      columns={[
        { key: 'payerName', title: '付款人', width: 130 },
        { key: 'restFen', title: '未分配', kind: 'money', width: 95 },
        { key: 'paidOn', title: '到账日期', kind: 'day', width: 105 },
        { key: 'bankFlowNo', title: '银行流水号', width: 155 },
      ]}
    />
  );
}

interface SettleDialogProps {
  /** The order that money is looked for, or else the receipt whose money is shared. */
  order?: PremiumRow;
  receipt?: ReceiptRow;
  onClose(): void;
}

/** 登记收付: a receipt on the left, the orders that it pays on the right, what is left of it below. */
export function SettleDialog({ order, receipt: given, onClose }: SettleDialogProps) {
  const [receipt, setReceipt] = useState<ReceiptRow | null>(given ?? null);
  const [amounts, setAmounts] = useState<Readonly<Record<string, number | null>>>({});
  const suggested = useData(suggestAllocation, { receiptId: receipt?.id ?? '' }, { quiet: true, enabled: receipt !== null });
  const command = useCommand(allocateReceipt, { success: '操作成功!', refreshes });
  const { data } = suggested;
  const others: Line[] = (data ?? []).filter(({ premiumOrderId }) => premiumOrderId !== order?.id);
  const lines: Line[] = receipt === null ? [] : [...(order ? [lineOf(order)] : []), ...others];
  useEffect(() => {
    if (receipt === null || data === undefined) return;
    const rest = BigInt(receipt.restFen);
    if (!order) return setAmounts(Object.fromEntries(data.map((one) => [one.premiumOrderId, Number(one.amountFen)])));
    // The order that was opened comes first; the others wait.
    const open = BigInt(openOf(order));
    return setAmounts({ [order.id]: Number(open < rest ? open : rest) });
  }, [receipt, data, order]);
  const shared = lines.reduce((sum, { premiumOrderId }) => sum + BigInt(amounts[premiumOrderId] ?? 0), 0n);
  const rest = receipt === null ? 0n : BigInt(receipt.restFen) - shared;
  const save = async () => {
    if (receipt === null) return;
    const shares = lines.flatMap(({ premiumOrderId }) => {
      const amountFen = amounts[premiumOrderId] ?? 0;
      return amountFen > 0 ? [{ premiumOrderId, amountFen }] : [];
    });
    if (await command.run({ receiptId: receipt.id, shares })) onClose();
  };
  return (
    <Modal
      open
      title={order ? `登记收付 ${order.premiumOrderNo}` : `分配到账 ${given?.bankFlowNo ?? ''}`}
      width={order ? 1200 : 1120}
      className="kq-dialog"
      mask={{ closable: false }}
      onCancel={onClose}
      okText="确定分配"
      okButtonProps={{ disabled: receipt === null || shared === 0n || rest < 0n, loading: command.flying }}
      onOk={() => void save()}
    >
      {given && (
        <p className="pol-totals">
          <span>付款人 {given.payerName}</span>
          <span>到账日期 {given.paidOn}</span>
          <span>
            到账金额 <Money fen={given.amountFen} unit />
          </span>
        </p>
      )}
      <div className={order ? 'pol-two' : ''}>
        {order && (
          <Section title="到账记录">
            <Receipts order={order} chosen={receipt} onChoose={setReceipt} />
          </Section>
        )}
        <Section title="分配到保费订单">
          <DataTable
            rows={lines}
            rowKey="premiumOrderId"
            height={320}
            loading={suggested.fetching}
            error={suggested.error}
            onRetry={() => void suggested.refetch()}
            empty={receipt === null ? '请先选择到账记录' : '没有该付款人的待收付订单'}
            columns={[
              { key: 'premiumOrderNo', title: '订单号', width: 160 },
              // Beside the list of receipts there is no room for it.
              ...(order ? [] : [{ key: 'policyNo', title: '保单号', width: 170 }]),
              { key: 'dueOn', title: '到期日', kind: 'day' },
              { key: 'openFen', title: '待收付', kind: 'money', width: 110 },
              {
                key: 'amount',
                title: '分配金额',
                width: 140,
                kind: 'custom',
                render: (row) => (
                  <MoneyInput
                    aria-label={`${row.premiumOrderNo}分配金额`}
                    value={amounts[row.premiumOrderId] ?? null}
                    onChange={(fen) => setAmounts((now) => ({ ...now, [row.premiumOrderId]: fen }))}
                  />
                ),
              },
            ]}
          />
        </Section>
      </div>
      {receipt && (
        <p className="pol-totals" role="status">
          <span>
            可分配 <Money fen={receipt.restFen} unit />
          </span>
          <span>
            本次分配 <Money fen={String(shared)} unit />
          </span>
          <span className={rest < 0n ? 'pol-wrong' : ''}>
            分配后剩余 <Money fen={String(rest)} unit />
          </span>
        </p>
      )}
      {rest < 0n && <Alert type="error" showIcon title="分配金额超过到账记录可分配余额" />}
    </Modal>
  );
}
