import { Facts, Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { DataTable } from '../../../../kernel/web/kit/DataTable.tsx';
import { PageLink } from '../../../../kernel/web/kit/PageLink.tsx';
import { Money, showRate } from '../../../../kernel/web/kit/values.tsx';
import { divisionName } from '../../../../kernel/web/session/divisions.ts';
import { productLines } from '../../../insurance/contract/businessLines.ts';
import type { PolicyDetail } from '../../contract/calls/policies.ts';
import { holderTypes, payModes, policyTypes, prorates } from '../../contract/dictionaries.ts';

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
        facts={[
          { label: '平台号', value: policy.platformNo },
          { label: '保司/企业', value: policy.insurerName },
          { label: '业务线', value: productLines.label(policy.productLine) },
          { label: '保单类型', value: policyTypes.label(policy.policyType) },
          { label: '产品', value: `${policy.productCode} ${policy.productName} V${policy.productVersionNo}` },
          { label: '保险期间', value: `${policy.coverageStart} 至 ${policy.coverageEnd}` },
          { label: '缴费方式', value: payModes.label(policy.payMode) },
          { label: '保费计算', value: prorates.label(policy.prorate) },
          { label: '宽限期', value: `${policy.graceDays}天` },
          { label: '退费手续费率', value: showRate(policy.refundFeeBp) },
          { label: '赔付后仍退费', value: policy.refundIfClaimed ? '是' : '否' },
          { label: '最多追溯天数', value: `${policy.maxBackdateDays}天` },
          { label: '地区', value: policy.adcode && divisionName(policy.adcode) },
          { label: '渠道', value: policy.channelName || null },
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
        ]}
      />
      <Facts
        title="投保人"
        facts={[
          { label: '投保人类型', value: holderTypes.label(policy.holderType) },
          { label: '投保人', value: policy.holderName },
          { label: '证件号', value: policy.holderIdNo },
          { label: '联系电话', value: policy.holderContact },
        ]}
      />
      <Facts
        title="保费与使用情况"
        facts={[
          { label: '应收', value: <Money fen={premium.collectFen} unit /> },
          { label: '应退', value: <Money fen={premium.refundFen} unit /> },
          { label: '应收保费', value: <Money fen={premium.premiumFen} unit /> },
          { label: '待审保费', value: <Money fen={premium.waitingFen} unit /> },
          { label: '已收保费', value: <Money fen={premium.receivedFen} unit /> },
          { label: '逾期订单', value: <span className={premium.overdue > 0 ? 'pol-wrong' : ''}>{premium.overdue}笔</span> },
          { label: '在保/申报人数', value: `${policy.insuredCount}/${policy.declaredCount}` },
          { label: '有效签约', value: `${uses.contracts}份` },
          { label: '在途理赔', value: `${uses.openClaims}件` },
          { label: '已赔付', value: <Money fen={uses.paidFen} unit /> },
        ]}
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
