import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { markPermissions } from '../../contract/marks/permissions.ts';
import {
  delMarkRule,
  exportMarkRuleList,
  operateMarkRule,
  publishMarkRule,
  queryMarkRuleList,
  type RuleAction,
  type RuleRow,
} from '../../contract/rules/calls.ts';
import { rulePermissions as may } from '../../contract/rules/permissions.ts';
import { queryMarkRuleRunList } from '../../contract/rules/runCalls.ts';

const RuleForm = lazy(async () => ({ default: (await import('./RuleForm.tsx')).RuleForm }));
const RunDrawer = lazy(async () => ({ default: (await import('./RunDrawer.tsx')).RunDrawer }));
const refreshes = [queryMarkRuleList, queryMarkRuleRunList];

const rules = resource(queryMarkRuleList, {
  routeKey: 'markContent.rules',
  empty: '没有符合条件的打标规则',
  filters: ['ruleNo', 'markName', 'objectType', 'schedule', 'state'],
  columns: [
    { key: 'ruleNo', required: true },
    'markName',
    { key: 'groupName', hidden: true },
    { key: 'objectType', plain: true },
    'sentence',
    { key: 'removeWhenFalse', hidden: true },
    { key: 'schedule', plain: true },
    {
      key: 'lastCounts',
      title: '最近增减',
      width: 100,
      value: ({ lastAdded, lastRemoved }) => (lastAdded === null ? null : `+${lastAdded} −${lastRemoved ?? 0}`),
    },
    'lastRunAt',
    'lastRunState',
    'state',
  ],
});

const warnings: Readonly<Record<Exclude<RuleAction, 'run' | 'resume'>, string>> = {
  pause: '暂停后不再打标与去标，已打的标签保留，是否继续?',
  end: '结束后不能恢复，已打的标签保留，是否继续?',
};

/** Tab 打标规则: conditions that put and take away marks. */
export function Rules() {
  const layers = useLayers();
  const write = (rule: RuleRow | null) => layers.open((close) => <RuleForm rule={rule} onClose={close} />);
  const [watched, setWatched] = useState<string | null>(null);
  const publish = useCommand(publishMarkRule, { success: '发布成功!', refreshes });
  const operate = useCommand(operateMarkRule, { success: '操作成功!', refreshes });
  const remove = useCommand(delMarkRule, { success: '删除成功!', refreshes });
  const allows = (row: RuleRow, action: string) => row.allowedActions.includes(action);
  const facts = (row: RuleRow) => factsIn(queryMarkRuleList.output, row, ['ruleNo', 'markName', 'objectType', 'sentence', 'lastAdded']);
  const act = async (row: RuleRow, action: RuleAction) => {
    const { id, version } = row;
    if (
      (action === 'pause' || action === 'end') &&
      !(await ask({ title: '打标规则', content: warnings[action], facts: facts(row), danger: true }))
    )
      return;
    await operate.run({ id, version, action });
  };
  const actions: readonly RowAction<RuleRow>[] = [
    { label: '试运行与记录', act: ({ id }) => setWatched(id) },
    {
      label: '发布',
      when: (row) => allows(row, 'publish'),
      act: async (row) => {
        const { id, version, markName } = row;
        if (await ask({ title: '发布规则', content: `发布后立即按条件打上标签“${markName}”，是否继续?`, facts: facts(row) }))
          await publish.run({ id, version });
      },
    },
    { label: '编辑', when: (row) => allows(row, 'modify'), act: write },
    { label: '立即执行', when: (row) => allows(row, 'run'), act: (row) => act(row, 'run') },
    { label: '暂停', when: (row) => allows(row, 'pause'), act: (row) => act(row, 'pause') },
    { label: '恢复', when: (row) => allows(row, 'resume'), act: (row) => act(row, 'resume') },
    { label: '结束', danger: true, when: (row) => allows(row, 'end'), act: (row) => act(row, 'end') },
    {
      label: '删除',
      permission: may['mark.rule'],
      danger: true,
      when: ({ state, publishedSeq }) => state === 'DRAFT' && publishedSeq === 0,
      act: async ({ id, version, ruleNo, markName }) => {
        if (await confirmDelete(`规则“${ruleNo}”（${markName}）`)) await remove.run({ id, version });
      },
    },
  ];
  return (
    <ResourceList
      of={rules}
      actions={actions}
      toolbar={(view) => {
        const shown = view.rows.find(({ id }) => id === watched);
        return (
          <>
            <Can permission={may['mark.rule']}>
              <Button type="primary" onClick={() => write(null)}>
                新增打标规则
              </Button>
            </Can>
            <ExportButton call={exportMarkRuleList} view={view} permission={markPermissions['content.export']} />
            {/* The drawer follows its row. */}
            <Suspense fallback={null}>{shown && <RunDrawer rule={shown} onClose={() => setWatched(null)} />}</Suspense>
            {layers.shown}
          </>
        );
      }}
    />
  );
}
