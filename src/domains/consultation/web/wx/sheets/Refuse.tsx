import { useState } from 'react';
import { auditMyInquiry } from '../../../contract/calls/participants.ts';
import { closeReasons } from '../../../contract/dictionaries.ts';
import { sendMine } from '../access.ts';
import { useAction } from '../useAction.ts';
import { Sheet, type SheetProps } from './Sheet.tsx';

type Reason = (typeof closeReasons.codes)[number];
const OFFERED: readonly Reason[] = ['C01', 'C02', 'C03', 'C04', 'C99'];

/** 退诊: why, and what the patient reads; the fee goes back. */
export default function Refuse({ inquiry, onClose, onMoved }: SheetProps) {
  const [reason, setReason] = useState<Reason | ''>('');
  const [words, setWords] = useState('');
  const { busy, fault, setFault, run } = useAction();
  const submit = async () => {
    if (reason === '') return setFault('请选择退诊原因');
    const done = await run(() =>
      sendMine(auditMyInquiry, {
        serverId: inquiry.serverId ?? '',
        version: inquiry.version ?? 0,
        action: 'refuse',
        reasonCode: reason,
        ...(words.trim().length >= 2 && { opinion: words.trim() }),
      }),
    );
    onMoved();
    if (done) onClose();
  };
  return (
    <Sheet
      title="退诊"
      onClose={onClose}
      footer={
        <button type="button" className="wx-primary wx-danger" disabled={busy} onClick={() => void submit()}>
          确定退诊
        </button>
      }
    >
      <p className="wx-muted">退诊后问诊费用将原路退回患者。</p>
      <div className="wx-tags">
        {OFFERED.map((code) => (
          <button
            key={code}
            type="button"
            aria-pressed={reason === code}
            className={reason === code ? 'wx-chip wx-on' : 'wx-chip'}
            onClick={() => (setReason(code), setFault(null))}
          >
            {closeReasons.label(code)}
          </button>
        ))}
      </div>
      <textarea
        className="wx-field"
        rows={3}
        placeholder="对患者说明（选填）"
        aria-label="对患者说明"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {fault && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
    </Sheet>
  );
}
