import { Form } from 'antd';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { ChannelsPicker } from '#kernel/web/kit/pickers.tsx';
import { addAttributionChange, EVIDENCE_PURPOSE, type AttributionRow } from '../../contract/calls/attribution.ts';
import { ComingDay } from '#kernel/web/form/DayInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { refreshes } from './attributionList.tsx';

interface Values {
  toChannelId?: readonly string[] | null;
  effectiveOn: Day;
  reason: string;
  files?: readonly UploadedFile[];
}

/** 申请变更: another channel from a day on; a second person decides. */
export function ChangeForm({ row, onClose }: { row: AttributionRow; onClose(): void }) {
  return (
    <FormDialog<typeof addAttributionChange, Values>
      open
      title={`申请归属变更：${row.subjectName}　${row.subjectNo ?? ''}`}
      width={560}
      recordKey={row.id}
      initial={{ effectiveOn: plusDays(todayHere(), 1) }}
      call={addAttributionChange}
      success={SERVER_MESSAGE}
      refreshes={refreshes}
      onClose={onClose}
      labels={{ toChannelId: '新渠道', effectiveOn: '生效日期', reason: '变更原因', evidenceFileIds: '证明材料' }}
      toInput={(values) => ({
        subjectType: row.subjectType,
        subjectId: row.subjectId,
        toChannelId: values.toChannelId?.at(-1) ?? null,
        effectiveOn: values.effectiveOn,
        reason: values.reason,
        evidenceFileIds: (values.files ?? []).map(({ fileId }) => fileId),
      })}
    >
      <p className="kq-muted">
        当前归属：{row.channelName ?? '自然流量'}
        {row.agentName ? ` / ${row.agentName}` : ''}。生效日 00:00 起按新归属，此前的订单与收入不变。
      </p>
      <Form.Item label="新渠道" name="toChannelId" extra="不选为自然流量；代表随渠道">
        <ChannelsPicker placeholder="自然流量" />
      </Form.Item>
      <Field of={addAttributionChange} name="effectiveOn">
        <ComingDay />
      </Field>
      <Field of={addAttributionChange} name="reason" />
      <Form.Item label="证明材料" name="files">
        <Upload purpose={EVIDENCE_PURPOSE} max={9} />
      </Form.Item>
    </FormDialog>
  );
}
