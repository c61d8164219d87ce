import { Alert, Button, Drawer, Form } from 'antd';
import { useState } from 'react';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { listTargets, type ListTarget } from '../../contract/batchDictionaries.ts';
import { modifyInsuredBatchRow, queryInsuredBatchDetail, type BatchListRow } from '../../contract/calls/batches.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { batchReads } from './useBatchActions.ts';

interface Props {
  batchId: string;
  row: BatchListRow;
  onClose(): void;
}

/** One row of a list, its cells corrected in place; it is checked again at once. */
export function RowEditor({ batchId, row: first, onClose }: Props) {
  const [row, setRow] = useState(first);
  const [values, setValues] = useState<Partial<Record<ListTarget, string>>>({});
  const detail = useData(queryInsuredBatchDetail, { batchId }, { quiet: true });
  const batch = detail.data;
  const modify = useCommand(modifyInsuredBatchRow, { refreshes: batchReads });
  const targets = batch?.layout.columns.map(({ target }) => target) ?? row.cells.map(({ target }) => target);
  const save = async () => {
    if (!batch) return;
    const answer = await modify.run({ batchId, version: batch.version, rowId: row.id, values });
    if (!answer) return;
    setValues({});
    setRow(answer.data.row);
    if (answer.data.row.errors.length === 0) onClose();
  };
  return (
    <Drawer
      open
      title={`第${row.rowNo ?? '—'}行 ${row.name}`}
      size={560}
      onClose={onClose}
      footer={
        <div className="kq-form-foot">
          <span />
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" loading={modify.flying} disabled={!batch || Object.keys(values).length === 0} onClick={() => void save()}>
            更正并校验
          </Button>
        </div>
      }
    >
      {detail.error && !batch && <Waiting for={detail} />}
      {row.errors
        .filter(({ column }) => column === null)
        .map(({ code, message }) => (
          <Alert key={code} type="error" showIcon title={`${code} ${message}`} />
        ))}
      <Form layout="vertical">
        {targets.map((target) => {
          const cell = row.cells.find((one) => one.target === target);
          const fault = row.errors.find(({ column }) => column === target);
          return (
            <Form.Item
              key={target}
              label={`${listTargets.label(target)}${cell?.corrected ? '（已更正）' : ''}`}
              {...(fault && { validateStatus: 'error' as const, help: `${fault.code} ${fault.message}` })}
            >
              <TextInput
                aria-label={listTargets.label(target)}
                value={values[target] ?? cell?.value ?? ''}
                most={200}
                onChange={(event) => setValues({ ...values, [target]: event.target.value })}
              />
            </Form.Item>
          );
        })}
      </Form>
    </Drawer>
  );
}
