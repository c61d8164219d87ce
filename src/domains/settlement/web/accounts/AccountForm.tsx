import { Form, Skeleton } from 'antd';
import type { InputOf, OutputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { modifyDoctorPayAccount, queryDoctorAccountDetail } from '../../contract/calls/accounts.ts';
import { accountReads } from './useAccountActions.ts';

type Values = Omit<InputOf<typeof modifyDoctorPayAccount>, 'doctorId' | 'version'>;
const of = modifyDoctorPayAccount;
const kept = (masked: string | null) => (masked === null ? '请输入' : `${masked}，不改请留空`);

function Fields({ detail, onClose }: { detail: OutputOf<typeof queryDoctorAccountDetail>; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const { account } = detail;
  return (
    <FormDrawer<typeof modifyDoctorPayAccount, Values>
      open
      title={`编辑收款账户 ${account.doctorName}`}
      call={of}
      form={form}
      recordKey={account.id}
      initial={{
        realName: detail.realName || account.doctorName,
        idType: detail.idType ?? 'ID_CARD',
        taxResident: detail.taxResident,
        bankName: account.bankName,
        branchName: detail.branchName,
        cnapsCode: detail.cnapsCode ?? '',
      }}
      toInput={({ idNo, bankAccountNo, mobile, ...values }) => ({
        ...values,
        ...(idNo && { idNo }),
        ...(bankAccountNo && { bankAccountNo }),
        ...(mobile && { mobile }),
        doctorId: account.doctorId,
        version: account.version,
      })}
      refreshes={accountReads}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={of} name="realName" />
      <Field of={of} name="idType" />
      <Field of={of} name="idNo" placeholder={kept(detail.idNoMasked)} />
      <Field of={of} name="taxResident" />
      <Field of={of} name="bankName" />
      <Field of={of} name="branchName" />
      <Field of={of} name="cnapsCode" />
      <Field of={of} name="bankAccountNo" placeholder={kept(account.bankAccountMasked)} />
      <Field of={of} name="mobile" placeholder={kept(account.mobileMasked)} />
    </FormDrawer>
  );
}

/** 编辑收款账户: what is left empty of numbers stays as it is. */
export function AccountForm({ doctorId, onClose }: { doctorId: string; onClose(): void }) {
  const { data } = useData(queryDoctorAccountDetail, { doctorId });
  return data ? <Fields detail={data} onClose={onClose} /> : <Skeleton active />;
}
