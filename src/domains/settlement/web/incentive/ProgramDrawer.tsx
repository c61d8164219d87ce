import { Button, Drawer, Skeleton, Tabs } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import type { Column, RowAction } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { ledgerPanelPlace } from '#kernel/web/kit/ledgerPanelPlace.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Slot } from '#kernel/web/slots.tsx';
import {
  INCENTIVE_FACT_IMPORTER,
  queryIncentiveProgramDetail,
  type ProgramChangeRow,
  type ProgramTaskRow,
} from '../../contract/calls/incentive.ts';
import { incentiveTasks, programChangeKinds } from '../../contract/dictionaries.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { programChangeMachine, programMachine } from '../../contract/programStates.ts';
import { ProgramFacts } from './ProgramFacts.tsx';
import { useProgramActions } from './useProgramActions.ts';

type Detail = OutputOf<typeof queryIncentiveProgramDetail>;
const taskColumns: readonly Column<ProgramTaskRow>[] = [
  { key: 'taskType', title: '任务类型', kind: 'dict', dictionary: incentiveTasks, plain: true },
  { key: 'taskName', title: '任务名称', width: 170 },
  { key: 'unitFen', title: '单价（元）', kind: 'money' },
  { key: 'monthlyCapCount', title: '每医生每月上限', kind: 'number', width: 130 },
  { key: 'programCapCount', title: '项目总上限', kind: 'number', width: 110 },
  { key: 'minDurationMin', title: '最短时长（分钟）', kind: 'number', width: 130 },
  { key: 'minScore', title: '最低评分', kind: 'number', width: 90 },
  { key: 'doneCount', title: '已完成', kind: 'number', width: 90 },
];
const changeColumns: readonly Column<ProgramChangeRow>[] = [
  { key: 'kind', title: '变更类型', kind: 'dict', dictionary: programChangeKinds, plain: true, width: 120 },
  { key: 'amountFen', title: '追加金额（元）', kind: 'money' },
  { key: 'batchNo', title: '导入批次', width: 150 },
  { key: 'factCount', title: '事实条数', kind: 'number', width: 90 },
  { key: 'reason', title: '原因', width: 180 },
  { key: 'makerName', title: '提交人', width: 90 },
  { key: 'createdAt', title: '提交时间', kind: 'time' },
  { key: 'checkerName', title: '审核人', width: 90 },
  { key: 'opinion', title: '审核意见', width: 160 },
  { key: 'status', title: '状态', kind: 'dict', dictionary: programChangeMachine.dictionary },
];

function Introduction({ data }: { data: Detail }) {
  return (
    <>
      <Facts
        facts={[
          ...factsIn(queryIncentiveProgramDetail.output.shape.program, data.program, ['introVersion', 'scopeType']),
          ...(data.scopeNames.length > 0 ? [{ label: '指定对象', value: data.scopeNames.join('、') }] : []),
          ...factsIn(queryIncentiveProgramDetail.output, data, ['complianceByName', 'complianceAt']),
          {
            label: '合作协议',
            value: (
              <FileButtons
                files={data.fileIds.map((fileId, at) => ({ fileId, fileName: `合作协议${at + 1}`, detectedType: null, pageCount: null }))}
                ownerType="settlement.program"
                ownerId={data.program.id}
              />
            ),
          },
        ]}
      />
      <Section title="激励说明">
        <p style={{ whiteSpace: 'pre-wrap' }}>{data.introduction || '还没有填写激励说明'}</p>
      </Section>
    </>
  );
}

function Changes({ rows }: { rows: readonly ProgramChangeRow[] }) {
  const { decide } = useProgramActions();
  const actions: readonly RowAction<ProgramChangeRow>[] = (['approve', 'reject'] as const).map((decision) => ({
    label: programChangeMachine.transitions[decision].label,
    permission: may['program.audit'],
    danger: decision === 'reject',
    when: ({ allowedActions }) => allowedActions.includes(decision),
    act: (row) => decide(row, decision),
  }));
  return (
    <DataTable rows={rows} columns={changeColumns} rowKey="id" actions={actions} empty="没有变更：预算、说明与导入的事实由另一人审核" />
  );
}

/** One programme: introduction, tasks, what was paid, its fund, changes, its story. */
export function ProgramDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryIncentiveProgramDetail, { id }, { quiet: true });
  const { act } = useProgramActions();
  const program = data?.program;
  const isOpen = program && (program.status === 'ACTIVE' || program.status === 'PAUSED' || program.status === 'ENDED');
  return (
    <Drawer
      open
      title={program ? `激励项目 ${program.programNo} ${program.programName}` : '激励项目'}
      size="min(1120px, 94vw)"
      onClose={onClose}
      footer={
        program && (
          <div className="kq-detail-actions">
            {(['submit', 'approve', 'reject', 'pause', 'resume', 'close'] as const)
              .filter((action) => program.allowedActions.includes(action))
              .map((action) => (
                <Button key={action} danger={programMachine.transitions[action].danger ?? false} onClick={() => void act(program, action)}>
                  {programMachine.transitions[action].label}
                </Button>
              ))}
            {isOpen && (
              <ImportButton
                importerCode={INCENTIVE_FACT_IMPORTER}
                params={{ programId: id }}
                permission={may['program.fact']}
                label="导入激励事实"
                onChanged={() => void refetch()}
              />
            )}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !program ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryIncentiveProgramDetail.output.shape.program, program, [
              'companyName',
              'lineName',
              'payerName',
              'startDate',
              'endDate',
              'budgetFen',
              'paidFen',
              'takenFen',
              'leftFen',
              'waitingFen',
              'doctorCount',
              'status',
            ])}
          />
          <Tabs
            items={[
              { key: 'introduction', label: '激励说明', children: <Introduction data={data} /> },
              {
                key: 'tasks',
                label: '任务',
                children: <DataTable rows={data.tasks} columns={taskColumns} rowKey="id" empty="还没有任务，编辑项目添加" />,
              },
              { key: 'facts', label: '发放明细', children: <ProgramFacts programId={id} /> },
              {
                key: 'fund',
                label: '预算流水',
                children: (
                  <Slot
                    of={ledgerPanelPlace}
                    props={{ book: 'DOCTOR', scope: { ownerType: 'incentiveProgram', ownerId: id }, tabs: ['entries'] }}
                    fallback={<div className="kq-loading" />}
                  />
                ),
              },
              { key: 'changes', label: '变更与导入', children: <Changes rows={data.changes} /> },
              { key: 'trail', label: '审核记录', children: <AuditTimeline rows={data.trail} machine={programMachine} /> },
            ]}
          />
        </>
      )}
    </Drawer>
  );
}
