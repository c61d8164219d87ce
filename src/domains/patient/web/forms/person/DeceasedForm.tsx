import { Alert } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { operatePatient, type PatientDetail } from '../../../contract/calls/sufferer.ts';
import { patientErrors } from '../../../contract/errors.ts';
import { PastDay } from '#kernel/web/form/DayInput.tsx';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';

interface Values {
  deceasedOn: string;
  fileIds?: string[];
  opinion: string;
}

/** 登记身故. */
export function DeceasedForm({ detail, onClose }: { detail: PatientDetail; onClose(): void }) {
  return (
    <FormDrawer<typeof operatePatient, Values>
      open
      title={`登记身故：${detail.name}`}
      call={operatePatient}
      success={SERVER_MESSAGE}
      refreshes={refreshes.person}
      onClose={onClose}
      toInput={(values) => ({
        patientId: detail.canonicalId,
        version: detail.version,
        action: 'markDeceased',
        deceasedOn: values.deceasedOn,
        fileIds: values.fileIds ?? [],
        opinion: values.opinion,
      })}
    >
      <Alert type="warning" showIcon className="kq-form-alert" title="登记后停止随访和营销，咨询会话将提示医助；更正须由他人办理" />
      <Field of={operatePatient} name="deceasedOn" required>
        <PastDay />
      </Field>
      <Field of={operatePatient} name="fileIds" label="身故证明" rules={[{ required: true, message: patientErrors.DEATH_PROOF.text }]}>
        <FileIds max={3} />
      </Field>
      <Field of={operatePatient} name="opinion" label="说明" required rules={[{ min: 2, message: '说明至少2个字' }]} />
    </FormDrawer>
  );
}
