import { useMemo } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportIncentiveFactList, queryIncentiveFactList } from '../../contract/calls/incentive.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';

const facts = resource(queryIncentiveFactList, {
  routeKey: 'IncentiveItroduction.facts',
  empty: '还没有激励事实，医生完成任务后自动计入，或导入激励事实',
  filters: ['doctorName', 'taskType', 'sourceNo', 'state'],
  columns: [
    { key: 'sourceNo', required: true },
    'doctorName',
    { key: 'taskType', plain: true },
    'taskName',
    { key: 'sourceType', plain: true },
    'occurredAt',
    'itemCount',
    'paidCount',
    'grossFen',
    'incomeNo',
    'state',
  ],
});

/** 发放明细: everything that was told of a programme, and what became of it. */
export function ProgramFacts({ programId }: { programId: string }) {
  const fixed = useMemo(() => ({ programId }), [programId]);
  return (
    <ResourceList
      of={facts}
      fixed={fixed}
      toolbar={(view) => <ExportButton call={exportIncentiveFactList} view={view} permission={may['program.export']} />}
    />
  );
}
