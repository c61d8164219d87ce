import { Modal } from 'antd';
import { CheckDialog } from '#kernel/web/audit/CheckDialog.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import {
  addIncomeAdjust,
  auditIncomeAdjust,
  auditIncomeAdjustSecond,
  queryIncomeAdjustList,
  type AdjustRow,
} from '../../contract/calls/adjusts.ts';
import { queryIncomeDetailList, queryIncomeTotal } from '../../contract/calls/income.ts';
import { INCOME_ADJUST } from '../../contract/purposes.ts';
import { PayerSelect } from '../PayerSelect.tsx';

const refreshes = [queryIncomeAdjustList, queryIncomeDetailList, queryIncomeTotal];

interface Values {
  doctorId: string;
  payerEntityId: string;
  grossFen: number;
  reason: string;
  fileIds?: readonly UploadedFile[];
}

/** 新增调整单. */
export function AdjustForm({ onClose }: { onClose(): void }) {
  return (
    <FormDrawer<typeof addIncomeAdjust, Values>
      open
      title="新增人工调整单"
      call={addIncomeAdjust}
      toInput={({ fileIds, ...values }) => ({ ...values, fileIds: (fileIds ?? []).map(({ fileId }) => fileId) })}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={addIncomeAdjust} name="doctorId">
        <DoctorPicker />
      </Field>
      <Field of={addIncomeAdjust} name="payerEntityId">
        <PayerSelect />
      </Field>
      <Field of={addIncomeAdjust} name="grossFen" extra="调减填负数；10000元以上须二级复核">
        <MoneyInput negative />
      </Field>
      <Field of={addIncomeAdjust} name="reason" />
      <Field of={addIncomeAdjust} name="fileIds">
        <Upload purpose={INCOME_ADJUST} max={3} />
      </Field>
    </FormDrawer>
  );
}

function AdjustFacts({ row }: { row: AdjustRow }) {
  return (
    <Facts
      facts={factsIn(queryIncomeAdjustList.output, row, [
        'doctorName',
        'hospitalName',
        'payerName',
        'grossFen',
        'reason',
        'makerName',
        'checkerName',
        'opinion',
        {
          label: '附件',
          value: (
            <FileButtons
              files={row.fileIds.map((fileId, at) => ({ fileId, fileName: `附件${at + 1}`, detectedType: null, pageCount: null }))}
              ownerType="settlement.adjust"
              ownerId={row.id}
            />
          ),
        },
      ])}
    />
  );
}

/** What was asked for, and where this viewer may decide, the decision. */
export function AdjustCheck({ row, onClose }: { row: AdjustRow; onClose(): void }) {
  const first = useCommand(auditIncomeAdjust, { success: '复核完成!', refreshes });
  const second = useCommand(auditIncomeAdjustSecond, { success: '复核完成!', refreshes });
  const command = row.status === 'PENDING_SECOND' ? second : first;
  const decides = row.allowedActions.some((action) => action.startsWith('approve'));
  if (!decides)
    return (
      <Modal open title={`人工调整单 ${row.adjustNo}`} width={720} footer={null} onCancel={onClose}>
        <AdjustFacts row={row} />
      </Modal>
    );
  const decide = async (decision: 'approve' | 'reject', opinion: string) => {
    if (await command.run({ id: row.id, version: row.version, decision, opinion })) onClose();
  };
  return (
    <CheckDialog
      title={`复核人工调整单 ${row.adjustNo}`}
      maker={{ id: null, name: row.makerName }}
      amountFen={row.grossFen}
      ownText="不能审核本人提交的单据"
      busy={command.flying}
      onPass={(opinion) => decide('approve', opinion)}
      onReject={(opinion) => decide('reject', opinion)}
      onClose={onClose}
    >
      <AdjustFacts row={row} />
    </CheckDialog>
  );
}
