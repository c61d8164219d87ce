import { grouped } from '#kernel/contract/money.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Money } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryPolicyList, queryPolicyTotal } from '../../contract/calls/policies.ts';
import { insurerFilter, productFilter } from '../shared/filters.ts';
import '../shared/policy.css';

/** List of policies: columns and filters. */
export const policyList = resource(queryPolicyList, {
  routeKey: 'policyManage',
  empty: '没有符合条件的保单',
  filters: [
    'policyNo',
    'platformNo',
    'holderName',
    'insuredName',
    'idNo',
    'mobile',
    insurerFilter,
    productFilter,
    'productLine',
    'policyType',
    'state',
    { kind: 'days', names: ['startFrom', 'startTo'], label: '起保日期' },
    { kind: 'days', names: ['endFrom', 'endTo'], label: '终保日期' },
    'endsWithinDays',
    { kind: 'region', name: 'adcode' },
  ],
  columns: [
    { key: 'policyNo', required: true },
    { key: 'platformNo', hidden: true },
    'insurerName',
    { key: 'productName', render: (row) => <span title={row.productName}>{`${row.productName} V${row.productVersionNo}`}</span> },
    { key: 'productLine', plain: true },
    { key: 'policyType', plain: true },
    'holderName',
    'coverageStart',
    'coverageEnd',
    {
      key: 'insuredAndDeclared',
      title: '在保/申报人数',
      vital: true,
      width: 120,
      kind: 'custom',
      render: ({ insuredCount, declaredCount, state }) => {
        const differs = state === 'IN_FORCE' && declaredCount > 0 && declaredCount !== insuredCount;
        return (
          <span className={differs ? 'kq-number pol-wrong' : 'kq-number'} {...(differs && { title: '在保人数与申报人数不一致' })}>
            {grouped(insuredCount)}/{grouped(declaredCount)}
          </span>
        );
      },
    },
    'premiumFen',
    'waitingFen',
    'receivedFen',
    'endorsementCount',
    { key: 'createdAt', hidden: true },
    'state',
  ],
});

/** Counts of all that the filters find, however many pages it fills. */
export function PolicyTotals({ filters }: { filters: InputOf<typeof queryPolicyList> }) {
  const { pageNo: _page, pageSize: _size, ...found } = filters;
  const { data } = useData(queryPolicyTotal, found, { quiet: true });
  if (!data) return null;
  return (
    <span className="pol-totals" role="status">
      <span>保单 {data.policies} 张</span>
      <span>在保 {grouped(data.insured)} 人</span>
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
