import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { addTemplate, queryTemplateList } from '../../contract/calls/templates.ts';
import type { Layout } from '../../contract/rules/template.ts';
import { InsurerPicker } from '#kernel/web/kit/pickers.tsx';

type Values = Pick<InputOf<typeof addTemplate>, 'insurerId' | 'sponsorName' | 'templateName'>;

interface Props {
  layout: Layout;
  onClose(): void;
  onMade(templateId: string): void;
}

/** Keeps the columns of a file as they were mapped, for the next one of the same sender. */
export function SaveAsTemplate({ layout, onClose, onMade }: Props) {
  return (
    <FormDialog<typeof addTemplate, Values>
      open
      title="保存为模板"
      width={520}
      call={addTemplate}
      toInput={(values) => ({ ...layout, ...values })}
      refreshes={[queryTemplateList]}
      success="新增成功!"
      onClose={onClose}
      onDone={({ data }) => onMade(data.id)}
    >
      <Field of={addTemplate} name="insurerId">
        <InsurerPicker />
      </Field>
      <Field of={addTemplate} name="sponsorName" extra="没有保司的企业自保清单填写；两项都不填为通用模板" />
      <Field of={addTemplate} name="templateName" />
    </FormDialog>
  );
}
