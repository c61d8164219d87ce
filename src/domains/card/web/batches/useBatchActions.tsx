import { Button, Modal } from 'antd';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { saveFile } from '#kernel/web/files/saveFile.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import type { Layers } from '#kernel/web/kit/useLayers.tsx';
import {
  auditBatch,
  batchDetails,
  closeBatch,
  exportBatchSecret,
  generateBatch,
  queryBatchList,
  revealBatchPassword,
  submitBatch,
  voidBatch,
  type BatchRow,
} from '../../contract/calls/batches.ts';

const refreshes = [queryBatchList, batchDetails];
const done = { success: '操作成功!', refreshes } as const;

/** The password of a file of secrets, this once. */
function PasswordShown({ password, onClose }: { password: string; onClose(): void }) {
  const close = (
    <Button type="primary" onClick={onClose}>
      已记下
    </Button>
  );
  return (
    <Modal open title="卡密文件密码" footer={close} closable={false} mask={{ closable: false }}>
      <p>只显示这一次，关闭后不能再查看：</p>
      <p>
        <code>{password}</code>
      </p>
    </Modal>
  );
}

/** What may be done with a batch, in a list and over its details. */
export function useBatchActions(layers: Pick<Layers, 'open'>): readonly RowAction<BatchRow>[] {
  const submit = useCommand(submitBatch, done);
  const audit = useCommand(auditBatch, done);
  const generate = useCommand(generateBatch, { success: '已开始生成', refreshes });
  const close = useCommand(closeBatch, done);
  const annul = useCommand(voidBatch, done);
  const reveal = useCommand(revealBatchPassword, { refreshes });
  const target = ({ id, version }: BatchRow) => ({ batchId: id, version });
  const can =
    (...names: readonly string[]) =>
    ({ allowedActions }: BatchRow) =>
      names.some((name) => allowedActions.includes(name));
  const facts = (row: BatchRow) =>
    factsIn(queryBatchList.output, row, ['batchNo', 'typeName', 'medium', 'quantity', 'faceAmount', 'totalAmount', 'createdBy']);
  const opinionOf = (title: string, row: BatchRow, opinion: 'required' | 'optional' = 'required') =>
    confirmWithOpinion({ title, content: `确定要${title}“${row.batchNo}”吗?`, facts: facts(row), opinion, danger: title.includes('作废') });
  const decide = async (row: BatchRow, decision: 'approve' | 'reject') => {
    const stage = row.status === 'PENDING_SECOND' ? 'SECOND' : 'FIRST';
    const title = decision === 'reject' ? '驳回' : stage === 'SECOND' ? '复审批准' : '批准';
    const opinion = await opinionOf(title, row, decision === 'reject' || stage === 'SECOND' ? 'required' : 'optional');
    if (opinion !== null) await audit.run({ ...target(row), stage, decision, opinion });
  };
  const takeSecrets = async (row: BatchRow) => {
    const opinion = await opinionOf('导出卡密', row);
    if (opinion === null) return;
    await saveFile(exportBatchSecret, { ...target(row), opinion }, { success: '已下载，文件密码请向审批人索取' });
    void refresh(...refreshes);
  };
  const askPassword = async (row: BatchRow) => {
    const sure = await ask({
      title: '查看文件密码',
      content: '每次导出的文件各有密码，只显示一次，请在可以立即告知使用人时查看。确定要查看吗?',
    });
    if (!sure) return;
    const answer = await reveal.run({ batchId: row.id });
    if (answer) layers.open((shut) => <PasswordShown password={answer.data.password} onClose={shut} />);
  };
  return [
    {
      label: '提交审批',
      when: can('submit'),
      act: async (row) => {
        if (await ask({ title: '提交审批', content: `确定要提交“${row.batchNo}”吗?`, facts: facts(row) })) await submit.run(target(row));
      },
    },
    { label: '批准', when: can('approve', 'approveSecond'), act: (row) => decide(row, 'approve') },
    { label: '驳回', danger: true, when: can('reject', 'rejectSecond'), act: (row) => decide(row, 'reject') },
    {
      label: '制卡',
      when: can('generate'),
      act: async (row) => {
        if (await ask({ title: '制卡', content: `确定要制作“${row.batchNo}”的 ${row.quantity} 张卡吗?`, facts: facts(row) }))
          await generate.run(target(row));
      },
    },
    { label: '导出卡密', when: can('export'), act: takeSecrets },
    {
      label: '查看文件密码',
      when: can('reveal'),
      act: askPassword,
    },
    {
      label: '关闭批次',
      when: can('close'),
      act: async (row) => {
        const opinion = await opinionOf('关闭批次', row);
        if (opinion !== null) await close.run({ ...target(row), opinion });
      },
    },
    {
      label: '作废批次',
      danger: true,
      when: can('void'),
      act: async (row) => {
        const opinion = await opinionOf('作废批次', row);
        if (opinion !== null) await annul.run({ ...target(row), opinion });
      },
    },
  ];
}
