import { Tag } from 'antd';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Money, NOTHING } from '#kernel/web/kit/values.tsx';
import {
  queryManualOrderDetail,
  queryManualOrderList,
  type MANUAL_SECRETS,
  type ManualOrderDetail,
} from '../../contract/calls/manualOrders.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { revealManual } from './revealManual.ts';
import '../orders/orders.css';

function Lines({ data }: { data: ManualOrderDetail }) {
  const { manualOrder: row } = data;
  return (
    <div className="ord-scroll">
      <table className="ord-table">
        <thead>
          <tr>
            <th>商品</th>
            <th className="ord-right">数量</th>
            <th className="ord-right">单价</th>
            <th className="ord-right">门店价目</th>
            <th className="ord-right">金额</th>
            <th className="ord-right">直付</th>
            <th className="ord-right">卡抵扣</th>
          </tr>
        </thead>
        <tbody>
          {data.lines.map((line) => (
            <tr key={line.id}>
              <td>
                {line.goodsName} {line.rxRequired && <Tag>处方药</Tag>}
                <div className="kq-muted">
                  {line.goodsCode} {line.spec}
                </div>
              </td>
              <td className="ord-right kq-number">{line.quantity}</td>
              <td className="ord-right">
                <Money fen={line.unitPriceFen} />
                {line.deviates && <div className="kq-danger">偏离超20%</div>}
              </td>
              <td className="ord-right">{line.listPriceFen === null ? NOTHING : <Money fen={line.listPriceFen} />}</td>
              <td className="ord-right">
                <Money fen={line.amountFen} />
              </td>
              <td className="ord-right">
                <Money fen={line.benefitFen} />
              </td>
              <td className="ord-right">
                <Money fen={line.cardFen} />
              </td>
            </tr>
          ))}
          <tr>
            <td>
              合计（自付 <Money fen={row.selfPayFen} unit />）
            </td>
            <td />
            <td />
            <td />
            <td className="ord-right">
              <Money fen={row.goodsFen} />
            </td>
            <td className="ord-right">
              <Money fen={row.benefitFen} />
            </td>
            <td className="ord-right">
              <Money fen={row.cardFen} />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** Who bought what where, and what pays it. */
export function ManualFacts({ data }: { data: ManualOrderDetail }) {
  const { manualOrder: row } = data;
  const masked = (value: string | null, field: (typeof MANUAL_SECRETS)[number]) => (
    <Masked key={`${row.id}${field}`} value={value} permission={may['order.reveal']} reveal={() => revealManual(field)(row)} />
  );
  return (
    <>
      <Facts
        title="购药信息"
        columns={2}
        facts={[
          ...factsIn(queryManualOrderList.output, row, [
            { key: 'buyerName', value: masked(row.buyerName, 'buyerName') },
            { key: 'buyerMobile', value: masked(row.buyerMobile, 'mobile') },
          ]),
          ...factsIn(queryManualOrderDetail.output, data, [{ key: 'idNo', value: masked(data.idNo, 'idNo') }]),
          ...factsIn(queryManualOrderList.output, row, ['drugstoreName', 'receiptNo', 'purchaseDate', 'reasonCode', 'source']),
          ...factsIn(queryManualOrderDetail.output, data, ['rxPassedBy']),
        ]}
      />
      <Section title="商品与金额">
        <Lines data={data} />
      </Section>
      <Facts
        title="权益与落单"
        columns={2}
        facts={[
          ...factsIn(queryManualOrderDetail.output, data, ['bizLine', 'contractNo', 'cardText', 'holdExpireAt']),
          ...factsIn(queryManualOrderList.output, row, [
            'matchExplain',
            {
              key: 'orderNo',
              value:
                row.orderId === null ? (
                  NOTHING
                ) : (
                  <PageLink to="/orderManagement" search={{ orderId: row.orderId }}>
                    {row.orderNo}
                  </PageLink>
                ),
            },
            'makerName',
            'checkerName',
          ]),
          ...factsIn(queryManualOrderDetail.output, data, ['submittedAt', 'reviewedAt']),
        ]}
      />
    </>
  );
}
