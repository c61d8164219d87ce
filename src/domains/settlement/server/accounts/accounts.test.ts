import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { doctorChanged } from '#events/doctor.ts';
import {
  freezeDoctorSettle,
  modifyDoctorPayAccount,
  queryDoctorAccountDetail,
  queryDoctorAccountList,
  revealDoctorPayAccount,
  unfreezeDoctorSettle,
  verifyDoctorPayAccount,
} from '../../contract/calls/accounts.ts';
import { acting, earner, keeper, payeeInput, verifiedAccount } from '../testing/fixtures.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let doctorId: string;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
  ({ doctorId } = await earner(app));
});
afterAll(() => app.close());

const detail = () => app.ok(queryDoctorAccountDetail, { doctorId }, { as: maker });
const versionNow = async () => (await detail()).account.version;

it('is there with the first income, empty, and cannot be passed so', async () => {
  const { account, balances } = await detail();
  expect(account).toMatchObject({ pendingFen: 6_930, payableFen: 0, unsettledFen: 6_930, verifyStatus: 'UNVERIFIED', bankName: '' });
  expect(balances).toMatchObject([{ pendingFen: 6_930 }]);
  const verdict = { doctorId, version: account.version, decision: 'approve' as const };
  expect(await app.refused(verifyDoctorPayAccount, verdict, { as: checker })).toMatchObject({
    code: 'SCM19040',
    message: '收款账户资料不完整，请先补充开户姓名、证件号码、银行卡号、联行号',
  });
});

it('takes numbers of their form, and is looked at by another person than its last editor', async () => {
  const version = await versionNow();
  const input = { doctorId, version, ...payeeInput() };
  const wrong = (change: object) => app.refused(modifyDoctorPayAccount, { ...input, ...change }, { as: maker });
  expect(await wrong({ bankAccountNo: '123' })).toMatchObject({ code: 'SCM19046', message: '银行卡号应为12–19位数字' });
  expect(await wrong({ cnapsCode: '12' })).toMatchObject({ code: 'SCM19046', message: '联行号应为12位数字' });
  expect(await wrong({ idNo: '110105194912310021' })).toMatchObject({ fields: [{ message: '证件号码格式不正确' }] });
  expect(await wrong({ version: version + 5 })).toMatchObject({ code: 'SCM90030' });
  const changed = await app.ok(modifyDoctorPayAccount, input, { as: maker });
  const verdict = { doctorId, version: changed.version, decision: 'approve' as const };
  expect(await app.refused(verifyDoctorPayAccount, verdict, { as: maker })).toMatchObject({ code: 'SCM19001' });
  expect(await app.ok(verifyDoctorPayAccount, verdict, { as: checker })).toMatchObject({ state: 'VERIFIED' });
});

it('is masked everywhere, and shown in full by a logged act of who may', async () => {
  const { account, idNoMasked } = await detail();
  expect([account.bankAccountMasked, idNoMasked, account.mobileMasked]).toEqual(['************7890', '110***********002X', '138****5678']);
  const clerk = await app.staff({ permissions: ['settlement.account.view'] });
  expect(await app.refused(revealDoctorPayAccount, { id: account.id, field: 'idNo' }, { as: clerk })).toMatchObject({ code: 'SCM90010' });
  expect(await app.ok(revealDoctorPayAccount, { id: account.id, field: 'bankAccountNo' }, { as: maker })).toEqual({
    value: '6225881234567890',
  });
  const { rows } = await app.ok(queryDoctorAccountList, { mobile: '13812345678' }, { as: maker });
  expect(rows).toMatchObject([{ doctorId }]);
});

it('that is changed is to be looked at again, with the one before in its history', async () => {
  const { account } = await detail();
  const { bankAccountNo: _card, mobile: _mobile, idNo: _id, ...rest } = payeeInput();
  await app.ok(modifyDoctorPayAccount, { doctorId, version: account.version, ...rest, bankName: '交通银行' }, { as: checker });
  expect(await detail()).toMatchObject({
    account: { verifyStatus: 'UNVERIFIED', bankName: '交通银行', bankAccountMasked: '************7890' },
    history: [{ bankName: '招商银行', realName: '张医生' }],
  });
});

it('is frozen by hand with a reason, and by the doctors’ domain with the account', async () => {
  const opinion = '协议到期，暂停结算';
  const input = { doctorId, version: await versionNow(), opinion };
  expect(await app.refused(freezeDoctorSettle, { ...input, opinion: '' }, { as: checker })).toMatchObject({ code: 'SCM90020' });
  const frozen = await app.ok(freezeDoctorSettle, input, { as: checker });
  expect(await detail()).toMatchObject({ account: { settleState: 'FROZEN' }, freezeReason: opinion });
  await app.ok(unfreezeDoctorSettle, { ...input, version: frozen.version }, { as: checker });
  await verifiedAccount(app, doctorId);
  await acting(app, (ctx) =>
    ctx.publish(doctorChanged, doctorId, {
      doctorId,
      doctorNo: 'D1',
      operatorId: '1',
      name: '李医生',
      avatarFileId: null,
      titleCode: 'CHIEF',
      hospitalId: null,
      hospitalName: '第一医院',
      departmentId: null,
      adcode: null,
      accountState: 'FROZEN',
      qualState: 'APPROVED',
      practiceOk: false,
      acceptState: 'OFF',
      offUntil: null,
      channelId: null,
      agentId: null,
      changed: ['name', 'accountState'],
    }),
  );
  await app.runDue();
  expect(await detail()).toMatchObject({
    account: { doctorName: '李医生', hospitalName: '第一医院', settleState: 'FROZEN', verifyStatus: 'UNVERIFIED' },
    verifyMessage: '医生姓名已变更为李医生，请重新验证收款账户',
  });
});
