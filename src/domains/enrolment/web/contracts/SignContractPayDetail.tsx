import { lazy, Suspense } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { auditContractRefund, auditOfflinePay, queryContractPayDetail, syncContractPay } from '../../contract/calls/contractPays.ts';
import { contractMachine, contractPayMachine, contractRefundMachine } from '../../contract/contractStates.ts';
import { payPermissions as may } from '../../contract/permissions.ts';
import { CopyLink } from './CopyLink.tsx';
import { calcText } from './texts.ts';
import { contractReads } from './reads.ts';

const RegisterForm = lazy(async () => ({ default: (await import('./RegisterForm.tsx')).RegisterForm }));
const RefundForm = lazy(async () => ({ default: (await import('./RefundForm.tsx')).RefundForm }));
const PayBackForm = lazy(async () => ({ default: (await import('./PayBackForm.tsx')).PayBackForm }));
const ProofPreview = lazy(async () => ({ default: (await import('./ProofPreview.tsx')).ProofPreview }));
const address = { contractId: param.optional() };

type Detail = OutputOf<typeof queryContractPayDetail>;
type Pay = Detail['pays'][number];
type Refund = Detail['refunds'][number];
const { pays: paysOut, refunds: refundsOut, notices: noticesOut, contract: contractOut } = queryContractPayDetail.output.shape;
const payColumns = columnsOf<Pay>(paysOut.def.element, [
  { key: 'payNo', required: true },
  'amountFen',
  'refundedFen',
  'channel',
  'channelTradeNo',
  'payerName',
  'paidAt',
  'expireAt',
  'flag',
  { key: 'makerName', hidden: true },
  { key: 'checkerName', hidden: true },
  'state',
]);
const refundColumns = columnsOf<Refund>(refundsOut.def.element, [
  { key: 'refundNo', required: true },
  'payNo',
  'amountFen',
  'reason',
  'makerName',
  'checkerName',
  'channelRefundNo',
  'refundedAt',
  'createdAt',
  'state',
]);
const noticeColumns = columnsOf<Detail['notices'][number]>(noticesOut.def.element, [
  { key: 'payNo', required: true },
  'channel',
  'channelTradeNo',
  'amountFen',
  'paidAt',
  'source',
  'outcome',
  'at',
]);

const payFacts = (pay: Pay) =>
  factsIn(paysOut.def.element, pay, ['payNo', 'amountFen', 'channel', 'payerName', 'channelTradeNo', 'paidAt', 'makerName']);
const refundFacts = (refund: Refund) => [
  ...factsIn(refundsOut.def.element, refund, ['refundNo', 'payNo', 'amountFen', 'reason', 'makerName']),
  { label: '计算依据', value: calcText(refund.calc) },
];

