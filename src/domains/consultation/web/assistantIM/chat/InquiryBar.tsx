import { useCommand } from '#kernel/web/http/queries.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { Money, Time } from '#kernel/web/kit/values.tsx';
import { auditInquiry, remindDoctor } from '../../../contract/calls/inquiry.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { endReasons, refundStates, serviceTypes } from '../../../contract/dictionaries.ts';
import { inquiryMachine } from '../../../contract/states.ts';
import type { Inquiry } from '../desk/facts.ts';
import { clockText } from '../desk/sla.ts';
import { useDesk, useDeskState, useNow } from '../desk/useDesk.ts';
import { openDialog } from '../dialogs/open.ts';
import { Failed } from '../Failed.tsx';

const until = (instant: string, now: number) => clockText((Date.parse(instant) - now) / 1000);

/** What runs down in this state: the time to accept, to answer, to end; rounds; video. */
function limitText(inquiry: Inquiry, now: number): string {
  const { serverStatus } = inquiry;
  const parts: string[] = [];
  if (serverStatus === '1' && inquiry.acceptDueAt) parts.push(`接诊剩余 ${until(inquiry.acceptDueAt, now)}`);
  if ((serverStatus === '2' || serverStatus === '3') && inquiry.expireAt) parts.push(`剩余 ${until(inquiry.expireAt, now)}`);
  if (serverStatus === '3' && inquiry.endConfirmDueAt) parts.push(`${until(inquiry.endConfirmDueAt, now)} 后自动结束`);
  if (inquiry.roundLimit > 0 && (serverStatus === '2' || serverStatus === '3'))
    parts.push(`第${Math.min(inquiry.roundUsed + 1, inquiry.roundLimit)}/${inquiry.roundLimit}轮`);
  if (inquiry.videoSecLimit > 0 && (serverStatus === '2' || serverStatus === '3'))
    parts.push(`视频剩余 ${clockText(inquiry.videoSecLimit - inquiry.videoSecUsed)}`);
  return parts.join(' · ');
}

/** State of the inquiry, what is left of it, and its actions. */
export function InquiryBar({ group }: { group: GroupRow }) {
  const desk = useDesk();
  const section = useDeskState((state) => state.chat?.sections.inquiry);
  const mode = useDeskState((state) => state.chat?.chosen.mode);
  const now = useNow();
  const changed = () => desk.changed(group.groupId);
  const audit = useCommand(auditInquiry, { blockMs: 1000, onSuccess: changed });
  const remind = useCommand(remindDoctor, { success: 'message' });
  const inquiry = section?.state === 'ready' ? (section.data as Inquiry) : null;
  if (!inquiry)
    return (
      <div className="im-inquiry kq-muted">
        {section?.state === 'failed' && <Failed what="问诊信息" error={section.error} onRetry={() => desk.retry('inquiry')} />}
      </div>
    );
  const { serverId, serverStatus, version } = inquiry;
  if (serverId === null || serverStatus === null || version === null)
    return <div className="im-inquiry kq-muted">{group.kind === 'DESK' ? '导诊会话，尚未转给医生' : '暂无问诊'}</div>;
  const can = (action: string) => mode === 'MEMBER' && inquiry.allowedActions.includes(action);
  const act = (action: 'accept' | 'requestEnd', done: string) =>
    void audit.run({ serverId, action, version }).then((answer) => answer && toast(done));
  return (
    <div className="im-inquiry">
      <div className="im-inquiry-facts" title={`问诊编号 ${inquiry.inquiryNo ?? ''}`}>
        <span className={`kq-dict kq-dict-${inquiryMachine.dictionary.tone(serverStatus)}`}>
          {inquiryMachine.dictionary.label(serverStatus)}
        </span>
        <span>{inquiry.serviceName ?? (inquiry.serviceType && serviceTypes.label(inquiry.serviceType))}</span>
        {inquiry.feeFen !== null && <Money fen={Number(inquiry.feeFen)} unit />}
        <b className="kq-number">{limitText(inquiry, now)}</b>
        {inquiry.slotAt && (
          <span>
            预约 <Time at={inquiry.slotAt} />
          </span>
        )}
        {inquiry.endReason && <span className="kq-muted">{endReasons.label(inquiry.endReason)}</span>}
        {inquiry.refundState && inquiry.refundState !== 'NONE' && (
          <span className={`kq-dict kq-dict-${refundStates.tone(inquiry.refundState)}`}>{refundStates.label(inquiry.refundState)}</span>
        )}
        <span className="im-no kq-muted kq-number">{inquiry.inquiryNo}</span>
      </div>
      {can('accept') && (
        <button type="button" className="im-act im-act-main" disabled={audit.busy} onClick={() => act('accept', '已代接诊')}>
          接诊
        </button>
      )}
      {mode === 'MEMBER' && (serverStatus === '1' || serverStatus === '2') && (
        <button type="button" className="im-act" disabled={remind.busy} onClick={() => void remind.run({ serverId })}>
          提醒医生
        </button>
      )}
      {can('requestEnd') && (
        <button type="button" className="im-act" disabled={audit.busy} onClick={() => act('requestEnd', '已申请结束，等待患者确认')}>
          申请结束
        </button>
      )}
      {can('end') && (
        <button type="button" className="im-act im-act-danger" onClick={() => openDialog({ kind: 'end', inquiry, groupId: group.groupId })}>
          结束问诊
        </button>
      )}
      {can('refuse') && (
        <button
          type="button"
          className="im-act im-act-danger"
          onClick={() => openDialog({ kind: 'refuse', inquiry, groupId: group.groupId })}
        >
          退诊
        </button>
      )}
      {can('cancel') && (
        <button
          type="button"
          className="im-act im-act-danger"
          onClick={() => openDialog({ kind: 'cancel', inquiry, groupId: group.groupId })}
        >
          取消问诊
        </button>
      )}
      {can('extend') && (
        <button type="button" className="im-act" onClick={() => openDialog({ kind: 'extend', inquiry, groupId: group.groupId })}>
          延长时长
        </button>
      )}
      {can('reopen') && (
        <button type="button" className="im-act" onClick={() => openDialog({ kind: 'reopen', inquiry, groupId: group.groupId })}>
          恢复问诊
        </button>
      )}
    </div>
  );
}
