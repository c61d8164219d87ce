import { Input, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { auditInquiry, modifyServiceStatusChange } from '../../../contract/calls/inquiry.ts';
import { closeReasons } from '../../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import type { Inquiry } from '../desk/facts.ts';
import { useDesk } from '../desk/useDesk.ts';
import { closeDialog } from './open.ts';

interface DialogProps {
  kind: 'end' | 'refuse' | 'cancel' | 'extend' | 'reopen';
  inquiry: Inquiry;
  groupId: string;
}

/** What ends, refuses, extends or revives an inquiry. */
export function InquiryDialog({ kind, inquiry, groupId }: DialogProps) {
  if (kind === 'end') return <EndDialog inquiry={inquiry} groupId={groupId} />;
  if (kind === 'extend') return <ExtendDialog inquiry={inquiry} groupId={groupId} />;
  if (kind === 'reopen') return <ReopenDialog inquiry={inquiry} groupId={groupId} />;
  return <CloseDialog kind={kind} inquiry={inquiry} groupId={groupId} />;
}

type Props = Omit<DialogProps, 'kind'>;

function EndDialog({ inquiry, groupId }: Props) {
  const desk = useDesk();
  const mayDo = useMay();
  return (
    <FormDialog<typeof modifyServiceStatusChange, object>
      open
      call={modifyServiceStatusChange}
      width={420}
      success="问诊已结束"
      submitText="结束问诊"
      onClose={closeDialog}
      toInput={() => ({
        serviceId: inquiry.serverId ?? '',
        doctorId: inquiry.doctorId ?? '',
        suffererId: inquiry.suffererId ?? '',
        serviceStatus: '4',
      })}
      onDone={() => {
        desk.changed(groupId);
        if (mayDo(may['visit.view'])) goTo('/visitRecords', { serverId: inquiry.serverId ?? '', view: 'record' });
      }}
    >
      <p>结束后患者将不能继续发言，可在24小时内由主管恢复，确定结束本次问诊？</p>
    </FormDialog>
  );
}

function CloseDialog({ kind, inquiry, groupId }: Props & { kind: 'refuse' | 'cancel' }) {
  const desk = useDesk();
  const isRefusal = kind === 'refuse';
  const fee = Number(inquiry.feeFen ?? 0);
  return (
    <FormDialog<typeof auditInquiry, { reasonCode: (typeof closeReasons.codes)[number]; opinion: string }>
      open
      title={isRefusal ? '退诊' : '取消问诊'}
      call={auditInquiry}
      width={480}
      success={isRefusal ? '已退诊' : '问诊已取消'}
      submitText={isRefusal ? '退诊' : '取消问诊'}
      onClose={closeDialog}
      toInput={({ reasonCode, opinion }) => ({
        serverId: inquiry.serverId ?? '',
        version: inquiry.version ?? 0,
        action: kind,
        reasonCode,
        opinion,
      })}
      onDone={() => desk.changed(groupId)}
    >
      {inquiry.serverStatus === '0' ? (
        <p className="kq-muted">尚未支付，取消后订单关闭。</p>
      ) : (
        <p>
          将原路退还患者 <b className="kq-number">¥{yuan(fee, true)}</b>
          {fee === 0 && '（免费问诊，无退款）'}
        </p>
      )}
      <Field of={auditInquiry} name="reasonCode" label={isRefusal ? '退诊原因' : '取消原因'} required>
        <Select options={closeReasons.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      <Field of={auditInquiry} name="opinion" label="对患者说明" required>
        <Input.TextArea rows={3} showCount />
      </Field>
    </FormDialog>
  );
}

function ExtendDialog({ inquiry, groupId }: Props) {
  const desk = useDesk();
  return (
    <FormDialog<typeof auditInquiry, { hours: number | null; rounds: number | null; opinion: string }>
      open
      title="延长时长 / 加赠轮次"
      call={auditInquiry}
      width={480}
      success="已延长"
      onClose={closeDialog}
      initial={{ hours: 24, rounds: 0 }}
      toInput={({ hours, rounds, opinion }) => ({
        serverId: inquiry.serverId ?? '',
        version: inquiry.version ?? 0,
        action: 'extend',
        hours: hours ?? 0,
        rounds: rounds ?? 0,
        opinion,
      })}
      onDone={() => desk.changed(groupId)}
    >
      <p className="kq-muted">医助仅可延长一次，且不超过24小时、3轮；超出须由主管操作。</p>
      <Field of={auditInquiry} name="hours" label="延长小时">
        <NumberInput min={0} max={72} precision={0} suffix="小时" className="kq-wide" />
      </Field>
      <Field
        of={auditInquiry}
        name="rounds"
        extra={inquiry.roundLimit === 0 ? '本次问诊不限轮次' : `已用 ${inquiry.roundUsed}/${inquiry.roundLimit} 轮`}
      >
        <NumberInput min={0} max={10} precision={0} suffix="轮" className="kq-wide" disabled={inquiry.roundLimit === 0} />
      </Field>
      <Field of={auditInquiry} name="opinion" label="原因" required>
        <Input.TextArea rows={2} showCount />
      </Field>
    </FormDialog>
  );
}

function ReopenDialog({ inquiry, groupId }: Props) {
  const desk = useDesk();
  return (
    <FormDialog<typeof auditInquiry, { opinion: string }>
      open
      title="恢复问诊"
      call={auditInquiry}
      width={440}
      success="问诊已恢复"
      onClose={closeDialog}
      toInput={({ opinion }) => ({ serverId: inquiry.serverId ?? '', version: inquiry.version ?? 0, action: 'reopen', opinion })}
      onDone={() => desk.changed(groupId)}
    >
      <p>恢复后患者可继续发言，至少保留12小时。</p>
      <Field of={auditInquiry} name="opinion" label="恢复原因" required />
    </FormDialog>
  );
}
