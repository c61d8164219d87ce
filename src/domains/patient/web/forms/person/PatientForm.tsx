import { Alert, Form } from 'antd';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { modifyPatient, type PatientDetail } from '../../../contract/calls/sufferer.ts';
import { genders, idTypes } from '../../../contract/dictionaries.ts';
import { refreshes } from '../../shared/refreshes.ts';
import { fillFromIdNo, PersonFields } from './PersonFields.tsx';
import { medicalOf, personOf, sent, valuesOf, type PersonValues } from './personValues.ts';

const labels = {
  name: '姓名',
  gender: '性别',
  birthDate: '出生日期',
  mobileMasked: '手机号',
  idNoMasked: '证件号',
  allergyHistory: '过敏史',
};

/** 编辑患者: a proved name and number change by a new verification only. */
export function PatientForm({ detail, onClose }: { detail: PatientDetail; onClose(): void }) {
  const [form] = Form.useForm<PersonValues>();
  const locked = detail.realNameState === 'VERIFIED';
  const { medical } = detail;
  return (
    <FormDrawer<typeof modifyPatient, PersonValues>
      open
      title="编辑患者"
      call={modifyPatient}
      form={form}
      initial={valuesOf(detail)}
      recordKey={detail.patientId}
      success={SERVER_MESSAGE}
      refreshes={refreshes.person}
      labels={labels}
      display={(name, value) =>
        name === 'gender' ? genders.label(String(value)) : name === 'idType' ? idTypes.label(String(value)) : value
      }
      onClose={onClose}
      onValuesChange={(changed) => fillFromIdNo(form, changed as Partial<PersonValues>)}
      toInput={(values) => ({
        patientId: detail.canonicalId,
        version: detail.version,
        ...personOf(values),
        ...(medical && medicalOf(values)),
        ...(sent(values.idNo) !== null && { idNo: sent(values.idNo) }),
        ...(sent(values.mobile) !== null && { mobile: sent(values.mobile) }),
        ...(sent(values.address) !== null && { address: sent(values.address) }),
      })}
    >
      {locked && (
        <Alert
          type="info"
          showIcon
          className="kq-form-alert"
          title="已实名：姓名、性别、证件和出生日期不能直接修改，如有错误请先撤销实名后重新核验"
        />
      )}
      <PersonFields
        form={form}
        locked={locked}
        medical={medical !== null}
        held={{ idNo: detail.idNoMasked, mobile: detail.mobileMasked, address: detail.addressMasked }}
      />
    </FormDrawer>
  );
}
