import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { divisionName } from '#kernel/web/session/divisions.ts';
import { queryPolicyDetail, type PolicyDetail } from '../../contract/calls/policies.ts';

const PolicyLink = ({ to: { policyId, policyNo } }: { to: { policyId: string; policyNo: string } }) => (
  <PageLink to="/policyManage" search={{ policyId }}>
    {policyNo}
  </PageLink>
);

/** Tab 基本信息. */
export function PolicyFacts({ policy }: { policy: PolicyDetail }) {
  const { premium, uses } = policy;
  return (
    <>
      <Facts
        title="保单"
        facts={factsIn(queryPolicyDetail.output, policy, [
          'platformNo',
          'insurerName',
          'productLine',
          'policyType',
          { key: 'productName', value: `${policy.productCode} ${policy.productName} V${policy.productVersionNo}` },
          { label: '保险期间', value: `${policy.coverageStart} 至 ${policy.coverageEnd}` },
          'payMode',
          'prorate',
          { key: 'graceDays', value: `${policy.graceDays}天` },
          'refundFeeBp',
          'refundIfClaimed',
          { key: 'maxBackdateDays', value: `${policy.maxBackdateDays}天` },
          { key: 'adcode', value: policy.adcode && divisionName(policy.adcode) },
          'channelName',
          { label: '续保自', value: policy.renewalOf && <PolicyLink to={policy.renewalOf} /> },
          { label: '续保为', value: policy.renewedBy && <PolicyLink to={policy.renewedBy} /> },
          ...(policy.suspensions.length > 0
            ? [
                {
                  label: '中止期间',
                  value: policy.suspensions.map(({ from, to }) => `${from} 至 ${to ?? '复效前'}`).join('；'),
                  wide: true,
                },
              ]
            : []),
        ])}
      />
      <Facts
        title="投保人"
        facts={factsIn(queryPolicyDetail.output, policy, ['holderType', 'holderName', 'holderIdNo', 'holderContact'])}
      />
      <Facts
        title="保费与使用情况"
        facts={factsIn(queryPolicyDetail.output.shape.premium, premium, [
          'collectFen',
          'refundFen',
          'premiumFen',
          'waitingFen',
          'receivedFen',
          { label: '逾期订单', value: <span className={premium.overdue > 0 ? 'pol-wrong' : ''}>{premium.overdue}笔</span> },
          { label: '在保/申报人数', value: `${policy.insuredCount}/${policy.declaredCount}` },
          { label: '有效签约', value: `${uses.contracts}份` },
          { label: '在途理赔', value: `${uses.openClaims}件` },
          { label: '已赔付', value: <Money fen={uses.paidFen} unit /> },
        ])}
      />
      <Section title="计划">
        <DataTable
          rows={policy.plans}
          rowKey="planCode"
          height="auto"
          empty="产品版本没有计划"
          columns={[
            { key: 'planCode', title: '计划', width: 120 },
            { key: 'planName', title: '名称', width: 200 },
            { key: 'sumInsuredFen', title: '保额', kind: 'money', width: 160 },
          ]}
        />
      </Section>
    </>
  );
}
