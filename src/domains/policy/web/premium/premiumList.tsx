import type { InputOf } from '#kernel/contract/call.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Money } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryPremiumOrderDetail, queryPremiumOrderList, queryPremiumOrderTotal, queryReceiptList } from '../../contract/calls/premium.ts';
import { queryPolicyDetail, queryPolicyList, queryPolicyTotal } from '../../contract/calls/policies.ts';
import { insurerFilter, productFilter } from '../shared/filters.ts';
import '../shared/policy.css';

/** What is read again after an order or its money moved. */
export const premiumRefreshes = [
  queryPremiumOrderList,
  queryPremiumOrderTotal,
  queryPremiumOrderDetail,
  queryReceiptList,
  queryPolicyDetail,
  queryPolicyList,
  queryPolicyTotal,
];

const columns = [
  { key: 'premiumOrderNo', required: true },
  'policyNo',
  'insurerName',
  'productName',
  { key: 'holderName', hidden: true },
  { key: 'kind', plain: true },
  'direction',
  'periodFrom',
  'periodTo',
  'personCount',
  'amountFen',
  'statedFen',
  'differenceFen',
  'settledFen',
  'dueOn',
  'maker',
  'checker',
  { key: 'insurerInvoiceNo', hidden: true },
  { key: 'createdAt', hidden: true },
  'state',
] as const;

/** List of premium orders: columns and filters. */
export const premiumList = resource(queryPremiumOrderList, {
  routeKey: 'insurancePremiumOrderInquiry',
  empty: '没有符合条件的保费订单',
  filters: [
    'premiumOrderNo',
    'policyNo',
    'holderName',
    insurerFilter,
    productFilter,
    'kind',
    'direction',
    'state',
    { kind: 'days', names: ['dueFrom', 'dueTo'], label: '到期日' },
    'overdue',
    'amountFrom',
    'amountTo',
  ],
  columns,
});

const inPolicy = columns.filter((column) => column !== 'policyNo' && column !== 'insurerName' && column !== 'productName');

/** Orders of one policy, inside its page. */
export const premiumOfPolicy = resource(queryPremiumOrderList, {
  routeKey: 'policyManage.premium',
  empty: '还没有保费订单',
  columns: inPolicy,
});
/** The same where no insurer has figures and numbers of its own. */
export const premiumOfEnterprise = resource(queryPremiumOrderList, {
  routeKey: 'policyManage.premium',
  empty: '还没有保费订单',
  columns: inPolicy.filter(
    (column) => column !== 'statedFen' && column !== 'differenceFen' && (typeof column === 'string' || column.key !== 'insurerInvoiceNo'),
  ),
});

/** Sums of all that the filters find. */
export function PremiumTotals({ filters }: { filters: InputOf<typeof queryPremiumOrderList> }) {
  const { pageNo: _page, pageSize: _size, ...found } = filters;
  const { data } = useData(queryPremiumOrderTotal, found, { quiet: true });
  if (!data) return null;
  return (
    <span className="pol-totals" role="status">
      <span>订单 {data.orders} 笔</span>
      <span>
        应收 <Money fen={data.collectFen} unit />
      </span>
      <span>
        应退 <Money fen={data.refundFen} unit />
      </span>
      <span>
        应收保费 <Money fen={data.premiumFen} unit />
      </span>
      <span>
        待审保费 <Money fen={data.waitingFen} unit />
      </span>
      <span>
        已收保费 <Money fen={data.receivedFen} unit />
      </span>
    </span>
  );
}
