import { Button } from 'antd';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  assignFinding,
  closeFinding,
  exportFindingList,
  fixFinding,
  queryFindingList,
  runInvariant,
  type FindingRow,
} from '../../contract/calls/findings.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';

const refreshes = [queryFindingList];
const findings = resource(queryFindingList, {
  routeKey: 'storedCardBatchManage.findings',
  empty: '没有异常数据，每日 02:40 自动检查',
  filters: ['invariantCode', 'status'],
  columns: [
    { key: 'invariantCode', plain: true, required: true },
    'subject',
    'expected',
    'actual',
    { key: 'guide', width: 280 },
    'owner',
    'status',
    'fixNote',
    'foundAt',
  ],
});

/** Tab 异常数据: what the nightly look found, who looks after it, how it is mended. */
export function Findings() {
  const assign = useCommand(assignFinding, { success: '操作成功!', refreshes });
  const fix = useCommand(fixFinding, { success: '操作成功!', refreshes });
  const close = useCommand(closeFinding, { success: '操作成功!', refreshes });
  const run = useCommand(runInvariant, { refreshes });
  const has = (action: string) => (row: FindingRow) => row.allowedActions.includes(action);
  const actions: readonly RowAction<FindingRow>[] = [
    {
      label: '认领',
      permission: may['finding.handle'],
      when: has('assign'),
      act: (row) => assign.run({ findingId: row.id, version: row.version }),
    },
    {
      label: '重建余额',
      permission: may['finding.handle'],
      when: has('fix'),
      act: (row) => fix.run({ findingId: row.id, version: row.version }),
    },
    {
      label: '关闭',
      permission: may['finding.handle'],
      when: has('close'),
      async act(row) {
        const fixNote = await confirmWithOpinion({
          title: '关闭异常',
          content: `确定要关闭“${row.subject}”的异常吗?`,
          facts: factsIn(queryFindingList.output, row, ['invariantCode', 'expected', 'actual', 'foundAt']),
          label: '处理说明',
        });
        if (fixNote !== null) await close.run({ findingId: row.id, version: row.version, fixNote });
      },
    },
  ];
  const look = async () => {
    const answer = await run.run({ codes: [] });
    if (answer) toast(`已检查${answer.data.checked}项，发现${answer.data.found}处异常，自动关闭${answer.data.closed}条`);
  };
  return (
    <ResourceList
      of={findings}
      actions={actions}
      toolbar={(view) => (
        <>
          <Button type="primary" loading={run.flying} onClick={() => void look()}>
            立即检查
          </Button>
          <ExportButton call={exportFindingList} view={view} permission={may['card.export']} />
        </>
      )}
    />
  );
}
