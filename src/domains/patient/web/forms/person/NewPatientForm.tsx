import { Alert, Button, Form } from 'antd';
import { useState } from 'react';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { addPatient, type Duplicate } from '../../../contract/calls/sufferer.ts';
import { patientErrors } from '../../../contract/errors.ts';
import { genders } from '../../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../../contract/permissions.ts';
import { PersonCard } from '../../shared/person.tsx';
import '../../shared/patient.css';
import { fillFromIdNo, PersonFields } from './PersonFields.tsx';
import { addInput, emptyPerson, type PersonValues } from './personValues.ts';

interface NewPatientFormProps {
  initial?: Partial<PersonValues>;
  onClose(): void;
  /** The new record, or the one that was found to be the same person. */
  onDone(person: { patientId: string; name: string }): void;
}

const isDuplicates = (data: unknown): data is { possibleDuplicates: Duplicate[] } =>
  typeof data === 'object' && data !== null && 'possibleDuplicates' in data && Array.isArray(data.possibleDuplicates);

/** 新建档案: possible duplicates stand beside what was typed; one of them can be taken instead. */
export function NewPatientForm({ initial, onClose, onDone }: NewPatientFormProps) {
  const [form] = Form.useForm<PersonValues>();
  const medical = useMay()(rights['record.edit']);
  const [duplicates, setDuplicates] = useState<Duplicate[]>([]);
  const [typed, setTyped] = useState<PersonValues | null>(null);
  return (
    <FormDrawer<typeof addPatient, PersonValues>
      open
      title="新建档案"
      width={duplicates.length > 0 ? 900 : 640}
      call={addPatient}
      form={form}
      initial={{ ...emptyPerson, ...initial }}
      success={SERVER_MESSAGE}
      submitText={duplicates.length > 0 ? '不是同一人，仍要新建' : '确定'}
      onClose={onClose}
      onValuesChange={(changed) => {
        fillFromIdNo(form, changed as Partial<PersonValues>);
        // Something else is said now: the warning was about the former.
        setDuplicates([]);
      }}
      onRefused={(error) => {
        if (error.code !== patientErrors.DUPLICATE.code || !isDuplicates(error.data)) return false;
        setTyped(form.getFieldsValue(true) as PersonValues);
        setDuplicates(error.data.possibleDuplicates);
        return true;
      }}
      toInput={(values) => addInput(values, medical, duplicates.length > 0)}
      onDone={({ data }) => onDone({ patientId: data.patientId, name: String(form.getFieldValue('name')) })}
    >
      {duplicates.length > 0 && typed && (
        <>
          <Alert type="warning" showIcon className="kq-form-alert" title={`疑似重复档案（${duplicates.length}条），请确认`} />
          <div className="pa-sides pa-section">
            <div className="pa-card">
              <b>本次填写</b>
              <div>
                {typed.name}　{genders.label(String(typed.gender))}
              </div>
              <div className="kq-muted">
                {typed.birthDate ?? '出生日期未填'}　{typed.mobile || '手机号未填'}
              </div>
              <div className="kq-muted">{typed.idNo || '证件号未填'}</div>
            </div>
            <div>
              {duplicates.map((person) => (
                <div key={person.patientId} className="pa-card">
                  <div className="pa-row">
                    <PersonCard person={person} note={person.reasons.join('、')} />
                    <Button size="small" onClick={() => onDone(person)}>
                      使用此档案
                    </Button>
                  </div>
                </div>
              ))}
            </div>
          </div>
        </>
      )}
      <PersonFields form={form} medical={medical} />
    </FormDrawer>
  );
}
