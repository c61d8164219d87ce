import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Money, Time } from '#kernel/web/kit/values.tsx';
import type { ManualOrderDetail } from '../../contract/calls/manualOrders.ts';
import '../orders/orders.css';

/** Orders of the same person, store and day with the same goods, beside what was registered. */
export function LikeOrders({ data }: { data: ManualOrderDetail }) {
  const { manualOrder: row, duplicates, lines, notDuplicate } = data;
  if (duplicates.length === 0) return null;
  return (
    <Section title={`相似订单（${notDuplicate ? '复核人判定非重复' : '复核时须判定'}）`}>
      <div className="ord-scroll">
        <table className="ord-table">
          <thead>
            <tr>
              <th>单号</th>
              <th>商品</th>
              <th className="ord-right">金额</th>
              <th>状态</th>
              <th>时间</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>{row.manualNo}（本单）</td>
              <td>{lines.map(({ goodsName, quantity }) => `${goodsName}×${quantity}`).join('、')}</td>
              <td className="ord-right">
                <Money fen={row.goodsFen} />
              </td>
              <td>手工补录</td>
              <td>{row.purchaseDate}</td>
            </tr>
            {duplicates.map((order) => (
              <tr key={order.orderId}>
                <td>
                  <PageLink to="/orderManagement" search={{ orderId: order.orderId }}>
                    {order.orderNo}
                  </PageLink>
                </td>
                <td>{order.goodsText}</td>
                <td className="ord-right">
                  <Money fen={order.payableFen} />
                </td>
                <td>{order.stateLabel}</td>
                <td>
                  <Time at={order.createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
