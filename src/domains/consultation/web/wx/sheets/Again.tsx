import { useState } from 'react';
import { addMyInquiry } from '../../../contract/calls/participants.ts';
import { sendMine } from '../access.ts';
import { useAction } from '../useAction.ts';
import { Sheet, type SheetProps } from './Sheet.tsx';

const LEAST = 5;

/** 重新咨询: the same service of the same doctor once more; what costs something is paid first. */
export default function Again({ group, inquiry, onClose, onMoved }: SheetProps) {
  const [words, setWords] = useState('');
  const { busy, fault, setFault, run } = useAction();
  const submit = async () => {
    if (words.trim().length < LEAST) return setFault('主诉至少填写5个字');
    await run(async () => {
      const { payUrl } = await sendMine(addMyInquiry, { groupId: group.groupId, chiefComplaint: words.trim() });
      if (payUrl !== null) return location.assign(payUrl);
      onMoved();
      onClose();
    });
  };
  return (
    <Sheet
      title="重新咨询"
      onClose={onClose}
      footer={
        <button type="button" className="wx-primary" disabled={busy} onClick={() => void submit()}>
          去咨询
        </button>
      }
    >
      <p>
        {group.doctorName}医生 · {inquiry.serviceName}
      </p>
      <textarea
        className="wx-field"
        rows={4}
        autoFocus
        placeholder="请描述您的不适（至少5个字）"
        aria-label="主诉"
        value={words}
        onChange={(event) => (setWords(event.target.value), setFault(null))}
      />
      {fault && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
    </Sheet>
  );
}
