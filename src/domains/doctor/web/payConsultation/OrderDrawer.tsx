import { Button, Drawer, Skeleton } from 'antd';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Money, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { patientPermissions } from '#domains/patient/contract/permissions.ts';
import {
  queryPayConsultationList,
  queryPayConsultationDetail,
  type ConsultOrderRow,
  type ConsultRefundRow,
} from '../../contract/calls/consultOrders.ts';
import { billings, careKinds, closeReasons, payChannels, refundReasons } from '../../contract/dictionaries.ts';
import { consultOrderMachine, consultRefundMachine } from '../../contract/orderStates.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { auditConsultRefund } from '../../contract/calls/refunds.ts';
import { Countdown } from './Countdown.tsx';
import { refreshes, reveal } from './orderList.tsx';
import { calcText } from './RefundDialog.tsx';

const outcomes: Readonly<Record<string, string>> = {
  PAID: '已计入',
  AMOUNT: '金额不符，未计入',
  LATE: '关单后到账，已退回',
  TWICE: '重复到账，待处理',
};

/** One refund with its calculation and, for the second person, its decision. */
function Refund({ refund }: { refund: ConsultRefundRow }) {
  const audit = useCommand(auditConsultRefund, { success: '复核完成!', refreshes });
  const decide = async (action: 'approve' | 'reject') => {
    const opinion = await confirmWithOpinion({
      title: action === 'approve' ? '通过退款' : '驳回退款',
      content: action === 'approve' ? '通过后立即原路退回。' : `确定要驳回“${refund.refundNo}”吗?`,
      facts: [
        { label: '退款单', value: refund.refundNo },
        { label: '退款金额', value: <Money fen={refund.amountFen} unit /> },
        { label: '退款原因', value: refundReasons.label(refund.reason) },
      ],
      danger: action === 'reject',
      opinion: action === 'reject' ? 'required' : 'optional',
    });
    if (opinion !== null) await audit.run({ refundId: refund.id, action, ...(opinion && { opinion }) }, { idempotencyKey: newKey() });
  };
  return (
    <div style={{ borderBottom: '1px solid var(--kq-line, #e5e8ec)', padding: '8px 0' }}>
      <p style={{ margin: 0, display: 'flex', gap: 12, flexWrap: 'wrap', alignItems: 'center' }}>
        <b className="kq-number">{refund.refundNo}</b>
        <Dict of={consultRefundMachine.dictionary} code={refund.state} />
        <span>{refundReasons.label(refund.reason)}</span>
        <b>
          <Money fen={refund.amountFen} unit />
        </b>
        <Can permission={may['consult.refundAudit']}>
          {refund.allowedActions.includes('approve') && (
            <>
              <Button size="small" type="primary" disabled={audit.busy} onClick={() => void decide('approve')}>
                通过
              </Button>
              <Button size="small" danger disabled={audit.busy} onClick={() => void decide('reject')}>
                驳回
              </Button>
            </>
          )}
        </Can>
      </p>
      <p className="kq-muted" style={{ margin: '4px 0 0' }}>
        {calcText(refund.calc)}
      </p>
      <p className="kq-muted" style={{ margin: '2px 0 0' }}>
        {refund.makerName} 于 <Time at={refund.createdAt} /> 申请{refund.opinion ? `：${refund.opinion}` : ''}
        {refund.checkerName ? `；${refund.checkerName} 复核${refund.checkOpinion ? `：${refund.checkOpinion}` : ''}` : ''}
        {refund.failReason ? `；失败原因：${refund.failReason}` : ''}
        {refund.patientNote ? `；对患者说明：${refund.patientNote}` : ''}
      </p>
    </div>
  );
}

