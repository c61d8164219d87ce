import { Alert, Button, Progress, Tabs } from 'antd';
import { useMemo, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { saveFile } from '#kernel/web/files/saveFile.ts';
import { useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { downloadImportResult, queryImportRowList } from '../../contract/calls/imports.ts';
import { importRowActions } from '../../contract/dictionaries.ts';
import { Counts } from './Counts.tsx';
import type { ImportTask } from './useImportTask.ts';

type Row = OutputOf<typeof queryImportRowList>;
interface FaultRow {
  key: string;
  rowNo: number;
  column: string;
  value: string;
  message: string;
}

const PAGE = 50;
const faultColumns: Column<FaultRow>[] = [
  { key: 'rowNo', title: '行号', kind: 'number', width: 80 },
  { key: 'column', title: '列', width: 150 },
  { key: 'value', title: '原值', width: 180 },
  { key: 'message', title: '原因', width: 320 },
];

const SORTS = [
  { label: '按行号', compare: (left: FaultRow, right: FaultRow) => left.rowNo - right.rowNo },
  { label: '按列', compare: (left: FaultRow, right: FaultRow) => left.column.localeCompare(right.column) || left.rowNo - right.rowNo },
  {
    label: '按原因',
    compare: (left: FaultRow, right: FaultRow) => left.message.localeCompare(right.message, 'zh') || left.rowNo - right.rowNo,
  },
] as const;

/** Cell faults of one severity, page by page. */
function Faults({ task, severity }: { task: ImportTask; severity: 'ERROR' | 'WARN' }) {
  const [pageNo, setPageNo] = useState(1);
  const [sort, setSort] = useState(0);
  const filter = severity === 'ERROR' ? { action: ['ERROR' as const] } : { hasError: true };
  const { rows, error, fetching, refetch } = useList(queryImportRowList, {
    importTaskId: task.importTaskId,
    ...filter,
    pageNo,
    pageSize: PAGE,
  });
  const faults = useMemo(
    () =>
      rows
        ?.flatMap((row: Row) =>
          row.errors
            .filter((fault) => fault.severity === severity)
            .map((fault, index): FaultRow => ({
              key: `${row.rowNo}:${index}`,
              rowNo: row.rowNo,
              column: `${fault.columnLetter}列 ${fault.columnLabel}`,
              value: fault.value,
              message: fault.message,
            })),
        )
        .toSorted(SORTS[sort]!.compare),
    [rows, severity, sort],
  );
  return (
    <>
      <div className="kq-toolbar">
        {SORTS.map(({ label }, index) => (
          <Button
            key={label}
            size="small"
            type={index === sort ? 'primary' : 'default'}
            ghost={index === sort}
            onClick={() => setSort(index)}
          >
            {label}
          </Button>
        ))}
      </div>
      <DataTable
        columns={faultColumns}
        rows={faults}
        rowKey="key"
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        height={320}
        empty={severity === 'ERROR' ? '没有错误' : '没有警告'}
        paging={{
          pageNo,
          pageSize: PAGE,
          total: severity === 'ERROR' ? task.errorRows : task.errorRows + task.warnRows,
          onChange: setPageNo,
        }}
      />
    </>
  );
}

/** Rows as they were read, with what they will do; changed cells before and after. */
export function Rows({ task, actions }: { task: ImportTask; actions: readonly ('NEW' | 'CHANGE' | 'SAME')[] }) {
  const [pageNo, setPageNo] = useState(1);
  const { rows, error, fetching, refetch } = useList(queryImportRowList, {
    importTaskId: task.importTaskId,
    action: [...actions],
    pageNo,
    pageSize: PAGE,
  });
  const columns = useMemo(
    (): Column<Row>[] => [
      { key: 'rowNo', title: '行号', kind: 'number', width: 70 },
      { key: 'action', title: '动作', kind: 'dict', dictionary: importRowActions, width: 80 },
      ...task.columns.map(({ key, label }): Column<Row> => ({
        key: `cell:${key}`,
        title: label,
        width: 140,
        kind: 'custom',
        render: ({ before, after, raw }) => {
          const now = after?.[key] ?? raw[key] ?? '';
          const was = before?.[key];
          if (was === undefined || was === now) return <span title={now}>{now}</span>;
          return (
            <span className="kq-change" title={`${was} → ${now}`}>
              <del>{was === '' ? '空' : was}</del> → <ins>{now === '' ? '空' : now}</ins>
            </span>
          );
        },
      })),
    ],
    [task.columns],
  );
  const counts = { NEW: task.newRows, CHANGE: task.changedRows, SAME: task.sameRows };
  return (
    <DataTable
      columns={columns}
      rows={rows}
      rowKey="rowNo"
      loading={fetching}
      error={error}
      onRetry={() => void refetch()}
      height={360}
      empty="没有这样的行"
      paging={{ pageNo, pageSize: PAGE, total: actions.reduce((total, action) => total + counts[action], 0), onChange: setPageNo }}
    />
  );
}

/** Step 3: counts, and what is wrong where. */
export function CheckStep({ task }: { task: ImportTask }) {
  if (task.state === 'VALIDATING') {
    return (
      <>
        <p>正在校验 {task.fileName}，可以关闭窗口，稍后在下载中心查看结果。</p>
        <Progress percent={Math.floor(task.progressBp / 100)} status="active" />
      </>
    );
  }
  const failed = task.state === 'FAILED' && task.errorMessage;
  return (
    <>
      {failed && <Alert type="error" showIcon title={task.errorMessage} />}
      {task.state === 'INVALID' && (
        <Alert
          type="error"
          showIcon
          title={`有${task.errorRows}行未通过校验（共${task.errorCells}处），请修改后重新上传`}
          action={
            <Button size="small" onClick={() => void saveFile(downloadImportResult, { importTaskId: task.importTaskId })}>
              下载标注文件
            </Button>
          }
        />
      )}
      {task.state === 'READY' && <Alert type="success" showIcon title="全部行通过校验，可以预览并提交" />}
      <Counts task={task} />
      <Tabs
        defaultActiveKey={task.errorRows > 0 ? 'error' : 'ok'}
        items={[
          { key: 'error', label: `错误 ${task.errorRows}`, children: <Faults task={task} severity="ERROR" /> },
          { key: 'warn', label: `警告 ${task.warnRows}`, children: <Faults task={task} severity="WARN" /> },
          { key: 'ok', label: `正确 ${task.okRows}`, children: <Rows task={task} actions={['NEW', 'CHANGE', 'SAME']} /> },
        ]}
      />
    </>
  );
}