function Content({ contractId }: { contractId: string }) {
  const layers = useLayers();
  const { data, error, loading, refetch } = useData(queryContractPayDetail, { contractId }, { quiet: true });
  const refreshes = contractReads;
  const sync = useCommand(syncContractPay, { success: '操作成功!', refreshes });
  const auditPay = useCommand(auditOfflinePay, { success: '修改成功!', refreshes });
  const auditRefund = useCommand(auditContractRefund, { success: '修改成功!', refreshes });
  usePageTitle(data && `支付 ${data.contract.contractNo}`);

  const judgePay = async (pay: Pay, decision: 'approve' | 'reject') => {
    const { label: title } = contractPayMachine.transitions[decision];
    const content =
      decision === 'approve' ? `确定支付单${pay.payNo}的款项已到账吗?` : `确定驳回支付单${pay.payNo}的线下登记吗? 驳回后须重新登记。`;
    const opinion = await askTransition(contractPayMachine, decision, { title, content }, payFacts(pay));
    if (opinion !== null) await auditPay.run({ payId: pay.id, version: pay.version, decision, opinion });
  };
  const judgeRefund = async (refund: Refund, decision: 'approve' | 'reject') => {
    if (decision === 'approve' && refund.byHand) return layers.open((close) => <PayBackForm refund={refund} onClose={close} />);
    const opinion = await askTransition(contractRefundMachine, decision, `退款单${refund.refundNo}`, refundFacts(refund));
    if (opinion !== null) await auditRefund.run({ refundId: refund.id, version: refund.version, decision, opinion });
  };
  const proof = (ownerType: string, ownerId: string, file: NonNullable<Pay['proof']>) =>
    layers.open((close) => <ProofPreview ownerType={ownerType} ownerId={ownerId} file={file} onClose={close} />);
  const payActions: readonly RowAction<Pay>[] = [
    { label: '查询结果', when: ({ state }) => state === 'PENDING' || state === 'UNKNOWN', act: ({ id }) => sync.run({ payId: id }) },
    {
      label: '登记线下支付',
      permission: may['pay.refund'],
      when: ({ allowedActions }) => allowedActions.includes('register'),
      act: (pay) => layers.open((close) => <RegisterForm pay={pay} onClose={close} />),
    },
    {
      label: '复核到账',
      permission: may['pay.refundAudit'],
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      act: (pay) => judgePay(pay, 'approve'),
    },
    {
      label: '驳回登记',
      permission: may['pay.refundAudit'],
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('reject'),
      act: (pay) => judgePay(pay, 'reject'),
    },
    {
      label: '申请退款',
      permission: may['pay.refund'],
      when: ({ mayRefund }) => mayRefund,
      act: (pay) => layers.open((close) => <RefundForm pay={pay} onClose={close} />),
    },
    {
      label: '查看凭证',
      when: ({ proof: file }) => file !== null,
      act: ({ id, proof: file }) => file !== null && proof('enrolment.contractPay', id, file),
    },
  ];
  const refundActions: readonly RowAction<Refund>[] = [
    {
      label: '同意退款',
      permission: may['pay.refundAudit'],
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      act: (refund) => judgeRefund(refund, 'approve'),
    },
    {
      label: '驳回',
      permission: may['pay.refundAudit'],
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('reject'),
      act: (refund) => judgeRefund(refund, 'reject'),
    },
    {
      label: '查看凭证',
      when: ({ proof: file }) => file !== null,
      act: ({ id, proof: file }) => file !== null && proof('enrolment.contractRefund', id, file),
    },
  ];
  const link = data?.pays.find((pay) => pay.link !== null)?.link;
  return (
    <DetailLayout
      title={data && `支付详情 ${data.contract.contractNo}`}
      state={data && <Dict of={contractMachine.dictionary} code={data.contract.state} />}
      subtitle={data && `${data.contract.insuredName}　${data.contract.productName}`}
      loading={loading}
      error={error}
      onRetry={() => void refetch()}
      actions={
        <PageLink to="/signContractListDetail" search={{ contractId }}>
          查看合同
        </PageLink>
      }
    >
      {data && (
        <>
          <Facts columns={4} facts={factsIn(contractOut, data.contract, ['feeFen', 'paidFen', 'refundedFen', 'refundingFen'])} />
          <Section title="支付">
            {link != null && (
              <p>
                支付链接 <CopyLink link={link} />
              </p>
            )}
            <DataTable
              columns={payColumns}
              rows={data.pays}
              actions={payActions}
              height="auto"
              empty={data.contract.feeFen > 0 ? '还没有支付单，签署后生成' : '该合同没有需要支付的费用'}
            />
          </Section>
          <Section title="退款">
            <DataTable columns={refundColumns} rows={data.refunds} actions={refundActions} height="auto" empty="没有退款" />
          </Section>
          <Section title="到账记录">
            <DataTable columns={noticeColumns} rows={data.notices} height="auto" empty="没有收到过款项" />
          </Section>
        </>
      )}
      <Suspense fallback={null}>{layers.shown}</Suspense>
    </DetailLayout>
  );
}

/** /signContractPayDetail 签约支付详情 `?contractId=`. */
export default function SignContractPayDetail() {
  const [{ contractId }] = useAddress(address);
  if (!contractId)
    return (
      <div className="kq-empty">
        缺少单据编号<PageLink to="/signContractList">返回签约合同</PageLink>
      </div>
    );
  return <Content key={contractId} contractId={contractId} />;
}
