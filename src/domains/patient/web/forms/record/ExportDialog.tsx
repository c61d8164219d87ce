import { Checkbox, Form, Modal } from 'antd';
import { useState } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { refresh } from '#kernel/web/http/queries.ts';
import { exportPatientRecord } from '../../../contract/calls/ehr.ts';
import { queryRecordAccessList, type PatientDetail } from '../../../contract/calls/sufferer.ts';
import { patientErrors } from '../../../contract/errors.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';

const parts = [
  { value: 'BASE', label: '基本信息' },
  { value: 'HISTORY', label: '诊疗史' },
  { value: 'modular001', label: '病情资料' },
  { value: 'modular002', label: '用药建议' },
  { value: 'modular003', label: '购药订单' },
  { value: 'modular004', label: '检查检验' },
  { value: 'CONSENT', label: '授权同意' },
] as const;
type Part = (typeof parts)[number]['value'];

/** 打印档案: a PDF with the reader's name and the time on every page; the reason is kept. */
export function ExportDialog({ detail, onClose }: { detail: PatientDetail; onClose(): void }) {
  const [chosen, setChosen] = useState<Part[]>(parts.map(({ value }) => value));
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState('');
  const file = useSaveFile(exportPatientRecord, { success: '已生成，请在浏览器下载中打开' });
  const submit = async () => {
    if (chosen.length === 0) return toast('请选择导出内容', 'warning');
    if (!reason.trim()) return setFault(patientErrors.EXPORT_REASON.text);
    const saved = await file.save({ patientId: detail.canonicalId, modules: chosen, reason: reason.trim() });
    if (!saved) return undefined;
    void refresh(queryRecordAccessList);
    return onClose();
  };
  return (
    <Modal
      open
      title={`打印档案：${detail.name}`}
      width={560}
      onCancel={onClose}
      onOk={() => void submit()}
      okText="生成PDF"
      cancelText="取消"
      okButtonProps={{ loading: file.busy }}
      destroyOnHidden
    >
      <Form layout="vertical">
        <Form.Item label="内容">
          <Checkbox.Group<Part> value={chosen} onChange={setChosen} options={parts.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
        <Form.Item
          label="导出原因"
          required
          validateStatus={fault ? 'error' : ''}
          help={fault || undefined}
          extra="每页带有您的姓名和时间水印，导出记入查看记录"
        >
          <TextArea
            aria-label="导出原因"
            rows={2}
            most={200}
            showCount
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setFault('');
            }}
          />
        </Form.Item>
      </Form>
    </Modal>
  );
}
