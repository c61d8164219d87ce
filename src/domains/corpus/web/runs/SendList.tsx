import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { PatientPicker } from '#kernel/web/kit/pickers.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import type { EachResult, SendRow } from '../../contract/engine/runCalls.ts';
import { exportFollowSendList, queryFollowSendList, retryFollowSend, skipFollowSend } from '../../contract/engine/sendCalls.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { GateTrace } from './GateTrace.tsx';

const sends = resource(queryFollowSendList, {
  routeKey: 'corpus:sends',
  empty: '没有符合条件的随访消息',
  filters: [
    'sendNo',
    { kind: 'picker', name: 'patientId', picker: PatientPicker },
    'state',
    'reasonCode',
    { kind: 'instants', names: ['dueFrom', 'dueTo'], label: '计划时间' },
  ],
  columns: [
    'sendNo',
    { key: 'patientName', render: (row) => <PatientLink patientId={row.patientId}>{row.patientName}</PatientLink> },
    'sceneName',
    'touchKind',
    'materials',
    'dueAt',
    'state',
    'reasonCode',
    'nextTryAt',
    'sentAt',
    'readAt',
    'repliedAt',
    'attempts',
    'lastError',
  ],
});

/** Says what was refused of several; all done is said once. */
export function toastOutcomes(results: readonly EachResult[], done: string): void {
  const refused = results.filter(({ ok }) => !ok);
  if (refused.length === 0) toast(done);
  else toast(refused.length === 1 ? refused[0]!.message : `${refused.length}条未成功：${refused[0]!.message}`, 'error');
}

/** 发送监控: every planned touch, why it went out or not, and what can still be done. */
export function SendList() {
  const retry = useCommand(retryFollowSend, {
    refreshes: [queryFollowSendList],
    onSuccess: ({ data }) => toastOutcomes(data, '已重新排队'),
  });
  const skip = useCommand(skipFollowSend, { refreshes: [queryFollowSendList], onSuccess: ({ data }) => toastOutcomes(data, '已跳过') });
  const askSkip = async (rows: readonly SendRow[], facts: readonly Fact[]) => {
    const reason = await confirmWithOpinion({
      title: '跳过消息',
      content: `将跳过${rows.length}条消息，跳过后不再发送。`,
      facts,
      label: '跳过原因',
      opinion: 'required',
      danger: true,
    });
    if (reason === null) return false;
    await skip.run({ ids: rows.map(({ id }) => id), reason });
    return true;
  };
  const open = (row: SendRow) => row.state === 'PLANNED' || row.state === 'HELD' || row.state === 'FAILED';
  const actions: readonly RowAction<SendRow>[] = [
    { label: '重试', permission: may['send.retry'], when: (row) => row.state === 'FAILED', act: (row) => retry.run({ ids: [row.id] }) },
    {
      label: '跳过',
      permission: may['run.operate'],
      danger: true,
      when: open,
      act: (row) => askSkip([row], factsIn(queryFollowSendList.output, row, ['sendNo', 'patientName', 'sceneName', 'dueAt'])),
    },
  ];
  return (
    <ResourceList
      of={sends}
      actions={actions}
      batch={[
        {
          label: '重试',
          permission: may['send.retry'],
          nameOf: (row) => row.sendNo,
          all: async (rows) => (await retry.run({ ids: rows.map(({ id }) => id) })) !== null,
        },
        { label: '跳过', permission: may['run.operate'], danger: true, nameOf: (row) => row.sendNo, all: askSkip },
      ]}
      expanded={(row) => <GateTrace send={row} />}
      toolbar={(view) => <ExportButton call={exportFollowSendList} view={view} permission={may['corpus.export']} />}
    />
  );
}
