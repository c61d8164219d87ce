import { Button } from 'antd';
import { lazy, useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { adjudicationOutcomes } from '../../contract/adjudication/result.ts';
import { queryTestCaseList, removeTestCase, runTestCases } from '../../contract/tests/calls.ts';
import { testResults } from '../../contract/tests/dictionaries.ts';
import { money } from '../../contract/model/words.ts';
import type { ClaimRulesSeen, TestCaseSeen } from './seen.ts';

const CaseForm = lazy(async () => ({ default: (await import('./CaseForm.tsx')).CaseForm }));

const expectedText = ({ expected }: TestCaseSeen) =>
  [
    ...(expected.payableFen === undefined ? [] : [`应赔${money(expected.payableFen)}`]),
    ...(expected.outcome === undefined ? [] : [adjudicationOutcomes.label(expected.outcome)]),
    ...(expected.lines ?? []).map(
      ({ lineNo, payableFen, reasons }) => `第${lineNo}行${money(payableFen)}${reasons.length > 0 ? `（${reasons.join('、')}）` : ''}`,
    ),
  ].join('；');

/** Fixed inputs with what must come out of them; all run on what the version says now. */
export function TestCases({ seen }: { seen: ClaimRulesSeen }) {
  const productVersionId = seen.version.id;
  const layers = useLayers();
  const query = useData(queryTestCaseList, { productVersionId }, { quiet: true });
  const refreshes = [queryTestCaseList];
  const remove = useCommand(removeTestCase, { success: '删除成功!', refreshes });
  const [fault, setFault] = useState<string | null>(null);
  const run = useCommand(runTestCases, {
    success: '操作成功!',
    refreshes,
    onSuccess: ({ data }) => setFault(data.fault ?? ''),
  });
  const cases = query.data ?? [];
  const active = cases.filter((one) => one.active);
  const passed = active.filter(({ lastResult }) => lastResult === 'PASS').length;
  return (
    <>
      <p>
        {seen.editable && (
          <>
            <Button type="primary" onClick={() => layers.open((close) => <CaseForm seen={seen} of={null} onClose={close} />)}>
              新增用例
            </Button>{' '}
            <Button disabled={run.busy || active.length === 0} loading={run.flying} onClick={() => void run.run({ productVersionId })}>
              全部运行
            </Button>{' '}
          </>
        )}
        <span className="kq-muted">
          启用{active.length}个，通过{passed}个
        </span>
      </p>
      {fault !== null && <p role="status">{fault === '' ? '测试用例已达到提交要求' : `距提交要求还差：${fault}`}</p>}
      <DataTable<TestCaseSeen>
        rows={query.data}
        loading={query.fetching}
        error={query.error}
        onRetry={() => void query.refetch()}
        height="auto"
        empty={seen.editable ? '还没有测试用例，点击“新增用例”' : '该版本没有测试用例'}
        columns={[
          { key: 'caseName', title: '用例名称', width: 220 },
          { key: 'lastResult', title: '结果', kind: 'dict', dictionary: testResults },
          { key: 'expected', title: '期望', width: 320, value: expectedText },
          { key: 'deviations', title: '与期望的差异', width: 320, value: (row) => row.deviations.join('；') },
          { key: 'active', title: '启用', kind: 'flag' },
          { key: 'lastRunAt', title: '上次运行', kind: 'time' },
        ]}
        {...(seen.editable && {
          actions: [
            { label: '编辑', act: (row) => layers.open((close) => <CaseForm seen={seen} of={row} onClose={close} />) },
            {
              label: '删除',
              danger: true,
              act: async (row) => {
                if (await confirmDelete(`测试用例“${row.caseName}”`)) await remove.run({ testCaseId: row.id, version: row.version });
              },
            },
          ],
        })}
      />
      {layers.shown}
    </>
  );
}
