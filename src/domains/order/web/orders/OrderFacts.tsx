import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { patientPermissions } from '#domains/patient/contract/permissions.ts';
import { queryOrderDetail, queryOrderList, type OrderDetail, type ORDER_SECRETS } from '../../contract/calls/orders.ts';
import { cancelReasons } from '../../contract/orderDictionaries.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { reveal } from './orderList.tsx';

/** Who ordered, where it goes, when what happened. */
export function OrderFacts({ data }: { data: OrderDetail }) {
  const allowed = useMay();
  const { order } = data;
  const masked = (value: string | null, field: (typeof ORDER_SECRETS)[number]) => (
    <Masked key={`${order.id}${field}`} value={value} permission={may['order.reveal']} reveal={() => reveal(field)(order)} />
  );
  return (
    <>
      <Facts
        title="订单"
        facts={[
          ...factsIn(queryOrderList.output, order, [
            {
              key: 'buyerName',
              value: (
                <>
                  {masked(order.buyerName, 'buyerName')}
                  {'　'}
                  {allowed(patientPermissions['patient.view']) && <PatientLink patientId={data.patientId}>打开档案</PatientLink>}
                </>
              ),
            },
            { key: 'buyerMobile', value: masked(order.buyerMobile, 'buyerMobile') },
            'orderType',
            'bizLine',
            'origin',
            'outerNo',
            'createdAt',
            'paidAt',
            'sellerName',
          ]),
          ...factsIn(queryOrderDetail.output, data, ['payDeadline', 'completedAt']),
          ...(data.cancelReason === null
            ? []
            : [
                { label: '取消时间', value: <Time at={data.cancelledAt} /> },
                { label: '取消原因', value: cancelReasons.label(data.cancelReason) },
              ]),
        ]}
      />
      {order.bizLine !== 'OWN' && <Facts title="保障" facts={factsIn(queryOrderDetail.output, data, ['insurerName', 'productCode'])} />}
      {order.orderType === 'B2C' && (
        <Facts
          title="收货"
          facts={[
            { label: '收货人', value: masked(data.receiverName, 'receiverName') },
            { label: '收货手机号', value: masked(data.receiverMobile, 'receiverMobile') },
            { label: '省市区', value: data.regionText },
            { label: '详细地址', value: masked(data.address, 'address'), wide: true },
          ]}
        />
      )}
      <Facts title="备注" columns={1} facts={factsIn(queryOrderDetail.output, data, ['buyerRemark', 'staffRemark', 'suggestNo'])} />
    </>
  );
}
