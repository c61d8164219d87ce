import { lazy, useMemo } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  acceptBatchWarning,
  excludeInsuredBatchRow,
  queryInsuredBatchRowList,
  type BatchDetail,
  type BatchListRow,
} from '../../contract/calls/batches.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { batchReads } from './useBatchActions.ts';

const RowEditor = lazy(async () => ({ default: (await import('./RowEditor.tsx')).RowEditor }));

const cellOf = ({ cells }: BatchListRow, target: string) => cells.find((cell) => cell.target === target)?.value ?? '';
/** A cell of the sheet, red where it is wrong, with what is wrong of it. */
const shown = (row: BatchListRow, target: string) => {
  const fault = row.errors.find(({ column }) => column === target);
  return fault ? (
    <span className="pol-cell-bad" title={fault.message}>
      {cellOf(row, target) || '（空）'}
    </span>
  ) : (
    cellOf(row, target) || '—'
  );
};

const rows = resource(queryInsuredBatchRowList, {
  routeKey: 'inventoryListManagement:rows',
  empty: '没有符合条件的清单行',
  filters: ['keyword', 'result', 'hasWarning', 'code'],
  columns: [
    { key: 'rowNo', required: true, render: ({ rowNo }) => rowNo ?? '—' },
    { key: 'name', required: true, render: (row) => shown(row, 'name') },
    { key: 'certificate', title: '证件号', width: 180, render: (row) => shown(row, 'idNo') },
    { key: 'mobile', title: '手机号', width: 120, render: (row) => shown(row, 'mobile') },
    'policyNo',
    { key: 'planCode', render: (row) => shown(row, 'planCode') },
    'effectiveOn',
    'leaveOn',
    'premiumFen',
    'backdated',
    {
      key: 'said',
      title: '校验结果',
      width: 320,
      render: ({ errors, warnings, warnAccepted, note }) =>
        [
          ...errors.map(({ code, message }) => `${code} ${message}`),
          ...warnings.map(({ code, message }) => `${code} ${message}${warnAccepted ? '（已确认）' : ''}`),
          note,
        ]
          .filter((one) => one !== '')
          .join('；') || '—',
    },
    'result',
  ],
});

/** Rows of a list as the sheet has them; corrected in place while the list is open. */
export function BatchRows({ batch }: { batch: BatchDetail }) {
  const layers = useLayers();
  const fixed = useMemo(() => ({ batchId: batch.id }), [batch.id]);
  const accept = useCommand(acceptBatchWarning, { success: '操作成功!', refreshes: batchReads });
  const exclude = useCommand(excludeInsuredBatchRow, { success: '操作成功!', refreshes: batchReads });
  const batchVersion = { batchId: batch.id, version: batch.version };
  const open = batch.state === 'HAS_ERROR' || batch.state === 'PREVIEW';
  const edit = (row: BatchListRow) => layers.open((close) => <RowEditor batchId={batch.id} row={row} onClose={close} />);
  return (
    <>
      <ResourceList
        of={rows}
        fixed={fixed}
        actions={[
          {
            label: '更正',
            permission: may['batch.import'],
            when: ({ rowNo, result }) => open && rowNo !== null && result !== 'EXCLUDED',
            act: edit,
          },
          {
            label: '剔除',
            permission: may['batch.import'],
            danger: true,
            when: ({ result }) => open && result !== 'EXCLUDED',
            act: async (row) => {
              const note = await confirmWithOpinion({
                title: '剔除',
                content: `剔除“${row.name}”，该行不会生效。`,
                facts: factsIn(queryInsuredBatchRowList.output, row, ['rowNo', 'policyNo', 'result', 'planCode', 'premiumFen']),
                label: '剔除说明',
                danger: true,
              });
              if (note !== null) await exclude.run({ ...batchVersion, rowIds: [row.id], note });
            },
          },
          {
            label: '确认提示',
            permission: may['batch.import'],
            when: ({ warnings, warnAccepted, result }) =>
              open && warnings.length > 0 && !warnAccepted && result !== 'EXCLUDED' && result !== 'ERROR',
            act: (row) => accept.run({ ...batchVersion, what: 'ROWS', rowIds: [row.id] }),
          },
        ]}
        toolbar={(view) => {
          const next = view.rows.find(({ result }) => result === 'ERROR');
          return <NextError row={open ? next : undefined} onOpen={edit} />;
        }}
      />
      {layers.shown}
    </>
  );
}

/** F8 opens the first row that is still wrong. */
function NextError({ row, onOpen }: { row: BatchListRow | undefined; onOpen(row: BatchListRow): void }) {
  useKeys([{ keys: 'F8', label: '下一处错误', act: () => row && onOpen(row) }]);
  return row ? <span className="kq-muted">F8 更正第{row.rowNo ?? '—'}行</span> : null;
}
