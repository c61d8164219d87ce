import { Segmented } from 'antd';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import type { ApplyDetail } from '../../contract/calls/applies.ts';
import { auditSignContract as of, insurerConclusion } from '../../contract/calls/appliesWork.ts';
import { INSURER_PROOF } from '../../contract/purposes.ts';
import { applyRefreshes } from './useApplyActions.ts';

interface Values {
  action: 'insurerAccept' | 'insurerReject' | 'insurerReturn';
  caseNo: string;
  opinion: string;
  fileId?: readonly UploadedFile[];
}
const ACTIONS = [
  { value: 'insurerAccept', label: '同意' },
  { value: 'insurerReject', label: '不同意' },
  { value: 'insurerReturn', label: '退回' },
];

/** 代录保司结论: what an insurer concluded on paper. */
export function InsurerForm({ apply, onClose }: { apply: ApplyDetail; onClose(): void }) {
  return (
    <FormDrawer<typeof of, Values>
      open
      title="代录保司结论"
      call={of}
      initial={{ action: 'insurerAccept', ...(apply.insurerCaseNo && { caseNo: apply.insurerCaseNo }) }}
      toInput={({ action, caseNo, opinion, fileId }) => ({
        applyId: apply.id,
        version: apply.version,
        action,
        opinion,
        insurer: { caseNo, fileId: fileId?.[0]?.fileId ?? null },
      })}
      refreshes={applyRefreshes}
      success="message"
      onClose={onClose}
    >
      <Field of={of} name="action" label="保司结论" required>
        <Segmented options={ACTIONS} />
      </Field>
      <Field of={insurerConclusion} name="caseNo" />
      <Field of={of} name="opinion" label="保司意见" required>
        <TextArea rows={3} most={500} />
      </Field>
      <Field of={insurerConclusion} name="fileId" required>
        <Upload purpose={INSURER_PROOF} max={1} />
      </Field>
    </FormDrawer>
  );
}
