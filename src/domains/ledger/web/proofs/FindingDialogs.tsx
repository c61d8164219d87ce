import { Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import {
  assignLedgerFinding,
  queryLedgerBookState,
  queryLedgerFindingList,
  queryLedgerMender,
  resolveLedgerFinding,
  type FindingRow,
} from '../../contract/calls/proofs.ts';

const refreshes = [queryLedgerFindingList, queryLedgerBookState];

/** 指派: who mends it. */
export function AssignDialog({ of, onClose }: { of: FindingRow; onClose(): void }) {
  const menders = useData(queryLedgerMender, {}, { quiet: true });
  return (
    <FormDialog<typeof assignLedgerFinding, { userId: string }>
      open
      title={`指派：${of.findingNo}`}
      width={480}
      recordKey={of.id}
      initial={{ ...(of.ownerUserId && { userId: of.ownerUserId }) }}
      call={assignLedgerFinding}
      success="操作成功!"
      refreshes={refreshes}
      onClose={onClose}
      toInput={({ userId }) => ({ id: of.id, version: of.version, userId })}
    >
      <Field of={assignLedgerFinding} name="userId">
        <Select
          placeholder="请选择"
          loading={menders.fetching}
          showSearch={{ optionFilterProp: 'label' }}
          notFoundContent={<NoChoices of={menders} none="没有可以处理差异的人员" />}
          options={(menders.data ?? []).map(({ userId, displayName }) => ({ value: userId, label: displayName }))}
        />
      </Field>
    </FormDialog>
  );
}

/** 处理完成: the adjustment that mended it. */
export function ResolveDialog({ of, onClose }: { of: FindingRow; onClose(): void }) {
  return (
    <FormDialog<typeof resolveLedgerFinding, { adjustNo: string; opinion?: string }>
      open
      title={`处理完成：${of.findingNo}`}
      width={520}
      recordKey={of.id}
      call={resolveLedgerFinding}
      success="操作成功!"
      refreshes={refreshes}
      onClose={onClose}
      toInput={({ adjustNo, opinion }) => ({ id: of.id, version: of.version, adjustNo, ...(opinion && { opinion }) })}
    >
      <Field of={resolveLedgerFinding} name="adjustNo" placeholder="已入账的调账单号" extra="复查通过的差异会自动关闭，不需填写" />
      <Field of={resolveLedgerFinding} name="opinion" />
    </FormDialog>
  );
}
