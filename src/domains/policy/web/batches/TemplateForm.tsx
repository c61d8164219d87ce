import { Button, Form, Select, Switch } from 'antd';
import { templateColumn } from '../../contract/rules/template.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { dateFormats, listTargets, transforms } from '../../contract/batchDictionaries.ts';
import { addTemplate, modifyTemplate, queryTemplateList, type TemplateRow } from '../../contract/calls/templates.ts';
import { InsurerPicker } from '#kernel/web/kit/pickers.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

type Columns = InputOf<typeof addTemplate>['columns'];
interface ColumnValues extends Omit<Columns[number], 'dict'> {
  /** `男=M，女=F`, as operators write it. */
  dictText?: string;
}
interface Values extends Omit<InputOf<typeof addTemplate>, 'columns'> {
  columns: ColumnValues[];
}

const dictOf = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? '')
      .split(/[，,；;]/)
      .map((pair) => pair.split('=').map((one) => one.trim()))
      .flatMap(([from, to]) => (from && to ? [[from, to] as const] : [])),
  );
const textOf = (dict: Readonly<Record<string, string>> | undefined) =>
  Object.entries(dict ?? {})
    .map(([from, to]) => `${from}=${to}`)
    .join('，');
const columnsOf = (columns: readonly ColumnValues[]): Columns =>
  columns.map(({ dictText, ...column }) => ({ ...column, dict: dictOf(dictText) }));
const shownColumns = (columns: TemplateRow['columns']): ColumnValues[] =>
  columns.map(({ dict, ...column }) => ({ ...column, dictText: textOf(dict) }));

const start: ColumnValues[] = [
  { target: 'name', headerAliases: ['姓名'], required: true },
  { target: 'idNo', headerAliases: ['证件号码'], required: true, transforms: ['TRIM', 'HALF', 'UPPER'] },
  { target: 'planCode', headerAliases: ['计划'] },
  { target: 'effectiveOn', headerAliases: ['生效日期'] },
];
const choices = (options: readonly { value: string; label: string }[]) => options.map(({ value, label }) => ({ value, label }));

const fields = (
  <>
    <Field of={addTemplate} name="templateName" />
    <Field of={addTemplate} name="sheet" placeholder="空为第一个工作表" />
    <Field of={addTemplate} name="headerRow" />
    <Field of={addTemplate} name="leaveMeans" />
    <Field of={addTemplate} name="dedupeKey" />
    <Form.List name="columns">
      {(items, { add, remove }) => (
        <>
          {items.map(({ key, name }, at) => (
            <fieldset key={key} className="pol-column" aria-label={`第${at + 1}列`}>
              <Field of={templateColumn} name="target" within={[name]}>
                <Select options={choices(listTargets.options)} showSearch={{ optionFilterProp: 'label' }} placeholder="请选择" />
              </Field>
              <Field of={templateColumn} name="headerAliases" within={[name]}>
                <Select mode="tags" placeholder="输入列名后回车，可多个" open={false} />
              </Field>
              <Form.Item name={[name, 'required']} label="必填" valuePropName="checked">
                <Switch />
              </Form.Item>
              <Form.Item name={[name, 'format']} label="日期格式">
                <Select options={choices(dateFormats.options)} allowClear placeholder="yyyy-MM-dd" />
              </Form.Item>
              <Form.Item name={[name, 'dictText']} label="取值对照">
                <TextInput placeholder="如 男=M，女=F" most={400} />
              </Form.Item>
              <Form.Item name={[name, 'transforms']} label="处理">
                <Select mode="multiple" options={choices(transforms.options)} placeholder="去空格" />
              </Form.Item>
              <Button type="link" danger onClick={() => remove(name)}>
                删除该列
              </Button>
            </fieldset>
          ))}
          <Button onClick={() => add({ headerAliases: [], required: false })}>新增列</Button>
        </>
      )}
    </Form.List>
  </>
);

const shared = { open: true, width: 820, refreshes: [queryTemplateList] } as const;

/** How lists of a sender are read. */
export function TemplateForm({ row, onClose }: { row: TemplateRow | null; onClose(): void }) {
  if (row === null)
    return (
      <FormDrawer<typeof addTemplate, Values>
        {...shared}
        title="新增清单模板"
        call={addTemplate}
        initial={{ headerRow: 1, leaveMeans: 'LAST_COVERED', dedupeKey: 'PERSON', columns: start }}
        toInput={({ columns, ...values }) => ({ ...values, columns: columnsOf(columns) })}
        success="新增成功!"
        onClose={onClose}
      >
        <Field of={addTemplate} name="insurerId">
          <InsurerPicker />
        </Field>
        <Field of={addTemplate} name="sponsorName" extra="没有保司的企业自保清单填写；两项都不填为通用模板" />
        {fields}
      </FormDrawer>
    );
  const { id, version, templateName, sheet, headerRow, leaveMeans, dedupeKey, columns } = row;
  return (
    <FormDrawer<typeof modifyTemplate, Values>
      {...shared}
      title={`编辑清单模板 ${row.insurerName} ${templateName}`}
      call={modifyTemplate}
      recordKey={id}
      initial={{ templateName, sheet, headerRow, leaveMeans, dedupeKey, columns: shownColumns(columns) }}
      toInput={({ columns: given, insurerId: _insurer, sponsorName: _sponsor, ...values }) => ({
        ...values,
        columns: columnsOf(given),
        id,
        version,
      })}
      success="修改成功!"
      onClose={onClose}
    >
      {fields}
    </FormDrawer>
  );
}
