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
      <div className="ord-scroll">
        <table className="ord-table">
          <thead>
            <tr>
              <th>商品</th>
              <th className="ord-right">数量</th>
              {columns.map(({ key, title }) => (
                <th key={key} className="ord-right">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <td>
                  {row.goods}
                  <br />
                  <span className="kq-muted">{row.spec}</span>
                </td>
                <td className="ord-right kq-number">{row.quantity}</td>
                {columns.map(({ key }) => (
                  <td key={key} className="ord-right">
                    <Money fen={row.amounts[key] ?? 0} />
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <td>合计</td>
              <td className="ord-right kq-number">{sum(lines.map(({ quantity }) => quantity))}</td>
              {columns.map(({ key }) => (
                <td key={key} className="ord-right">
                  <b>
                    <Money fen={total(key)} />
                  </b>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
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
