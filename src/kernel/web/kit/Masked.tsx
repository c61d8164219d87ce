import { EyeOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { askReason } from '../feedback/dialogs.tsx';
import { failureText } from '../http/refusal.ts';
import { toastError } from '../feedback/toast.ts';
import { useMay } from '../session/store.ts';
import { NOTHING } from './values.tsx';

interface MaskedProps {
  /** The masked text of the list. */
  value: string | null | undefined;
  /** Who may see it in full. */
  permission: string | { code: string };
  /** Asks the server for the full value; the act and its reason are logged. */
  reveal(reason: string): Promise<string>;
  /** The call takes a reason, so the page asks for one. */
  withReason?: boolean;
}

/** A sensitive value: masked, and revealed on demand by who holds the permission. */
export function Masked({ value, permission, reveal, withReason = false }: MaskedProps) {
  const [full, setFull] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const may = useMay();
  if (!value) return <>{NOTHING}</>;
  const show = async () => {
    const reason = withReason ? await askReason({ title: '查看敏感信息', content: '查看完整信息会记入操作日志。', label: '查看原因' }) : '';
    if (reason === null) return;
    setBusy(true);
    try {
      setFull(await reveal(reason));
    } catch (error) {
      toastError(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className="kq-masked">
      <span className="kq-number">{full ?? value}</span>
      {full === null && may(permission) && (
        <button
          type="button"
          className="kq-link"
          disabled={busy}
          onClick={() => void show()}
          aria-label="查看完整信息"
          title="查看完整信息（记入操作日志）"
        >
          <EyeOutlined />
        </button>
      )}
    </span>
  );
}
