import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useCommand } from '#kernel/web/http/queries.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryRecordAccessList, revealPatientField } from '../../contract/calls/sufferer.ts';
import type { RevealField } from '../../contract/dictionaries.ts';
import { patientPermissions } from '../../contract/permissions.ts';

interface RevealProps {
  patientId: string;
  field: RevealField;
  masked: string | null;
  contactId?: string;
}

/** A masked value that is shown plain for as long as the server says (60 s), then masked again. */
export function Reveal({ patientId, field, masked, contactId }: RevealProps) {
  const may = useMay();
  const [plain, setPlain] = useState<{ value: string; until: number } | null>(null);
  const [left, setLeft] = useState(0);
  const command = useCommand(revealPatientField, { refreshes: [queryRecordAccessList], blockMs: 300 });
  useEffect(() => {
    if (!plain) return undefined;
    const tick = () => {
      const seconds = Math.ceil((plain.until - performance.now()) / 1000);
      setLeft(seconds);
      if (seconds <= 0) setPlain(null);
    };
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [plain]);
  if (!masked) return <>{NOTHING}</>;
  const show = async () => {
    const answer = await command.run({ patientId, fields: [field], ...(contactId && { contactId }) });
    const value = answer?.data.values.find((one) => one.field === field)?.value;
    if (answer && value) setPlain({ value, until: performance.now() + answer.data.seconds * 1000 });
  };
  return (
    <span className="kq-masked">
      <span className="kq-number">{plain?.value ?? masked}</span>
      {plain ? (
        <button type="button" className="kq-link" onClick={() => setPlain(null)} aria-label="隐藏" title="立即隐藏">
          <EyeInvisibleOutlined /> {left}秒
        </button>
      ) : (
        may(patientPermissions['patient.reveal']) && (
          <button
            type="button"
            className="kq-link"
            disabled={command.flying}
            onClick={() => void show()}
            aria-label="明文查看"
            title="明文查看60秒（记入查看记录）"
          >
            <EyeOutlined />
          </button>
        )
      )}
    </span>
  );
}
