import * as z from 'zod/mini';
import { Field } from '#kernel/web/form/Field.tsx';
import { account } from '../../contract/fields.ts';

/** Each of its fields may stay empty, all at once: the account that there is stays. */
const keptAccount = z.partial(account);

/** Fields of a payee account; `kept` is the masked one that stays when all are empty. */
export function AccountFields({ kept }: { kept: string | null }) {
  const of = kept === null ? account : keptAccount;
  const within = ['account'];
  return (
    <>
      {kept && <p className="kq-muted">当前账户：{kept}。不修改请留空；修改须填写全部字段并经审核后生效。</p>}
      <div className="in-two">
        <Field of={of} name="companyName" within={within} extra="须与营业执照名称一致" />
        <Field of={of} name="taxNo" within={within} />
        <Field of={of} name="bankName" within={within} />
        <Field of={of} name="bankNo" within={within} />
        <Field of={of} name="accountNo" within={within} />
      </div>
    </>
  );
}
export interface AccountValues {
  companyName?: string;
  taxNo?: string;
  bankName?: string;
  bankNo?: string;
  accountNo?: string;
}
/** The call's account, or nothing when the operator left it as it is. */
export const accountInput = (values: AccountValues | undefined) =>
  values?.companyName || values?.accountNo
    ? {
        account: {
          companyName: values.companyName ?? '',
          taxNo: values.taxNo ?? '',
          bankName: values.bankName ?? '',
          bankNo: values.bankNo ?? '',
          accountNo: values.accountNo ?? '',
        },
      }
    : {};
export const accountText = (account: { companyName: string; bankName: string; accountNo: string } | null): string | null =>
  account && `${account.companyName}，${account.bankName}，${account.accountNo}`;
