import { Button, Drawer, Progress } from 'antd';
import { useEffect, useState } from 'react';
import { refresh, useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryMarkRuleList, queryMarkVariableList, type RuleRow } from '../../contract/rules/calls.ts';
import { runKinds, runStates } from '../../contract/rules/dictionaries.ts';
import { rulePermissions as may } from '../../contract/rules/permissions.ts';
import { dryRunMarkRule, queryMarkRuleRunDetail, queryMarkRuleRunList, type RuleRun } from '../../contract/rules/runCalls.ts';
import { explainedText } from './conditionText.ts';
import './rules.css';

const EVERY_MS = 2_000;
const PAGE = 10;

/** Some of the objects that a run changes, and why. */
function Sample({ run, objectType }: { run: RuleRun; objectType: RuleRow['objectType'] }) {
  const found = useData(queryMarkRuleRunDetail, { runId: run.id }, { quiet: true });
  const variables = useData(queryMarkVariableList, { objectType }, { quiet: true });
  if (found.error) return <TableFailure error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Waiting for={found} />;
  return (
    <>
      <h4>
        第{run.seq}次{runKinds.label(run.kind)}：待新增{run.toAdd}个，待移除{run.toRemove}个
        <span className="kq-muted">（列出其中{found.data.sample.length}个）</span>
      </h4>
      <DataTable
        rows={found.data.sample}
        rowKey="objectId"
        height={360}
        empty="没有变更的对象"
        columns={[
          { key: 'no', title: '编号', width: 150 },
          { key: 'name', title: '名称', width: 130 },
          { key: 'change', title: '变更', width: 70, value: ({ change }) => (change === 'ADD' ? '新增' : '移除') },
          {
            key: 'explain',
            title: '条件判断',
            kind: 'custom',
            width: 460,
            render: ({ explain }) => explain.map((row) => explainedText(row, variables.data ?? [])).join('；'),
          },
        ]}
      />
    </>
  );
}

/** Drawer 执行记录: runs and dry runs of a rule with their progress. */
export function RunDrawer({ rule, onClose }: { rule: RuleRow; onClose(): void }) {
  const holds = useMay();
  const [pageNo, setPageNo] = useState(1);
  const [shown, setShown] = useState<RuleRun | null>(null);
  const { rows, total, error, fetching, refetch } = useList(
    queryMarkRuleRunList,
    { ruleId: rule.id, pageNo, pageSize: PAGE },
    { quiet: true, every: EVERY_MS },
  );
  const dry = useCommand(dryRunMarkRule, { success: '操作成功!', refreshes: [queryMarkRuleRunList, queryMarkRuleList] });
  const busy = rows?.some(({ state }) => state === 'RUNNING') ?? false;
  // The list below shows what the last run changed.
  useEffect(() => {
    if (!busy) void refresh(queryMarkRuleList);
  }, [busy]);
  const explains = holds(may['mark.rule']) || holds(may['mark.supervise']);
  return (
    <Drawer open size={960} title={`执行记录：${rule.ruleNo} ${rule.markName}`} onClose={onClose} destroyOnHidden>
      <p className="mr-sentence">{rule.sentence}</p>
      {rule.allowedActions.includes('dryRun') && (
        <Button type="primary" size="small" disabled={busy} loading={dry.busy} onClick={() => void dry.run({ ruleId: rule.id })}>
          试运行
        </Button>
      )}
      <DataTable<RuleRun>
        rows={rows}
        loading={fetching && rows === undefined}
        error={error}
        onRetry={() => void refetch()}
        height="auto"
        empty="尚未执行"
        actions={explains ? [{ label: '明细', when: ({ state }) => state !== 'RUNNING', act: setShown }] : []}
        columns={[
          { key: 'seq', title: '序号', width: 60 },
          { key: 'kind', title: '类型', kind: 'dict', dictionary: runKinds, plain: true, width: 80 },
          { key: 'startedAt', title: '开始时间', kind: 'time' },
          { key: 'startedByName', title: '操作人', width: 100, value: ({ startedByName }) => startedByName ?? '系统' },
          {
            key: 'evaluated',
            title: '进度',
            kind: 'custom',
            width: 130,
            render: ({ evaluated, total: all }) => (
              <Progress percent={all === 0 ? 0 : Math.min(100, Math.floor((evaluated * 100) / all))} size="small" aria-label="进度" />
            ),
          },
          { key: 'toAdd', title: '待变更', width: 100, value: ({ toAdd, toRemove }) => `+${toAdd} −${toRemove}` },
          {
            key: 'added',
            title: '已变更',
            width: 100,
            value: ({ kind, added, removed }) => (kind === 'DRY' ? null : `+${added} −${removed}`),
          },
          { key: 'fault', title: '说明', width: 160 },
          { key: 'state', title: '状态', kind: 'dict', dictionary: runStates, width: 90 },
        ]}
        paging={{ pageNo, pageSize: PAGE, total, onChange: setPageNo, simple: true }}
      />
      {shown && <Sample key={shown.id} run={shown} objectType={rule.objectType} />}
    </Drawer>
  );
}
