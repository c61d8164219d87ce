import { Alert, Form, Select, Space } from 'antd';
import * as z from 'zod/mini';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditPanel } from '#kernel/web/audit/AuditPanel.tsx';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { leaseText, useCaseLease } from '#kernel/web/audit/lease.ts';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { useVerdict, verdictTitle, type VerdictOption } from '#kernel/web/audit/verdict.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay, useSession } from '#kernel/web/session/store.ts';
import {
  auditPremiumOrder,
  claimNextPremiumOrder,
  heartbeatPremiumOrder,
  queryPremiumOrderDetail,
  releasePremiumOrder,
  takeoverPremiumOrder,
} from '../../contract/calls/premium.ts';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { premiumMachine, rejectReasons, SECOND_FROM } from '../../contract/premiumStates.ts';
import { Vouchers } from '../shared/Vouchers.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { Comparison, differs, OrderFacts, OrderItems } from './OrderParts.tsx';
import { premiumRefreshes as refreshes } from './premiumList.tsx';

type Decision = 'approve' | 'reject';
const options: readonly VerdictOption<Decision>[] = [
  { value: 'approve', label: '通过', keys: 'Alt+Y' },
  { value: 'reject', label: '驳回', keys: 'Alt+R', danger: true },
];
/** What was written of an order and not decided yet. */
const workSchema = z.object({ reasons: z.array(rejectReasons.schema), opinion: z.string() });
type Work = z.output<typeof workSchema>;
const NO_WORK: Work = { reasons: [], opinion: '' };

interface AuditDeskProps {
  premiumOrderId: string;
  queue: readonly string[];
  onGo(id: string | undefined): void;
  /** An order was decided: the next one is asked for. */
  onDecided(): void;
}

