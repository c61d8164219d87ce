import { useState } from 'react';
import { confirmVisitRecord } from '../../../contract/calls/participants.ts';
import { visitRecordMachine, type VisitRecordState } from '../../../contract/states.ts';
import { sendMine } from '../access.ts';
import { useAction } from '../useAction.ts';
import { Sheet, type SheetProps } from './Sheet.tsx';

/** 就诊小结: the patient reads it, the doctor confirms it or gives it back. */
export default function VisitRecord({ group, inquiry, onClose, onMoved }: SheetProps) {
  const { record } = inquiry;
  const [back, setBack] = useState(false);
  const [words, setWords] = useState('');
  const { busy, fault, setFault, run } = useAction();
  if (!record)
    return (
      <Sheet title="就诊小结" onClose={onClose}>
        <p className="wx-muted">暂无就诊小结</p>
      </Sheet>
    );
  const answer = async (action: 'confirm' | 'back') => {
    if (action === 'back' && words.trim().length < 2) return setFault('请填写退回意见（至少2个字）');
    const done = await run(() =>
      sendMine(confirmVisitRecord, { id: record.id, version: record.version, action, ...(action === 'back' && { opinion: words.trim() }) }),
    );
    onMoved();
    if (done) onClose();
  };
  const mayAnswer = group.userRole === 'DOCTOR' && record.state === 'WAIT_DOCTOR';
  const footer = back ? (
    <>
      <button type="button" className="wx-plain" onClick={() => setBack(false)}>
        返回
      </button>
      <button type="button" className="wx-primary" disabled={busy} onClick={() => void answer('back')}>
        退回
      </button>
    </>
  ) : (
    <>
      <button type="button" className="wx-plain" onClick={() => setBack(true)}>
        退回修改
      </button>
      <button type="button" className="wx-primary" disabled={busy} onClick={() => void answer('confirm')}>
        确认
      </button>
    </>
  );
  const row = (label: string, value: string | null) => (
    <div className="wx-fact">
      <dt>{label}</dt>
      <dd>{value || '—'}</dd>
    </div>
  );
  return (
    <Sheet title="就诊小结" onClose={onClose} footer={mayAnswer && footer}>
      {group.userRole === 'DOCTOR' && <p className="wx-muted">{visitRecordMachine.states[record.state as VisitRecordState].label}</p>}
      <dl>
        {row('主诉', record.chiefComplaint)}
        {row('现病史', record.presentIllness)}
        {row('初步诊断', record.diagnoses.map(({ name, main }) => (main ? `${name}（主）` : name)).join('、'))}
        {row('处理意见', record.advice)}
        {row('复诊日期', record.revisitOn)}
      </dl>
      {back && (
        <textarea
          className="wx-field"
          rows={3}
          autoFocus
          placeholder="请填写退回意见"
          aria-label="退回意见"
          value={words}
          onChange={(event) => (setWords(event.target.value), setFault(null))}
        />
      )}
      {fault && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
    </Sheet>
  );
}
