import { Form, Input } from 'antd';

/** Fields of a payee account; `kept` is the masked one that stays when all are empty. */
export function AccountFields({ kept }: { kept: string | null }) {
  const required = kept === null;
  const rule = (message: string) => [{ required, whitespace: true, message }];
  return (
    <>
      {kept && <p className="kq-muted">当前账户：{kept}。不修改请留空；修改须填写全部字段并经审核后生效。</p>}
      <div className="in-two">
        <Form.Item label="收款户名" name={['account', 'companyName']} rules={rule('请输入收款户名')} extra="须与营业执照名称一致">
          <Input maxLength={100} />
        </Form.Item>
        <Form.Item label="税号" name={['account', 'taxNo']} rules={rule('请输入税号')}>
          <Input maxLength={20} />
        </Form.Item>
        <Form.Item label="开户行" name={['account', 'bankName']} rules={rule('请输入开户行')}>
          <Input maxLength={100} />
        </Form.Item>
        <Form.Item label="联行号" name={['account', 'bankNo']}>
          <Input maxLength={12} />
        </Form.Item>
        <Form.Item label="收款账号" name={['account', 'accountNo']} rules={rule('请输入收款账号')}>
          <Input maxLength={30} />
        </Form.Item>
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
