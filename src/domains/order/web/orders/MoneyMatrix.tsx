import { Table } from 'antd';
import { Money } from '#kernel/web/kit/values.tsx';
import type { OrderDetail } from '../../contract/calls/orders.ts';
import { fundingKinds, fundingStates } from '../../contract/orderDictionaries.ts';
import './orders.css';

interface Line {
  key: string;
  goods: string;
  spec: string;
  quantity: number | null;
  amounts: Readonly<Record<string, number>>;
}
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);
const refundedIn = (funding: OrderDetail['fundings'][number]) => (funding.refundedFen > 0 ? funding.refundedFen : null);

/** What each line costs and which instrument pays how much of it: every row and every column adds up. */
export function MoneyMatrix({ data }: { data: OrderDetail }) {
  const { lines, fundings } = data;
  const shareOf = (fundingId: string, lineId: string) =>
    sum(
      (fundings.find(({ id }) => id === fundingId)?.shares ?? [])
        .filter((share) => share.orderLineId === lineId)
        .map(({ amountFen }) => amountFen),
    );
  const columns = [
    { key: 'amount', title: '金额' },
    { key: 'discount', title: '优惠' },
    { key: 'freight', title: '运费' },
    { key: 'due', title: '应付' },
    ...fundings.map(({ id, kind, refName }) => ({
      key: id,
      title: (
        <span title={refName}>
          {fundingKinds.label(kind)}
          <br />
          <span className="kq-muted kq-number">{refName}</span>
        </span>
      ),
    })),
  ];
  const rows: Line[] = lines.map((line) => ({
    key: line.id,
    goods: line.goodsName,
    spec: [line.spec, line.manufacturer].filter(Boolean).join(' '),
    quantity: line.quantity,
    amounts: {
      amount: line.amountFen,
      discount: -line.discountFen,
      freight: line.freightFen,
      due: line.amountFen - line.discountFen + line.freightFen,
      ...Object.fromEntries(fundings.map(({ id }) => [id, shareOf(id, line.id)])),
    },
  }));
  const total = (key: string) => sum(rows.map(({ amounts }) => amounts[key] ?? 0));
  return (
    <>
      <Table<Line>
        size="small"
        rowKey="key"
        pagination={false}
        dataSource={rows}
        scroll={{ x: 'max-content' }}
        columns={[
          {
            title: '商品',
            key: 'goods',
            width: 240,
            render: (_value, row) => (
              <>
                {row.goods}
                <br />
                <span className="kq-muted">{row.spec}</span>
              </>
            ),
          },
          { title: '数量', key: 'quantity', align: 'right', width: 70, render: (_value, row) => row.quantity },
          ...columns.map(({ key, title }) => ({
            title,
            key,
            align: 'right' as const,
            render: (_value: unknown, row: Line) => <Money fen={row.amounts[key] ?? 0} />,
          })),
        ]}
        summary={() => (
          <Table.Summary.Row>
            <Table.Summary.Cell index={0}>合计</Table.Summary.Cell>
            <Table.Summary.Cell index={1} align="right">
              {sum(lines.map(({ quantity }) => quantity))}
            </Table.Summary.Cell>
            {columns.map(({ key }, at) => (
              <Table.Summary.Cell key={key} index={at + 2} align="right">
                <b>
                  <Money fen={total(key)} />
                </b>
              </Table.Summary.Cell>
            ))}
          </Table.Summary.Row>
        )}
      />
      <ul className="ord-fundings" aria-label="支付">
        {fundings.map((funding) => (
          <li key={funding.id}>
            {fundingKinds.label(funding.kind)} <span className="kq-number">{funding.refName}</span>{' '}
            <b>
              <Money fen={funding.amountFen} unit />
            </b>{' '}
            {fundingStates.label(funding.state)}
            {refundedIn(funding) !== null && (
              <>
                ，已退 <Money fen={funding.refundedFen} unit />
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
