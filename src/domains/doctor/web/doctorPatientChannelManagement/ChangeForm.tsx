import { DatePicker, Form, Input } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { ChannelsPicker } from '../../../../kernel/web/kit/pickers.tsx';
import { addAttributionChange, EVIDENCE_PURPOSE, type AttributionRow } from '../../contract/attributionCalls.ts';
import { refreshes } from './attributionList.tsx';

interface Values {
  toChannelId?: readonly string[] | null;
  effectiveOn: Dayjs;
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
      initial={{ effectiveOn: dayjs().add(1, 'day').startOf('day') }}
      call={addAttributionChange}
      success={SERVER_MESSAGE}
      refreshes={refreshes}
      onClose={onClose}
      labels={{ toChannelId: '新渠道', effectiveOn: '生效日期', reason: '变更原因', evidenceFileIds: '证明材料' }}
      toInput={(values) => ({
        subjectType: row.subjectType,
        subjectId: row.subjectId,
        toChannelId: values.toChannelId?.at(-1) ?? null,
        effectiveOn: values.effectiveOn.format('YYYY-MM-DD'),
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
      <Form.Item label="生效日期" name="effectiveOn" rules={[{ required: true, message: '请选择生效日期' }]}>
        <DatePicker className="kq-wide" minDate={dayjs().startOf('day')} />
      </Form.Item>
      <Form.Item
        label="变更原因"
        name="reason"
        rules={[{ required: true, whitespace: true, min: 2, message: '请填写变更原因（至少2个字符）' }]}
      >
        <Input.TextArea rows={3} maxLength={500} showCount />
      </Form.Item>
      <Form.Item label="证明材料" name="files">
        <Upload purpose={EVIDENCE_PURPOSE} max={9} />
      </Form.Item>
    </FormDialog>
  );
}
