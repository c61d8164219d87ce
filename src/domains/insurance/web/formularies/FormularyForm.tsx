import type { InputOf } from '#kernel/contract/call.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import {
  addFormulary,
  formularyFacts,
  modifyFormulary,
  queryFormularyDetail,
  queryFormularyList,
  type FormularyRow,
} from '../../contract/formulary/calls.ts';
import { OptionSelect } from '../shared/OptionSelect.tsx';

type Values = InputOf<typeof addFormulary>;
const refreshes = [queryFormularyList, queryFormularyDetail];

const fields = (
  <>
    <Field of={addFormulary} name="formularyCode" placeholder="如 TY-2026" />
    <Field of={addFormulary} name="name" />
    <Field of={addFormulary} name="insurerId" extra="不选则各保司共用">
      <OptionSelect type="INSURER" />
    </Field>
  </>
);

export function NewFormulary({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  return (
    <FormDialog<typeof addFormulary, Values>
      open
      title="新增药品目录"
      width={520}
      call={addFormulary}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
      onDone={({ data }) => onMade(data.id)}
    >
      {fields}
    </FormDialog>
  );
}

export function EditFormulary({ row, onClose }: { row: FormularyRow; onClose(): void }) {
  const { id, version, formularyCode, name, insurerId } = row;
  return (
    <FormDialog<typeof modifyFormulary, Values>
      open
      title={`编辑药品目录 ${name}`}
      width={520}
      call={modifyFormulary}
      recordKey={id}
      initial={{ formularyCode, name, insurerId }}
      toInput={(values) => ({ ...values, insurerId: values.insurerId ?? null, id, version })}
      labels={labelsOf(formularyFacts.shape)}
      valuesOf={(current) => ({ ...current })}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  );
}
