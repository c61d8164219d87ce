import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { checkCodes, ownerKinds, severities } from '../../contract/abnormal/checks.ts';
import { modifyCheck, queryCheckList, runCheck, type CheckRow } from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { findingRefreshes as refreshes, runs } from './findingList.tsx';

function EditCheck({ row, onClose }: { row: CheckRow; onClose(): void }) {
  return (
    <FormDialog<typeof modifyCheck, Pick<InputOf<typeof modifyCheck>, 'enabled' | 'severity' | 'dueDays' | 'ownerRule'>>
      open
      title={`设置检查项 ${checkCodes.label(row.checkCode)}`}
      width={480}
      call={modifyCheck}
      recordKey={row.checkCode}
      initial={{ enabled: row.enabled, severity: row.severity, dueDays: row.dueDays, ownerRule: row.ownerRule }}
      toInput={(values) => ({ checkCode: row.checkCode, version: row.version, ...values })}
      labels={{ enabled: '启用', severity: '严重度', dueDays: '处理时限（天）', ownerRule: '责任人类别' }}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={modifyCheck} name="enabled" />
      <Field of={modifyCheck} name="severity" />
      <Field of={modifyCheck} name="dueDays" />
      <Field of={modifyCheck} name="ownerRule" extra="新发现的异常分配给“责任人”页签中该类别的人员" />
    </FormDialog>
  );
}

/** Tab 检查项: how each check is set, and the runs. */
export function Checks() {
  const layers = useLayers();
  const { data, error, loading, refetch } = useData(queryCheckList, {}, { quiet: true });
  const run = useCommand(runCheck, { refreshes });
  return (
    // Two tables, each as long as it is: the page scrolls.
    <div className="pol-flow">
      <DataTable<CheckRow>
        rowKey="checkCode"
        height="auto"
        rows={data}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        columns={[
          { key: 'checkCode', title: '编号', width: 70 },
          { key: 'name', title: '检查项', width: 180, value: (row) => checkCodes.label(row.checkCode) },
          { key: 'severity', title: '严重度', width: 90, kind: 'dict', dictionary: severities },
          { key: 'dueDays', title: '处理时限（天）', width: 120, kind: 'number' },
          { key: 'ownerRule', title: '责任人类别', width: 130, kind: 'dict', dictionary: ownerKinds, plain: true },
          { key: 'enabled', title: '启用', width: 80, kind: 'flag' },
          { key: 'binding', title: '不可忽略', width: 100, kind: 'flag' },
          { key: 'openCount', title: '未解决', width: 90, kind: 'number' },
        ]}
        actions={[
          {
            label: '运行检查',
            permission: may['abnormal.supervise'],
            when: ({ enabled }) => enabled,
            async act({ checkCode }) {
              const answer = await run.run({ checkCode: [checkCode] });
              if (answer) toast(`发现${answer.data.found}处，新增${answer.data.added}条，自动解决${answer.data.cleared}条`);
            },
          },
          {
            label: '设置',
            permission: may['abnormal.supervise'],
            act: (row) => layers.open((close) => <EditCheck row={row} onClose={close} />),
          },
        ]}
      />
      <Section title="检查记录">
        <ResourceList of={runs} />
      </Section>
      {layers.shown}
    </div>
  );
}
