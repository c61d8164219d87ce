import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  fen,
  flag,
  id,
  idOut,
  instantOut,
  mobileText,
  opinion,
  optionalText,
  personName,
  several,
  text,
  textOrNull,
  version,
} from '#kernel/contract/fields.ts';
import { between, coded } from '#kernel/contract/between.ts';
import { idNumberFault } from '#kernel/contract/idNumber.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, CHANGED, declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { payeeFields, payeeIdTypes } from '../dictionaries.ts';
import { settlementErrors } from '../errors.ts';
import { decision, doctorOut } from '../fields.ts';
import { settlementPermissions as may } from '../permissions.ts';
import { accountMachine, settleMachine } from '../states.ts';

const service = declareService('DoctorAccountService');
const view = may['account.view'];

const accountRow = z.strictObject({
  id: idOut,
  ...doctorOut,
  pendingFen: field('待入账', fen),
  payableFen: field('可结算', fen),
  heldFen: field('付款预占', fen),
  clawbackFen: field('应追回', fen),
  unsettledFen: field('未结算合计', fen),
  bankName: field('收款银行', z.string(), { width: 150 }),
  bankAccountMasked: field('卡号', textOrNull, { width: 150 }),
  mobileMasked: field('手机号', textOrNull, { width: 120 }),
  verifyStatus: field('验证状态', accountMachine.dictionary.schema, { width: 100 }),
  settleState: field('结算状态', settleMachine.dictionary.schema, { width: 100 }),
  /** Companies with which an account of his in the books is frozen. */
  frozenBooks: field('账簿冻结', textOrNull, { width: 150 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
  allowedActions: actionsOf(accountMachine),
});
export type AccountRow = z.output<typeof accountRow>;
export const queryDoctorAccountList = service.list({
  operation: 'queryDoctorAccountList',
  label: '查询医生账户',
  access: view,
  filter: {
    doctorId: field('医生', z.optional(id)),
    doctorName: z.optional(text('医生姓名', 40)),
    mobile: field('手机号', z.optional(mobileText('手机号格式不正确')), { example: '完整手机号' }),
    verifyStatus: field('验证状态', z.optional(several(accountMachine.dictionary.schema))),
    settleState: field('结算状态', z.optional(settleMachine.dictionary.schema)),
    isBookFrozen: field('账簿冻结', z.optional(flag)),
    balanceFrom: field('未结算余额起', z.optional(fen)),
    balanceTo: field('未结算余额止', z.optional(fen)),
  },
  secrets: ['mobile'],
  output: accountRow,
});
export const exportDoctorAccountList = exportOf(queryDoctorAccountList, {
  operation: 'exportDoctorAccountList',
  label: '导出医生账户',
  access: may['account.export'],
});
export const queryDoctorAccountDetail = service.read({
  operation: 'queryDoctorAccountDetail',
  label: '查看医生账户',
  access: view,
  input: { doctorId: field('医生', id) },
  output: z.strictObject({
    account: accountRow,
    realName: field('开户姓名', z.string()),
    idType: field('证件类型', z.nullable(payeeIdTypes.schema)),
    idNoMasked: field('证件号码', textOrNull),
    taxResident: field('居民个人', z.boolean()),
    branchName: field('开户支行', z.string()),
    cnapsCode: field('联行号', textOrNull),
    verifiedAt: field('验证时间', z.nullable(instantOut)),
    verifyMessage: field('验证说明', textOrNull),
    freezeReason: field('冻结原因', textOrNull),
    balances: z.array(
      z.strictObject({
        payerName: z.string(),
        pendingFen: fen,
        payableFen: fen,
        heldFen: fen,
        clawbackFen: fen,
        /** Why an account of it in the books is frozen; null: none is. */
        frozenReason: textOrNull,
      }),
    ),
    history: z.array(
      z.strictObject({
        id: idOut,
        realName: z.string(),
        idNoMasked: textOrNull,
        bankName: z.string(),
        bankAccountMasked: textOrNull,
        changedByName: z.string(),
        changedAt: instantOut,
      }),
    ),
    trail,
  }),
});

const wrong = (text: string) => ({ refusal: settlementErrors.WRONG_ACCOUNT, text: () => text });
const cardNo = text('银行卡号', 19).check(coded(wrong('银行卡号应为12–19位数字'), (value: string) => /^\d{12,19}$/.test(value)));
const answer = acted(accountMachine.dictionary.schema);
export const modifyDoctorPayAccount = service.act({
  operation: 'modifyDoctorPayAccount',
  label: '编辑收款账户',
  access: may['account.edit'],
  ...CHANGED,
  secrets: ['idNo', 'bankAccountNo', 'mobile'],
  input: z
    .strictObject({
      doctorId: field('医生', id),
      version,
      realName: personName('开户姓名', 40, 1),
      idType: field('证件类型', payeeIdTypes.schema),
      /** Empty: stays as it is; so do card and mobile. */
      idNo: field('证件号码', z.optional(text('证件号码', 20, 5))),
      taxResident: field('居民个人', flag),
      bankName: text('收款银行', 60, 2),
      branchName: optionalText('开户支行', 80),
      cnapsCode: text('联行号', 12).check(coded(wrong('联行号应为12位数字'), (value: string) => /^\d{12}$/.test(value))),
      bankAccountNo: field('银行卡号', z.optional(cardNo)),
      mobile: field('手机号', z.optional(mobileText('手机号格式不正确'))),
    })
    .check(
      between<{ idType: string; idNo?: string | undefined }>(
        ['idType', 'idNo'],
        ({ idType, idNo }) => idNo === undefined || idType !== 'ID_CARD' || idNumberFault(idNo.toUpperCase()) === null,
        '证件号码格式不正确',
      ),
    ),
  output: answer,
});
export const verifyDoctorPayAccount = service.act({
  operation: 'verifyDoctorPayAccount',
  label: '验证收款账户',
  access: may['account.verify'],
  input: { doctorId: field('医生', id), version, decision, opinion: optionalText('意见', 500) },
  output: answer,
});
const onSettle = { doctorId: field('医生', id), version, opinion };
const settleAnswer = acted(settleMachine.dictionary.schema);
export const freezeDoctorSettle = service.act({
  operation: 'freezeDoctorSettle',
  label: '冻结医生结算',
  access: may['account.freeze'],
  input: onSettle,
  output: settleAnswer,
});
export const unfreezeDoctorSettle = service.act({
  operation: 'unfreezeDoctorSettle',
  label: '解除冻结医生结算',
  access: may['account.freeze'],
  input: onSettle,
  output: settleAnswer,
});
/** `id` is the account's. */
export const revealDoctorPayAccount = service.reveal({
  operation: 'revealDoctorPayAccount',
  label: '查看收款账户明文',
  access: may['account.reveal'],
  input: { field: field('字段', z.enum(payeeFields, '字段不正确')) },
});
