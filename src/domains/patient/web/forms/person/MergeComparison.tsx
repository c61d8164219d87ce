import { Alert, Skeleton } from 'antd';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { previewPatientMerge } from '../../../contract/calls/merge.ts';

type Preview = AnswerOf<typeof previewPatientMerge>;

/** What two records say, side by side; differences marked. */
export function useMergePreview(fromId: string, intoId: string | null, scope: 'MAKE' | 'AUDIT') {
  return useData(previewPatientMerge, { fromId, intoId: intoId ?? '0', scope }, { quiet: true, enabled: intoId !== null });
}

export function MergeComparison({ preview, error, onRetry }: { preview: Preview | undefined; error: unknown; onRetry(): void }) {
  if (error) return <TableFailure error={error} onRetry={onRetry} />;
  if (!preview) return <Skeleton active paragraph={{ rows: 8 }} />;
  return (
    <>
      {preview.refusal && <Alert type="error" showIcon className="kq-form-alert" title={preview.refusal} />}
      {preview.bothRecent && <Alert type="warning" showIcon className="kq-form-alert" title="两份档案均有近期登录，请确认保留的登录账号" />}
      <p>{preview.evidence.length > 0 ? `一致：${preview.evidence.join('、')}` : '没有一致的标识，请仔细核对'}</p>
      <table className="pa-grid">
        <thead>
          <tr>
            <th>项目</th>
            <th>被合并 {preview.from.patientNo}</th>
            <th>保留 {preview.into.patientNo}</th>
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row) => (
            <tr key={row.field} className={row.same ? '' : 'pa-differs'}>
              <td>{row.label}</td>
              <td>{row.from ?? '—'}</td>
              <td>{row.into ?? '—'}</td>
            </tr>
          ))}
          {preview.counts.map((row) => (
            <tr key={row.label}>
              <td>{row.label}</td>
              <td>{row.from}</td>
              <td>{row.into}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
