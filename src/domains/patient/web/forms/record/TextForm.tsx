import { Form, Input, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addRecordText, modifyRecordText } from '../../../contract/calls/ehr.ts';
import { paragraphs, recordSources, type Paragraph, type RecordSource } from '../../../contract/dictionaries.ts';
import type { RecordTextRow } from '../../../contract/modules.ts';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';

interface Values {
  paragraphCode: Paragraph;
  source: RecordSource;
  text: string;
  fileIds?: string[];
}

/** 新增/编辑病情资料: the paragraph of a written one stays. */
export function TextForm({
  patientId,
  row,
  paragraph,
  onClose,
}: {
  patientId: string;
  row?: RecordTextRow;
  paragraph?: Paragraph;
  onClose(): void;
}) {
  const [form] = Form.useForm<Values>();
  const shared = {
    open: true,
    form,
    initial: row ?? { source: 'ASSISTANT' as const, ...(paragraph && { paragraphCode: paragraph }) },
    success: SERVER_MESSAGE,
    refreshes: refreshes.modules,
    onClose,
  };
  const fields = (
    <>
      <div className="pa-two">
        <Field of={addRecordText} name="paragraphCode" label="段落">
          <Select disabled={row !== undefined} options={paragraphs.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
        <Form.Item label="来源" name="source">
          <Select disabled={row !== undefined} options={recordSources.options.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
      </div>
      <Field of={addRecordText} name="text">
        <Input.TextArea rows={8} showCount />
      </Field>
      <Form.Item label="附件" name="fileIds">
        <FileIds />
      </Form.Item>
    </>
  );
  return row ? (
    <FormDrawer<typeof modifyRecordText, Values>
      {...shared}
      title="编辑病情资料"
      call={modifyRecordText}
      recordKey={row.id}
      toInput={({ text, fileIds }) => ({ id: row.id, version: row.version, text, fileIds: fileIds ?? [] })}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addRecordText, Values>
      {...shared}
      title="新增病情资料"
      call={addRecordText}
      toInput={({ fileIds, ...values }) => ({ patientId, ...values, fileIds: fileIds ?? [] })}
    >
      {fields}
    </FormDrawer>
  );
}