/** One order: money, service, refunds, notices, timeline. */
export function OrderDrawer({ id, onClose, onRefund }: { id: string; onClose(): void; onRefund(order: ConsultOrderRow): void }) {
  const { data, error, refetch } = useData(queryPayConsultationDetail, { id }, { quiet: true });
  const allowed = useMay();
  const order = data?.order;
  const quota = data?.item.quotaReplies;
  return (
    <Drawer
      open
      size={860}
      title={
        order ? (
          <>
            付费咨询 {order.orderNo} <Dict of={consultOrderMachine.dictionary} code={order.state} />
          </>
        ) : (
          '付费咨询'
        )
      }
      onClose={onClose}
      footer={
        order &&
        data.allowedActions.includes('refund') &&
        order.payFen !== order.refundedFen && (
          <div className="kq-detail-actions">
            <Button danger onClick={() => onRefund(order)}>
              退款
            </Button>
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !order ? (
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : (
        <>
          <Section title="订单">
            <Facts
              facts={factsIn(queryPayConsultationList.output, order, [
                {
                  key: 'patientName',
                  value: (
                    <>
                      <Masked value={order.patientName} permission={may['sensitive.reveal']} reveal={() => reveal('patientName')(order)} />
                      {'　'}
                      {allowed(patientPermissions['patient.view']) && <PatientLink patientId={order.patientId}>打开档案</PatientLink>}
                    </>
                  ),
                },
                {
                  key: 'patientMobile',
                  value: (
                    <Masked
                      value={order.patientMobile}
                      permission={may['sensitive.reveal']}
                      reveal={() => reveal('patientMobile')(order)}
                    />
                  ),
                },
                { key: 'doctorName', value: `${order.doctorName}（${order.doctorNo}）` },
                {
                  key: 'assistantName',
                  value: order.assistantName ? `${order.assistantName}${data.overload ? '（超负荷分配）' : ''}` : null,
                },
                { key: 'channelName', value: order.channelName ?? '自然流量' },
                { label: '代表', value: data.agentName },
                'priceFen',
                {
                  label: '优惠',
                  value: (
                    <>
                      {order.discountSource === 'VIP' && 'VIP '}
                      <Money fen={order.discountFen} unit />
                      {order.budgetUsedUp && '（预算已用完）'}
                    </>
                  ),
                },
                {
                  label: '实付',
                  value: (
                    <b>
                      <Money fen={order.payFen} unit />
                    </b>
                  ),
                },
                'payChannel',
                { label: '渠道交易号', value: data.channelTradeNo },
                'refundedFen',
                'createdAt',
                'paidAt',
                { label: '倒计时', value: <Countdown row={order} /> },
                'slotAt',
                { label: '接诊时间', value: <Time at={data.acceptedAt} /> },
                { label: '首次回复', value: <Time at={order.firstReplyAt} /> },
                { label: '完成时间', value: <Time at={data.completedAt} /> },
                ...(order.closeReason ? [{ label: '关闭原因', value: closeReasons.label(order.closeReason) }] : []),
              ])}
            />
          </Section>
          <Section title="服务（下单时）">
            <Facts
              facts={[
                { label: '项目', value: `${data.item.itemName}（${data.item.itemCode}）` },
                { label: '性质', value: careKinds.label(data.item.careKind) },
                { label: '计费', value: billings.label(data.item.billing) },
                {
                  label: '时效',
                  value: `接诊 ${data.item.acceptHours} 小时 / 首响 ${data.item.replyHours} 小时 / 有效 ${data.item.validHours} 小时`,
                },
                { label: '已用回合', value: quota ? `${data.usedReplies} / ${quota}` : data.usedReplies },
                { label: '周期', value: data.item.periodDays ? `${data.item.periodDays} 天` : NOTHING },
              ]}
            />
          </Section>
          <Section title={`退款（${data.refunds.length}）`}>
            {data.refunds.length === 0 ? (
              <p className="kq-muted">没有退款</p>
            ) : (
              data.refunds.map((refund) => <Refund key={refund.id} refund={refund} />)
            )}
          </Section>
          {data.notices.length > 0 && (
            <Section title="到账记录">
              {data.notices.map((notice) => (
                <p key={`${notice.channelTradeNo}${notice.outcome}`} style={{ margin: '4px 0' }}>
                  <Time at={notice.at} /> {payChannels.label(notice.payChannel)} {notice.channelTradeNo}{' '}
                  <Money fen={notice.amountFen} unit />{' '}
                  <span className={notice.outcome === 'PAID' ? 'kq-muted' : 'kq-danger'}>{outcomes[notice.outcome]}</span>
                </p>
              ))}
            </Section>
          )}
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={consultOrderMachine} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
