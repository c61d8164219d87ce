import { Alert, Button, Form } from 'antd';
import { useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import {
  addReverseBatch,
  auditInsuredBatch,
  queryInsuredBatchDetail,
  queryInsuredBatchUndo,
  type BatchDetail,
} from '../../contract/calls/batches.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { batchReads } from './useBatchActions.ts';
import '../shared/policy.css';
import './batches.css';

interface Blocked {
  rowId: string;
  rowNo: number | null;
  name: string;
  reason: string;
}
const columns: readonly Column<Blocked>[] = [
  { key: 'rowNo', title: '行号', width: 80 },
  { key: 'name', title: '被保人', width: 120 },
  { key: 'reason', title: '原因', width: 380 },
];

/** Whether a list can be taken back as a whole now: one asks, another confirms with the code that he was given. */
export function UndoPart({ batch, onShow }: { batch: BatchDetail; onShow(batch: { id: string }): void }) {
  const query = useData(queryInsuredBatchUndo, { batchId: batch.id }, { quiet: true });
  const audit = useCommand(auditInsuredBatch, { success: '操作成功!', refreshes: batchReads });
  const reverse = useCommand(addReverseBatch, { success: '操作成功!', refreshes: batchReads });
  const [token, setToken] = useState<string | null>(null);
  const [given, setGiven] = useState('');
  const { data } = query;
  if (query.error) return <TableFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!data) return <Waiting for={query} />;
  const batchVersion = { batchId: batch.id, version: batch.version };
  const facts = factsIn(queryInsuredBatchDetail.output, batch, [
    'batchNo',
    'insurerName',
    'policyNos',
    'addRows',
    'modifyRows',
    'removeRows',
    'premiumDeltaFen',
  ]);
  const askFor = async () => {
    const opinion = await confirmWithOpinion({
      title: '申请整批撤销',
      content: `撤销“${batch.batchNo}”的全部${batch.changingRows}行，保障与保费恢复到生效前。须由另一人用确认码确认。`,
      facts,
      danger: true,
    });
    if (opinion === null) return;
    const answer = await audit.run({ ...batchVersion, action: 'askUndo', opinion });
    if (answer) setToken(answer.data.confirmToken);
  };
  const confirm = async () => {
    const opinion = await confirmWithOpinion({
      title: '确认整批撤销',
      content: `确认撤销“${batch.batchNo}”，申请人${batch.undoAsked?.by ?? ''}。`,
      facts,
      danger: true,
    });
    if (opinion !== null) await audit.run({ ...batchVersion, action: 'undo', opinion, confirmToken: given.trim() });
  };
  const without = async () => {
    if (!(await ask({ title: '生成冲正批次', content: `不含下列${data.rows.length}行，其余行按相反方向生成新批次。`, facts }))) return;
    const answer = await reverse.run({ ...batchVersion, excludeRowIds: data.rows.map(({ rowId }) => rowId) });
    if (answer) onShow({ id: answer.data.id });
  };
  return (
    <>
      {data.hindrances.length === 0 ? (
        <Alert type="success" showIcon title="目前可以整批撤销" />
      ) : (
        data.hindrances.map(({ code, message }) => <Alert key={code} type="error" showIcon title={message} />)
      )}
      {data.rows.length > 0 && <DataTable columns={columns} rows={data.rows} rowKey="rowId" height={360} />}
      {batch.undoAsked && (
        <Alert
          type="info"
          showIcon
          title={`${batch.undoAsked.by}于${showInstant(batch.undoAsked.at)}申请整批撤销：${batch.undoAsked.reason}。请另一人在24小时内用确认码确认`}
        />
      )}
      {token !== null && <Alert type="warning" showIcon title={`确认码 ${token}，只显示一次，请告知确认人`} />}
      <Can permission={may['batch.undo']}>
        <div className="pol-actions">
          {data.hindrances.length === 0 && batch.allowedActions.includes('askUndo') && (
            <Button danger loading={audit.flying} onClick={() => void askFor()}>
              申请整批撤销
            </Button>
          )}
          {data.rows.length > 0 && <Button onClick={() => void without()}>生成不含这些行的冲正批次</Button>}
        </div>
        {batch.undoAsked && batch.allowedActions.includes('undo') && (
          <Form layout="inline">
            <Form.Item label="确认码">
              <TextInput aria-label="确认码" value={given} most={20} onChange={(event) => setGiven(event.target.value)} />
            </Form.Item>
            <Button danger type="primary" disabled={given.trim() === ''} loading={audit.flying} onClick={() => void confirm()}>
              确认整批撤销
            </Button>
          </Form>
        )}
      </Can>
    </>
  );
}
