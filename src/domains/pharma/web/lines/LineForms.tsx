import { Form } from 'antd';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { FormDialog, FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import {
  addProductLine,
  modifyProductLine,
  queryProductLineDetail,
  queryProductLineList,
  renewProductLine,
  type LineRow,
} from '../../contract/calls/lines.ts';
import { StaffPicker } from '#kernel/web/kit/pickers.tsx';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { lineLabels } from '../../contract/labels.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { FilesField } from '../shared/files.tsx';
import { OptionSelect, OptionsSelect } from '../shared/OptionSelect.tsx';
import '../pharma.css';

type Values = InputOf<typeof addProductLine>;
const refreshes = [queryProductLineList, queryProductLineDetail];
const labels = { ...lineLabels, diseaseIds: lineLabels.diseases, ownerUserId: lineLabels.ownerName };
const valuesOf = (line: LineRow): Partial<Values> => ({
  companyId: line.companyId,
  name: line.name,
  therapyArea: line.therapyArea,
  diseaseIds: line.diseases.map((disease) => disease.diseaseId),
  startDate: line.startDate,
  endDate: line.endDate,
  ownerUserId: line.ownerUserId,
  agreementFileIds: line.agreementFileIds,
  remark: line.remark,
});

/** Drawer 新增/编辑产品线. */
export function LineForm({ line, onClose }: { line: LineRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const startDate = Form.useWatch('startDate', form);
  const fields = (
    <div className="ph-two">
      <Field of={addProductLine} name="companyId" className="ph-full">
        <OptionSelect kind="COMPANY" disabled={line !== null} />
      </Field>
      <Field of={addProductLine} name="name" />
      <Field of={addProductLine} name="therapyArea" />
      <Field of={addProductLine} name="startDate">
        <DayInput />
      </Field>
      <Field of={addProductLine} name="endDate" extra={line && line.state !== 'DRAFT' ? '合作期请通过续约延长' : undefined}>
        <DayInput from={startDate} disabled={line !== null && line.state !== 'DRAFT'} />
      </Field>
      <Field of={addProductLine} name="diseaseIds" className="ph-full">
        <OptionsSelect kind="DISEASE" />
      </Field>
      <Field of={addProductLine} name="ownerUserId">
        <StaffPicker
          permission={pharmaPermissions['line.edit']}
          {...(line?.ownerUserId && line.ownerName && { known: { value: line.ownerUserId, label: line.ownerName } })}
        />
      </Field>
      <Field of={addProductLine} name="agreementFileIds" className="ph-full">
        <FilesField purpose={PHARMA_PAPER} max={10} ownerType="pharma.productLine" ownerId={line?.id} />
      </Field>
      <Field of={addProductLine} name="remark" className="ph-full" />
    </div>
  );
  const shared = { open: true, onClose, refreshes, form, labels } as const;
  if (!line)
    return (
      <FormDrawer<typeof addProductLine, Values>
        {...shared}
        title="新增产品线"
        call={addProductLine}
        initial={{ diseaseIds: [], agreementFileIds: [] }}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyProductLine, Values>
      {...shared}
      title={`编辑产品线：${line.name}`}
      call={modifyProductLine}
      recordKey={line.id}
      toInput={({ companyId: _, ...values }) => ({ ...values, id: line.id, version: line.version })}
      initial={valuesOf(line)}
      success="修改成功!"
      valuesOf={(current) => valuesOf(current as LineRow)}
    >
      {fields}
    </FormDrawer>
  );
}

type Renewal = Pick<InputOf<typeof renewProductLine>, 'endDate' | 'agreementFileIds'>;

/** Dialog 续约. */
export function RenewForm({ line, onClose }: { line: LineRow; onClose(): void }) {
  return (
    <FormDialog<typeof renewProductLine, Renewal>
      open
      title={`续约：${line.name}`}
      width={560}
      call={renewProductLine}
      toInput={(values) => ({ ...values, id: line.id, version: line.version })}
      refreshes={refreshes}
      success={SERVER_MESSAGE}
      onClose={onClose}
      initial={{ agreementFileIds: [] }}
    >
      <p className="kq-muted">
        原合作期：{line.startDate} 至 {line.endDate}
      </p>
      <Field
        of={renewProductLine}
        name="endDate"
        rules={[againstRecord((day?: string) => (day && day <= line.endDate ? '续约结束日期须晚于原结束日期' : null))]}
      >
        <DayInput from={line.endDate} />
      </Field>
      <Field of={renewProductLine} name="agreementFileIds" required>
        <FilesField purpose={PHARMA_PAPER} max={5} ownerType="pharma.productLine" />
      </Field>
    </FormDialog>
  );
}
