import { Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { UnboundField } from '../../../../kernel/web/form/UnboundField.tsx';
import { send } from '../../../../kernel/web/http/client.ts';
import { refresh } from '../../../../kernel/web/http/queries.ts';
import { failureText } from '../../../../kernel/web/http/refusal.ts';
import { BatchResult, type RowOutcome } from '../../../../kernel/web/list/BatchResult.tsx';
import { auditFinding, type FindingRow } from '../../contract/calls/abnormal.ts';
import { findingRefreshes } from './findingList.tsx';
import { OwnerSelect } from './OwnerSelect.tsx';
import { namedFinding } from './useFindingActions.tsx';

/** 批量转派: all ticked findings to one person, with a result row by row. */
export function TransferMany({ rows, onClose, onDone }: { rows: readonly FindingRow[]; onClose(): void; onDone(): void }) {
  const [toUserId, setToUserId] = useState<string | undefined>();
  const [note, setNote] = useState('');
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const [running, setRunning] = useState(false);
  const start = async () => {
    if (toUserId === undefined) return toast('请选择责任人', 'warning');
    if (note.trim() === '') return toast('请填写说明', 'warning');
    setRunning(true);
    const done: RowOutcome[] = [];
    for (const row of rows) {
      const name = namedFinding(row);
      if (!row.allowedActions.includes('transfer')) done.push({ name, ok: false, message: '当前状态不能转派，或不是责任人，已跳过' });
      else
        try {
          await send(auditFinding, { id: row.id, version: row.version, action: 'transfer', toUserId, note }, { quiet: true });
          done.push({ name, ok: true, message: '成功' });
        } catch (error) {
          done.push({ name, ok: false, message: failureText(error) });
        }
      setOutcomes([...done]);
    }
    setRunning(false);
    void refresh(...findingRefreshes);
    onDone();
  };
  if (outcomes) return <BatchResult title="批量转派" outcomes={outcomes} running={running} total={rows.length} onClose={onClose} />;
  return (
    <Modal
      open
      title={`批量转派（${rows.length}条）`}
      onCancel={onClose}
      onOk={() => void start()}
      okText="转派"
      cancelText="取消"
      confirmLoading={running}
      mask={{ closable: false }}
      destroyOnHidden
    >
      <Form layout="vertical">
        <UnboundField label="责任人" required>
          <OwnerSelect {...(toUserId !== undefined && { value: toUserId })} onChange={setToUserId} />
        </UnboundField>
        <UnboundField label="说明" required>
          <Input.TextArea rows={2} maxLength={500} showCount value={note} onChange={({ target }) => setNote(target.value)} />
        </UnboundField>
      </Form>
    </Modal>
  );
}
