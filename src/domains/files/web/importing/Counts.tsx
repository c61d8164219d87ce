import type { ImportTask } from './useImportTask.ts';

/** What the check found. */
export function Counts({ task }: { task: ImportTask }) {
  const entries: [string, number, string?][] = [
    ['总行数', task.totalRows],
    ['正确', task.okRows, 'kq-success'],
    ['错误', task.errorRows, task.errorRows > 0 ? 'kq-error' : undefined],
    ['警告', task.warnRows, task.warnRows > 0 ? 'kq-warning' : undefined],
    ['新增', task.newRows],
    ['变更', task.changedRows],
    ['无变化', task.sameRows],
  ].map(([label, count, tone]) => [String(label), Number(count), tone as string | undefined]);
  return (
    <div className="kq-import-counts">
      {entries.map(([label, count, tone]) => (
        <div key={label}>
          <span className="kq-muted">{label}</span>
          <b className={tone ?? ''}>{count.toLocaleString('en-US')}</b>
        </div>
      ))}
    </div>
  );
}