/** One premium order: vouchers, comparison with the computed lines, verdict; kept for one auditor at a time. */
export function AuditDesk({ premiumOrderId, queue, onGo, onDecided }: AuditDeskProps) {
  const me = useSession(({ userId }) => userId);
  const allowed = useMay();
  const verdict = useVerdict<Decision>(premiumOrderId);
  const [work, setWork] = useCaseState(premiumOrderId, NO_WORK, {
    as: 'policy.premiumOrder',
    read: (stored) => workSchema.safeParse(stored).data,
  });
  const { data, again, panel } = useAuditDesk({
    caseId: premiumOrderId,
    queue,
    call: queryPremiumOrderDetail,
    inputOf: (id) => ({ premiumOrderId: id }),
    none: '没有更多待审核的保费订单',
    onGo,
  });
  const claim = useCommand(claimNextPremiumOrder, { blockMs: 0, onSuccess: again });
  const release = useCommand(releasePremiumOrder, { refreshes, success: '操作成功!' });
  const takeover = useCommand(takeoverPremiumOrder, { success: '操作成功!', onSuccess: again });
  const audit = useCommand(auditPremiumOrder, { refreshes, blockMs: 300 });
  const waits = data?.state === 'PENDING_AUDIT';
  const lease = data?.lease ? { displayName: data.lease.displayName, until: data.lease.until, mine: data.lease.userId === me } : null;
  const { held, release: giveBack } = useCaseLease({
    data:
      data && data.id === premiumOrderId
        ? { id: data.id, state: !waits ? data.state : lease ? 'REVIEWING' : 'PENDING', mine: data.makerId === me, lease }
        : undefined,
    allowed: allowed(may['premium.audit']),
    claim: (id) => void claim.run({ id }),
    release: (id) =>
      void release.run({ id }).then((answer) => {
        if (!answer) return;
        setWork(NO_WORK);
        onGo(undefined);
      }),
    beat: (id) => send(heartbeatPremiumOrder, { id }, { quiet: true }),
    onLost: again,
  });
  const submit = async (action: Decision) => {
    if (!data || !held) return;
    if (action === 'reject' && work.reasons.length === 0) return toast('请选择驳回原因', 'warning');
    if (action === 'reject' && work.opinion.trim() === '') return toast('请填写驳回意见', 'warning');
    const answer = await audit.run({
      id: data.id,
      version: data.version,
      action,
      opinion: work.opinion,
      ...(action === 'reject' && { rejectReasons: work.reasons }),
    });
    if (!answer) return again();
    setWork(NO_WORK);
    toast(answer.data.state === 'PENDING_SECOND' ? '审核通过，已转财务复核!' : '审核完成!');
    onDecided();
  };
  const takeOver = async () => {
    const opinion = await confirmWithOpinion({
      title: '接管审核',
      content: `接管后，${lease?.displayName ?? '原审核人'}不能再审核该订单。`,
      facts: data ? factsIn(queryPremiumOrderDetail.output, data, ['premiumOrderNo', 'holderName', 'amountFen', 'maker']) : [],
    });
    if (opinion !== null) await takeover.run({ id: premiumOrderId, opinion });
  };
  const actions = [
    ...(held ? [{ label: '退回', keys: 'B', disabled: release.busy, act: giveBack }] : []),
    ...(waits && lease && !lease.mine && allowed(may['premium.supervise'])
      ? [{ label: '接管', keys: 'T', act: () => void takeOver() }]
      : []),
  ];
  return (
    <AuditPanel
      {...panel}
      open
      title={data ? `保费订单 ${data.premiumOrderNo}` : '保费订单审核'}
      state={
        data && (
          <Space>
            <Dict of={premiumMachine.dictionary} code={data.state} />
            <span className="kq-muted">{leaseText(lease)}</span>
            {data.makerId === me && <span className="kq-muted">本人经办，不能审核</span>}
          </Space>
        )
      }
      actions={actions}
      {...(held && {
        decision: { verdict, options, submit: (action: Decision) => void submit(action), busy: audit.busy, sending: audit.flying },
      })}
      evidence={
        data && (
          <>
            <h3>凭证与保司文件</h3>
            <Vouchers ownerType="policy.premiumOrder" ownerId={data.id} />
            <p>
              <PageLink to="/policyManage" search={{ policyId: data.policyId, view: 'endorsement' }}>
                查看保单与批单
              </PageLink>
            </p>
            <p className="kq-muted">
              {data.maker} {showInstant(data.createdAt)} 生成
            </p>
          </>
        )
      }
      facts={
        data && (
          <>
            {differs(data) && <Alert type="error" showIcon title="重算金额与订单不符，请驳回或退回经办人重新生成" />}
            <OrderFacts order={data} />
            <Comparison order={data} />
            <OrderItems order={data} />
          </>
        )
      }
      verdict={
        data && (
          <>
            {waits && BigInt(data.amountFen) >= SECOND_FROM && <Alert type="info" showIcon title="金额达到100万元，通过后由财务复核" />}
            {held && (
              <Form layout="vertical">
                <h3>审核结论：{verdictTitle({ verdict, options })}</h3>
                {verdict.chosen === 'reject' && (
                  <UnboundField label="驳回原因" required>
                    <Select
                      mode="multiple"
                      className="kq-wide"
                      placeholder="请选择"
                      value={work.reasons}
                      options={rejectReasons.options.map(({ value, label }) => ({ value, label }))}
                      onChange={(reasons) => setWork((now) => ({ ...now, reasons }))}
                    />
                  </UnboundField>
                )}
                <UnboundField label="意见" required={verdict.chosen === 'reject'}>
                  <TextArea
                    rows={3}
                    most={500}
                    showCount
                    value={work.opinion}
                    onChange={({ target }) => setWork((now) => ({ ...now, opinion: target.value }))}
                  />
                </UnboundField>
              </Form>
            )}
          </>
        )
      }
      timeline={
        <>
          <h3>处理记录</h3>
          <AuditTimeline rows={data?.timeline} machine={premiumMachine} />
        </>
      }
    />
  );
}
