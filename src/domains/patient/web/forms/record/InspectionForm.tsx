import { Form, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addInspection } from '../../../contract/calls/ehr.ts';
import { inspectionKinds, type InspectionKind, type RecordSource } from '../../../contract/dictionaries.ts';
import type { PersonBrief } from '../../../contract/fields.ts';
import type { InspectionRow } from '../../../contract/modules.ts';
import { PastInstant } from '#kernel/web/form/InstantInput.tsx';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';
import { IndicatorItem } from './IndicatorFields.tsx';
import { inputOf, type IndicatorRow } from './indicatorRows.ts';

interface Values {
  kind: InspectionKind;
  itemName: string;
  hospitalName?: string;
  inspectionTime: string;
  source: RecordSource;
  conclusion?: string;
  fileIds?: string[];
  indicators?: IndicatorRow[];
}

/** 上传报告: the paper, its values as written there, and its conclusion. */
export function InspectionForm({
  patientId,
  person,
  request,
  onClose,
}: {
  patientId: string;
  person: Pick<PersonBrief, 'gender' | 'age'>;
  request?: InspectionRow;
  onClose(): void;
}) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof addInspection, Values>
      open
      width={760}
      title={request ? `上传报告：${request.itemName}` : '上传报告'}
      call={addInspection}
      form={form}
      initial={
        request
          ? { kind: request.kind, itemName: request.itemName, source: 'ASSISTANT', indicators: [] }
          : { source: 'ASSISTANT', indicators: [] }
      }
      success={SERVER_MESSAGE}
      refreshes={refreshes.inspections}
      onClose={onClose}
      toInput={(values) => ({
        patientId,
        kind: values.kind,
        itemName: values.itemName.trim(),
        hospitalName: values.hospitalName ?? '',
        inspectionTime: values.inspectionTime,
        source: values.source,
        conclusion: values.conclusion ?? '',
        fileIds: values.fileIds ?? [],
        indicators: inputOf(values.indicators ?? []),
        ...(request && { inspectionId: request.id }),
      })}
    >
      <Field of={addInspection} name="fileIds" label="报告文件" required={request !== undefined}>
        <FileIds hint="点击、拖入或粘贴报告图片、PDF，最多9个" />
      </Field>
      <div className="pa-two">
        <Field of={addInspection} name="kind" label="类型">
          <Select disabled={request !== undefined} options={inspectionKinds.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
        <Field of={addInspection} name="itemName" placeholder="如 肝功能、胸部CT" />
        <Field of={addInspection} name="inspectionTime">
          <PastInstant />
        </Field>
        <Field of={addInspection} name="hospitalName" />
        <Field of={addInspection} name="source" />
      </div>
      <IndicatorItem label="指标（按报告原样填写，单位自动换算）" person={person} />
      <Field of={addInspection} name="conclusion" />
    </FormDrawer>
  );
}
