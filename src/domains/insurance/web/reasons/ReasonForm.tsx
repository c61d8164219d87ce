import type { InputOf } from '#kernel/contract/call.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { modifyReasonText, queryReasonTextList, reasonFacts, type ReasonRow } from '../../contract/reasons/calls.ts';

type Values = Omit<InputOf<typeof modifyReasonText>, 'id' | 'version'>;
const labels = labelsOf(reasonFacts.shape);

export function EditReason({ row, onClose }: { row: ReasonRow; onClose(): void }) {
  const { id, version, label, applicantText, internalText } = row;
  return (
    <FormDrawer<typeof modifyReasonText, Values>
      open
      title={`编辑原因话术 ${row.reasonCode}`}
      call={modifyReasonText}
      recordKey={id}
      initial={{ label, applicantText, internalText }}
      toInput={(values) => ({ ...values, id, version })}
      labels={labels}
      valuesOf={(current) => ({ ...current })}
      refreshes={[queryReasonTextList]}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={modifyReasonText} name="label" />
      <Field of={modifyReasonText} name="applicantText" />
      <Field of={modifyReasonText} name="internalText" />
    </FormDrawer>
  );
}
