import { Form, Modal } from 'antd';
import { useState } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { batchTransferFinding, MOST_TRANSFERRED, type FindingRow } from '../../contract/calls/abnormal.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { findingRefreshes } from './findingList.tsx';
import { OwnerSelect } from './OwnerSelect.tsx';
import { namedFinding } from './useFindingActions.tsx';

/** 批量转派: all ticked findings to one person, with a result row by row. */
export function TransferMany({ rows, onClose, onDone }: { rows: readonly FindingRow[]; onClose(): void; onDone(): void }) {
  const [toUserId, setToUserId] = useState<string | undefined>();
  const [note, setNote] = useState('');
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const { run, flying } = useCommand(batchTransferFinding, { refreshes: findingRefreshes });
  const start = async () => {
    if (toUserId === undefined) return toast('请选择责任人', 'warning');
    if (note.trim() === '') return toast('请填写说明', 'warning');
    const fit = rows.filter(({ allowedActions }) => allowedActions.includes('transfer'));
    const results = new Map<string, Pick<RowOutcome, 'ok' | 'message'>>();
    for (let at = 0; at < fit.length; at += MOST_TRANSFERRED) {
      const items = fit.slice(at, at + MOST_TRANSFERRED).map(({ id, version }) => ({ id, version }));
      const answer = await run({ items, toUserId, note });
      // What is wrong with the wish itself stands in the message; nothing of this part was done.
      if (!answer) break;
      for (const { id, ok, message } of answer.data) results.set(id, { ok, message });
    }
    if (fit.length > 0 && results.size === 0) return;
    setOutcomes(
      rows.map((row) => {
        const answered = results.get(row.id);
        const left = row.allowedActions.includes('transfer') ? '未处理，请重试' : '当前状态不能转派，或不是责任人，已跳过';
        return { name: namedFinding(row), ok: answered?.ok ?? false, message: answered?.message ?? left };
      }),
    );
    onDone();
  };
  if (outcomes) return <BatchResult title="批量转派" outcomes={outcomes} running={false} total={rows.length} onClose={onClose} />;
  return (
    <Modal
      open
      title={`批量转派（${rows.length}条）`}
      onCancel={onClose}
      onOk={() => void start()}
      okText="转派"
      cancelText="取消"
      confirmLoading={flying}
      mask={{ closable: false }}
      destroyOnHidden
    >
      <Form layout="vertical">
        <UnboundField label="责任人" required>
          <OwnerSelect {...(toUserId !== undefined && { value: toUserId })} onChange={setToUserId} />
        </UnboundField>
        <UnboundField label="说明" required>
          <TextArea rows={2} most={500} showCount value={note} onChange={({ target }) => setNote(target.value)} />
        </UnboundField>
      </Form>
    </Modal>
  );
}
