import { InputNumber, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addQualityCheck, type VisitRow } from '../../contract/calls/visits.ts';
import { refreshes } from './visitList.tsx';

interface Values {
  score: number;
  tags: string[];
  note?: string;
}
const PROPOSED = ['回复及时', '用语规范', '病史完整', '诊断明确', '建议合理', '回复超时', '用语不当', '病史缺失', '建议不明确'];

/** 质检: a score from 0 to 100 with tags and a note. */
export function QualityDialog({
  row,
  onClose,
}: {
  row: Pick<VisitRow, 'serverId' | 'inquiryNo' | 'version' | 'qcScore'>;
  onClose(): void;
}) {
  return (
    <FormDialog<typeof addQualityCheck, Values>
      open
      title={`质检：${row.inquiryNo}`}
      width={520}
      call={addQualityCheck}
      recordKey={row.serverId}
      success={SERVER_MESSAGE}
      refreshes={refreshes}
      labels={{ score: '质检得分', tags: '质检标签', note: '质检说明' }}
      initial={{ tags: [], ...(row.qcScore !== null && { score: row.qcScore }) }}
      toInput={(values) => ({
        serverId: row.serverId,
        version: row.version,
        score: values.score,
        tags: values.tags,
        ...(values.note?.trim() && { note: values.note.trim() }),
      })}
      onClose={onClose}
    >
      <Field of={addQualityCheck} name="score">
        <InputNumber min={0} max={100} precision={0} style={{ width: 160 }} suffix="分" />
      </Field>
      <Field of={addQualityCheck} name="tags">
        <Select mode="tags" maxCount={8} placeholder="选择或输入，最多8个" options={PROPOSED.map((value) => ({ value, label: value }))} />
      </Field>
      <Field of={addQualityCheck} name="note" />
    </FormDialog>
  );
}
