import { Form, Segmented } from 'antd';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { TextArea, TextInput } from '#kernel/web/kit/TextInput.tsx';
import type { ApplyDetail } from '../../contract/calls/applies.ts';
import { auditSignContract } from '../../contract/calls/appliesWork.ts';
import { INSURER_PROOF } from '../../contract/purposes.ts';
import { applyRefreshes } from './useApplyActions.ts';

interface Values {
  action: 'insurerAccept' | 'insurerReject' | 'insurerReturn';
  caseNo: string;
  opinion: string;
  files?: readonly UploadedFile[];
}
const ACTIONS = [
  { value: 'insurerAccept', label: '同意' },
  { value: 'insurerReject', label: '不同意' },
  { value: 'insurerReturn', label: '退回' },
];

/** 代录保司结论: what an insurer concluded on paper. */
export function InsurerForm({ apply, onClose }: { apply: ApplyDetail; onClose(): void }) {
  return (
    <FormDrawer<typeof auditSignContract, Values>
      open
      title="代录保司结论"
      call={auditSignContract}
      initial={{ action: 'insurerAccept', ...(apply.insurerCaseNo && { caseNo: apply.insurerCaseNo }) }}
      toInput={({ action, caseNo, opinion, files }) => ({
        applyId: apply.id,
        version: apply.version,
        action,
        opinion,
        insurer: { caseNo, fileId: files?.[0]?.fileId ?? null },
      })}
      refreshes={applyRefreshes}
      success="message"
      onClose={onClose}
    >
      <Form.Item name="action" label="保司结论" required rules={[{ required: true, message: '请填写保司结论' }]}>
        <Segmented options={ACTIONS} />
      </Form.Item>
      <Form.Item name="caseNo" label="保司案件号" required rules={[{ required: true, message: '请填写保司案件号' }]}>
        <TextInput most={40} />
      </Form.Item>
      <Form.Item name="opinion" label="保司意见" required rules={[{ required: true, message: '请填写保司意见' }]}>
        <TextArea rows={3} most={500} />
      </Form.Item>
      <Form.Item name="files" label="保司结论凭证" required rules={[{ required: true, message: '请填写保司结论凭证' }]}>
        <Upload purpose={INSURER_PROOF} max={1} />
      </Form.Item>
    </FormDrawer>
  );
}
