import { SwapOutlined } from '@ant-design/icons';
import { Button, Checkbox, Form, Modal } from 'antd';
import { useState } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { addPatientMerge } from '../../../contract/calls/merge.ts';
import type { PatientDetail } from '../../../contract/calls/sufferer.ts';
import PatientPicker from '../../picker/PatientPicker.tsx';
import { refreshes } from '../../shared/refreshes.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { MergeComparison, useMergePreview } from './MergeComparison.tsx';

const LEAST = 2;

/** 合并档案: side by side; which one survives can be turned round before it is asked for. */
export function MergeDialog({ from, onClose }: { from: PatientDetail; onClose(): void }) {
  const [other, setOther] = useState<string | null>(null);
  const [turned, setTurned] = useState(false);
  const [reason, setReason] = useState('');
  const [confirmed, setConfirmed] = useState(false);
  const [tried, setTried] = useState(false);
  const [fromId, intoId] = turned && other ? [other, from.canonicalId] : [from.canonicalId, other];
  const preview = useMergePreview(fromId, intoId, 'MAKE');
  const command = useCommand(addPatientMerge, { success: SERVER_MESSAGE, refreshes: refreshes.merges, onSuccess: onClose });
  const submit = async () => {
    setTried(true);
    if (!intoId) return toast('请选择另一份档案', 'warning');
    if (reason.trim().length < LEAST) return undefined;
    if (preview.data?.bothRecent && !confirmed) return toast('请确认保留的登录账号', 'warning');
    await command.run({ fromId, intoId, reason: reason.trim(), confirmed });
    return undefined;
  };
  const fault = tried && reason.trim().length < LEAST ? '请填写合并原因，至少2个字' : '';
  return (
    <Modal
      open
      title="合并档案"
      width={900}
      onCancel={onClose}
      onOk={() => void submit()}
      okText="提交审批"
      cancelText="取消"
      okButtonProps={{ disabled: command.busy || Boolean(preview.data?.refusal), loading: command.flying }}
      destroyOnHidden
    >
      <Form layout="vertical">
        <Form.Item label={`与“${from.name} ${from.patientNo}”是同一人的档案`} required>
          <div className="pa-row">
            <PatientPicker value={other} onChange={setOther} withoutNew />
            <Button icon={<SwapOutlined />} disabled={!other} onClick={() => setTurned(!turned)}>
              交换保留方
            </Button>
          </div>
        </Form.Item>
        {other && <MergeComparison preview={preview.data} error={preview.error} onRetry={() => void preview.refetch()} />}
        {preview.data?.bothRecent && (
          <Checkbox checked={confirmed} onChange={(event) => setConfirmed(event.target.checked)}>
            已确认保留 {preview.data.into.patientNo} 的登录账号
          </Checkbox>
        )}
        <Form.Item label="合并原因" required validateStatus={fault ? 'error' : ''} help={fault || undefined} style={{ marginTop: 12 }}>
          <TextArea
            aria-label="合并原因"
            rows={2}
            most={200}
            showCount
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Form.Item>
      </Form>
    </Modal>
  );
}
