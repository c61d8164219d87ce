import { todayHere } from '#kernel/web/form/today.ts';
import type { ReactNode } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { checkCodes } from '../../contract/abnormal/checks.ts';
import { findingMachine, type FindingAction } from '../../contract/abnormal/states.ts';
import { auditFinding, queryFindingList, type FindingRow } from '../../contract/calls/abnormal.ts';
import { findingRefreshes as refreshes } from './findingList.tsx';
import { OwnerSelect } from './OwnerSelect.tsx';

/** A finding in titles and questions. */
export const namedFinding = (row: FindingRow) => `${checkCodes.label(row.checkCode)} ${row.subject}`;

/** 转派: to somebody who may mend it. */
function Transfer({ row, onClose }: { row: FindingRow; onClose(): void }) {
  return (
    <FormDialog<typeof auditFinding, Pick<InputOf<typeof auditFinding>, 'toUserId' | 'note'>>
      open
      title={`转派 ${namedFinding(row)}`}
      width={480}
      call={auditFinding}
      recordKey={row.id}
      toInput={(values) => ({ id: row.id, version: row.version, action: 'transfer', ...values })}
      labels={{ toUserId: '责任人', note: '说明', opinion: '说明' }}
      refreshes={refreshes}
      success="操作成功!"
      onClose={onClose}
    >
      <Field of={auditFinding} name="toUserId" required>
        <OwnerSelect />
      </Field>
      <Field of={auditFinding} name="note" required />
    </FormDialog>
  );
}

/** 申请忽略: why, and until when; another person grants it. */
function AskIgnore({ row, onClose }: { row: FindingRow; onClose(): void }) {
  return (
    <FormDialog<typeof auditFinding, Pick<InputOf<typeof auditFinding>, 'ignoreUntil' | 'note'>>
      open
      title={`申请忽略 ${namedFinding(row)}`}
      width={480}
      call={auditFinding}
      recordKey={row.id}
      initial={{ ignoreUntil: plusDays(todayHere(), 30) }}
      toInput={(values) => ({ id: row.id, version: row.version, action: 'askIgnore', ...values })}
      labels={{ ignoreUntil: '忽略至', note: '说明', opinion: '说明' }}
      refreshes={refreshes}
      success="操作成功!"
      onClose={onClose}
    >
      <Field of={auditFinding} name="ignoreUntil" required extra="最长90天，到期后重新打开" />
      <Field of={auditFinding} name="note" required />
    </FormDialog>
  );
}

/** Row and drawer act alike on a finding. */
export function useFindingActions(): { actions: readonly RowAction<FindingRow>[]; shown: ReactNode } {
  const layers = useLayers();
  const audit = useCommand(auditFinding, { success: '操作成功!', refreshes });
  const can =
    (action: FindingAction) =>
    ({ allowedActions }: FindingRow) =>
      allowedActions.includes(action);
  const simple = (action: FindingAction): RowAction<FindingRow> => ({
    label: findingMachine.transitions[action].label,
    when: can(action),
    async act(row) {
      const note = await askTransition(
        findingMachine,
        action,
        {
          title: `${findingMachine.transitions[action].label} ${namedFinding(row)}`,
          content: `应为${row.expected}，实为${row.actual}`,
          label: '说明',
        },
        factsIn(queryFindingList.output, row, ['checkCode', 'subject', 'severity', 'owner', 'dueAt', 'timesSeen']),
      );
      if (note !== null) await audit.run({ id: row.id, version: row.version, action, note });
    },
  });
  return {
    actions: [
      simple('take'),
      { ...simple('submitFix'), label: '处理' },
      simple('recheck'),
      simple('rebuild'),
      simple('replay'),
      {
        label: findingMachine.transitions.askIgnore.label,
        when: can('askIgnore'),
        act: (row) => layers.open((close) => <AskIgnore row={row} onClose={close} />),
      },
      {
        label: findingMachine.transitions.transfer.label,
        when: can('transfer'),
        act: (row) => layers.open((close) => <Transfer row={row} onClose={close} />),
      },
      simple('approveIgnore'),
      simple('refuseIgnore'),
    ],
    shown: layers.shown,
  };
}
