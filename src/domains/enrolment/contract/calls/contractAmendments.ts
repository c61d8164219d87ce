import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, mobileText, optionalText, personName, text, version } from '#kernel/contract/fields.ts';
import { acted, CHANGED } from '#kernel/contract/service.ts';
import { amendmentTypes } from '../contractDictionaries.ts';
import { amendmentMachine } from '../contractStates.ts';
import { contractPermissions as may } from '../permissions.ts';
import { contractService } from './contracts.ts';

const isCard = (value: string) => /^\d{12,19}$/.test(value);
const answer = acted(amendmentMachine.dictionary.schema);

const amendmentInput = z
  .strictObject({
    contractId: field('合同', id),
    version,
    type: field('变更类型', amendmentTypes.schema),
    effectiveOn: field('生效日期', day),
    reason: text('变更原因', 200, 2),
    fileIds: field('依据', z._default(z.array(id).check(z.maxLength(5, '最多5个文件')), [])),
    drugIds: field('药品', z.optional(z.array(id).check(z.minLength(1, '请选择药品'), z.maxLength(10, '最多10个药品')))),
    payeeName: field('收款户名', z.optional(personName('收款户名', 40, 1))),
    payeeBank: field('收款银行', z.optional(text('收款银行', 60, 2))),
    payeeAccount: field('收款账号', z.optional(text('收款账号', 19).check(z.refine(isCard, '银行卡号格式不正确')))),
    mobile: field('手机号', z.optional(mobileText('手机号格式不正确'))),
    endDate: field('到期日期', z.optional(day)),
  })
  .check(
    between<{ type: string; drugIds?: string[] | undefined }>(
      ['type', 'drugIds'],
      ({ type, drugIds }) => type !== 'DRUG' || drugIds !== undefined,
      '请选择药品',
    ),
    between<{ type: string; payeeName?: string | undefined }>(
      ['type', 'payeeName'],
      ({ type, payeeName }) => type !== 'PAYEE' || payeeName !== undefined,
      '请输入收款户名',
    ),
    between<{ type: string; payeeBank?: string | undefined }>(
      ['type', 'payeeBank'],
      ({ type, payeeBank }) => type !== 'PAYEE' || payeeBank !== undefined,
      '请输入收款银行',
    ),
    between<{ type: string; payeeAccount?: string | undefined }>(
      ['type', 'payeeAccount'],
      ({ type, payeeAccount }) => type !== 'PAYEE' || payeeAccount !== undefined,
      '请输入收款账号',
    ),
    between<{ type: string; mobile?: string | undefined }>(
      ['type', 'mobile'],
      ({ type, mobile }) => type !== 'CONTACT' || mobile !== undefined,
      '请输入手机号',
    ),
    between<{ type: string; endDate?: string | undefined }>(
      ['type', 'endDate'],
      ({ type, endDate }) => type !== 'EXTEND' || endDate !== undefined,
      '请选择到期日期',
    ),
  );

export const addContractAmendment = contractService.act({
  operation: 'addContractAmendment',
  label: '发起合同变更',
  access: may['contract.amend'],
  idempotency: 'required',
  message: '提交成功!',
  secrets: ['payeeAccount', 'mobile'],
  input: amendmentInput,
  output: answer,
});
export const auditContractAmendment = contractService.act({
  operation: 'auditContractAmendment',
  label: '审批合同变更',
  access: may['contract.amendAudit'],
  ...CHANGED,
  input: {
    amendmentId: field('合同变更', id),
    version,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const cancelContractAmendment = contractService.act({
  operation: 'cancelContractAmendment',
  label: '撤销合同变更',
  access: may['contract.amend'],
  ...CHANGED,
  input: { amendmentId: field('合同变更', id), version },
  output: answer,
});
