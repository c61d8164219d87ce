import type { ReactNode } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import type { queryMaterialDetail } from '../../contract/materials/calls.ts';
import { reviewMachine, revisionMachine, verdictLabels, type EditState, type ReviewState } from '../../contract/materials/review.ts';

// Materials and questionnaires are reviewed alike: how their drawers show where they stand and what was handed in.

/** State of the content in use, and of the version beside it. */
export function ReviewStates({ of }: { of: { state: ReviewState; editState: EditState } }) {
  return (
    <>
      <Dict of={reviewMachine.dictionary} code={of.state} />
      {of.state !== of.editState && of.editState !== 'NONE' && <Dict of={revisionMachine.dictionary} code={of.editState} />}
    </>
  );
}

/** The version in use beside the one that waits. */
export function BothVersions<T>({ current, draft, show }: { current: T | null; draft: T | null; show(version: T): ReactNode }) {
  return (
    <div className="kq-form-pair">
      {current && (
        <section>
          <h3>使用中的版本</h3>
          {show(current)}
        </section>
      )}
      {draft && (
        <section>
          <h3>{current ? '修改后的版本' : '待启用的内容'}</h3>
          {show(draft)}
        </section>
      )}
    </div>
  );
}

type Submitted = OutputOf<typeof queryMaterialDetail>['versions'][number];
const columns: readonly Column<Submitted>[] = [
  { key: 'seq', title: '版本', width: 70, value: (version) => `V${version.seq}` },
  { key: 'verdict', title: '结果', width: 90, value: (version) => verdictLabels[version.verdict] },
  { key: 'submittedByName', title: '提交人', width: 100 },
  { key: 'submittedAt', title: '提交时间', kind: 'time' },
  { key: 'auditorName', title: '审核人', width: 100 },
  { key: 'auditedAt', title: '审核时间', kind: 'custom', width: 150, render: (version) => <Time at={version.auditedAt} /> },
  { key: 'forbiddenHits', title: '谨慎用词', width: 120, value: (version) => version.forbiddenHits.join('、') },
  { key: 'opinion', title: '意见', width: 200 },
];

/** What was handed in, and what became of it. */
export const SubmittedVersions = ({ rows }: { rows: readonly Submitted[] }) => (
  <DataTable rows={rows} height="auto" empty="还没有提交过审核" columns={columns} />
);
