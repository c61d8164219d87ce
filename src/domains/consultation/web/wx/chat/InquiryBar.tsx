import { useState } from 'react';
import { auditMyInquiry, changeMyDoctor } from '../../../contract/calls/participants.ts';
import { serviceTypes } from '../../../contract/dictionaries.ts';
import { inquiryMachine } from '../../../contract/states.ts';
import { sendMine, type Group } from '../access.ts';
import type { Inquiry, SheetName } from '../sheets/Sheet.tsx';
import { Sheet } from '../sheets/Sheet.tsx';
import { showLeft } from '../time.ts';
import { useAction } from '../useAction.ts';

type Action = 'accept' | 'refuse' | 'requestEnd' | 'end' | 'continue' | 'confirmEnd' | 'cancel';
const LABELS: Readonly<Record<string, string>> = {
  accept: '接诊',
  refuse: '退诊',
  requestEnd: '申请结束',
  end: '结束问诊',
  continue: '继续问诊',
  confirmEnd: '确认结束',
  cancel: '取消问诊',
  rate: '评价',
  again: '重新咨询',
  change: '换医生',
};
const QUESTIONS: Readonly<Partial<Record<Action, string>>> = {
  end: '结束后患者将不能继续发言，确定结束本次问诊？',
  confirmEnd: '确认结束后将不能继续发言，确定结束本次问诊？',
  cancel: '确定取消本次问诊？费用将原路退回。',
  requestEnd: '将请患者确认结束，12小时未回应则自动结束。确定申请？',
};
const MAIN: ReadonlySet<string> = new Set(['accept', 'continue', 'rate', 'again']);

/** State, what is left of time and rounds, and the buttons of this role. */
export function InquiryBar({
  group,
  inquiry,
  onMoved,
  onSheet,
}: {
  group: Group;
  inquiry: Inquiry;
  onMoved(): void;
  onSheet(sheet: SheetName): void;
}) {
  const [asked, setAsked] = useState<Action | null>(null);
  const { busy, fault, setFault, run } = useAction();
  const { serverId, serverStatus, version } = inquiry;
  if (serverId === null || serverStatus === null || version === null) return null;
  const take = async (action: Action) => {
    const done = await run(() => sendMine(auditMyInquiry, { serverId, version, action }));
    if (done) setAsked(null);
    onMoved();
  };
  const change = () => run(async () => location.assign((await sendMine(changeMyDoctor, { groupId: group.groupId })).url));
  const press = (action: string) => {
    if (action === 'rate') return onSheet({ name: 'rate' });
    if (action === 'refuse' || action === 'again') return onSheet({ name: action });
    if (action === 'change') return void change();
    if (action in QUESTIONS) return (setFault(null), setAsked(action as Action));
    return void take(action as Action);
  };
  const facts = [
    inquiry.serviceType && serviceTypes.label(inquiry.serviceType),
    inquiry.remainSec !== null && `剩余${showLeft(inquiry.remainSec)}`,
    inquiry.roundLimit > 0 && `第${inquiry.roundUsed}/${inquiry.roundLimit}轮`,
  ].filter(Boolean);
  const actions = inquiry.allowedActions.filter((action) => action in LABELS);
  const { label, tone } = inquiryMachine.dictionary;
  return (
    <div className="wx-bar">
      <span className={`wx-tag wx-tag-${tone(serverStatus)}`}>{label(serverStatus)}</span>
      <span className="wx-muted">{facts.join(' · ')}</span>
      <span className="wx-bar-actions">
        {inquiry.record && group.userRole === 'PATIENT' && (
          <button type="button" className="wx-small" onClick={() => onSheet({ name: 'record' })}>
            就诊小结
          </button>
        )}
        {group.userRole === 'DOCTOR' && inquiry.record?.state === 'WAIT_DOCTOR' && (
          <button type="button" className="wx-small wx-main" onClick={() => onSheet({ name: 'record' })}>
            确认就诊小结
          </button>
        )}
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            disabled={busy}
            className={MAIN.has(action) ? 'wx-small wx-main' : 'wx-small'}
            onClick={() => press(action)}
          >
            {LABELS[action]}
          </button>
        ))}
      </span>
      {fault && !asked && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
      {asked && (
        <Sheet
          title={LABELS[asked]!}
          onClose={() => setAsked(null)}
          footer={
            <>
              <button type="button" className="wx-plain" onClick={() => setAsked(null)}>
                再想想
              </button>
              <button type="button" className="wx-primary" disabled={busy} onClick={() => void take(asked)}>
                确定
              </button>
            </>
          }
        >
          <p>{QUESTIONS[asked]}</p>
          {fault && (
            <p className="wx-fault" role="alert">
              {fault}
            </p>
          )}
        </Sheet>
      )}
    </div>
  );
}
