import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { addApiClient, rotateApiKey } from '#domains/identity/contract/calls/apiClients.ts';
import { captcha, loginIn, modifyPassword, sendSmsCode } from '#domains/identity/contract/calls/login.ts';
import { querySmsOutbox } from '#domains/identity/contract/calls/system.ts';
import { addUserInfo, modifyUserInfo, resetUserPassword, revealUserMobile } from '#domains/identity/contract/calls/users.ts';
import { clientBody, roleId } from '#domains/identity/server/testing/fixtures.ts';
import { digitsOf, elsewhere, issue, patientUser } from '#domains/consultation/server/testing/participantWorld.ts';
import { makeInquiry } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { exchangeTicket } from '#domains/consultation/contract/calls/participants.ts';
import { revokeParticipantTicket } from '#domains/consultation/contract/calls/tickets.ts';
import { keeper as cardKeeper } from '#domains/card/server/testing/fixtures.ts';
import { doneGrant, someone } from '#domains/card/server/testing/grants.ts';
import { addChain } from '#domains/institution/contract/licenceCalls.ts';
import { auditStoreChange, queryStoreChangeList } from '#domains/institution/contract/storeCalls.ts';
import { freshName, freshUscc, keeper as institutionKeeper } from '#domains/institution/server/testing/fixtures.ts';
import { keeper as policyKeeper, passed, personWish } from '#domains/policy/server/testing/fixtures.ts';
import { aPolicy } from '#domains/policy/server/testing/orders.ts';
import { revealPatientField } from '#domains/patient/contract/calls/sufferer.ts';
import { keeper, makeWithId } from '#domains/patient/server/testing/fixtures.ts';
import { dumpTables, stands } from './dump.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// What people type and what is shown to them once, each known here, and at the end looked for in every row of every table.
const FIRST = 'Canary#First2026';
const SECOND = 'Canary#Second2026';
const MOBILE = '13711112222';
const NEW_MOBILE = '13733334444';

const secrets = new Map<string, string>();
const keep = (what: string, secret: string): string => {
  expect(secret.length, what).toBeGreaterThan(5);
  secrets.set(what, secret);
  return secret;
};
let keys = 0;
/** A key as a page sends it with a save. */
const withKey = (as: TestStaff) => ({ as, idempotencyKey: `canary-${(keys += 1)}-key` });

let app: TestApp;
let admin: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.staff({ role: 'SUPER_ADMIN', confirmed: true });
  keep('session of the administrator', admin.token);
});
afterAll(() => app.close());

const picture = async () => ({ captchaId: (await app.ok(captcha, {}, elsewhere())).captchaId, captcha: '8888' });
const rowsOf = async (call: { path: string }, { userId }: TestStaff) =>
  (
    await sql<{
      code: string;
    }>`select result_code as code from identity_operation_log where call = ${call.path} and user_id = ${userId} order by id`.execute(app.db)
  ).rows.map(({ code }) => code);

describe('a repeated reveal is a reveal', () => {
  it('leaves a row each time, and is refused once the permission is gone', async () => {
    const { userId } = await app.staff({ role: 'SERVICE', mobile: keep('mobile of a colleague', MOBILE) });
    const reader = await app.staff({ permissions: ['identity.user.reveal'] });
    const key = withKey(reader);
    expect(await app.ok(revealUserMobile, { id: userId }, key)).toEqual({ mobile: MOBILE });
    expect(await app.ok(revealUserMobile, { id: userId }, key)).toEqual({ mobile: MOBILE });
    // Another role may not do it.
    await sql`
      update identity_user_role
        set role_id = (select id from identity_role where role_code = 'SERVICE')
        where id = ${reader.userRoleId}`.execute(app.db);
    expect(await app.refused(revealUserMobile, { id: userId }, key)).toMatchObject({ code: 'SCM90010' });
    expect(await rowsOf(revealUserMobile, reader)).toEqual(['0000000', '0000000', 'SCM90010']);
  });

  it('counts against the limit', async () => {
    const person = await makeWithId(app);
    keep('identity number of a patient', person.idNo);
    const as = await keeper(app);
    const key = withKey(as);
    const input = { patientId: person.id, fields: ['mobile' as const, 'idNo' as const] };
    const { values } = await app.ok(revealPatientField, input, key);
    keep('mobile of a patient', values[0]?.value ?? '');
    for (let more = 1; more < 30; more++) await app.ok(revealPatientField, input, key);
    expect(await app.refused(revealPatientField, input, key)).toMatchObject({ code: 'SCM90011' });
    expect(await rowsOf(revealPatientField, as)).toHaveLength(31);
  });
});

describe('an act whose answer is secret', () => {
  it('is done once, and who repeats it is told so without the answer', async () => {
    const roles = [{ roleId: await roleId(app, 'SERVICE') }];
    const input = {
      userName: 'canary_user',
      displayName: '金丝雀',
      employer: 'SELF' as const,
      mobile: keep('new mobile', NEW_MOBILE),
      roles,
    };
    const key = withKey(admin);
    const { id, tempPassword } = await app.ok(addUserInfo, input, key);
    keep('temporary password', tempPassword);
    const again = await app.refused(addUserInfo, input, key);
    expect(again).toMatchObject({
      code: 'SCM90050',
      message: '该操作此前已执行，其结果含保密内容，不再重复给出，请刷新后查看',
      data: null,
    });
    expect(await app.refused(addUserInfo, { ...input, displayName: '别人' }, key)).toMatchObject({
      message: '重复请求：该请求编号已用于其他内容',
    });
    expect(JSON.stringify(again)).not.toContain(tempPassword);
    keep(
      'second temporary password',
      (await app.ok(resetUserPassword, { id, version: 1, opinion: '忘记密码' }, withKey(admin))).tempPassword,
    );
  });

  it('gives its key back when it is refused, though what it counted is kept', async () => {
    const staff = await app.staff({ role: 'SERVICE', password: FIRST });
    const key = withKey(staff);
    const input = { oldPassword: 'Wrong#Word2026', newPassword: SECOND };
    for (let time = 0; time < 2; time++) expect(await app.refused(modifyPassword, input, key)).toMatchObject({ code: 'SCM01010' });
  });

  it('rotates keys of machines and lets patients in', async () => {
    const { client, secret } = await app.ok(addApiClient, { ...clientBody, name: '金丝雀' }, withKey(admin));
    keep('secret of a machine', secret);
    const oldKeyExpiresAt = plusMs(app.clock.now(), minutes(1));
    keep('second secret', (await app.ok(rotateApiKey, { id: client.id, version: client.version, oldKeyExpiresAt }, withKey(admin))).secret);

    const served = await makeInquiry(app);
    const imUserId = patientUser(served);
    const ticket = await issue(app, served, imUserId);
    keep('ticket', ticket.token);
    const entered = await app.ok(exchangeTicket, { ticket: ticket.token, check: await digitsOf(app, imUserId) }, elsewhere());
    keep('session of a patient', entered.participantToken);
    keep('signature of a chat account', entered.userSig);
    await app.ok(revokeParticipantTicket, { id: ticket.id }, withKey(served.primary.staff));
  });
});

it('passwords, codes and sessions go the way of everybody', async () => {
  const staff = await app.staff({ role: 'SERVICE', password: keep('password', FIRST), mobile: '13755556666' });
  keep('mobile of who logs in by it', '13755556666');
  const entered = await app.ok(loginIn, { userName: staff.userName, password: FIRST, ...(await picture()) }, elsewhere());
  const as = { ...staff, token: keep('session by password', entered.Authorization) };
  await app.refused(
    loginIn,
    { userName: staff.userName, password: keep('wrong password', 'Canary#Wrong2026'), ...(await picture()) },
    elsewhere(),
  );
  const changed = await app.ok(modifyPassword, { oldPassword: FIRST, newPassword: keep('new password', SECOND) }, withKey(as));
  keep('session after the change', changed.Authorization);

  await app.ok(sendSmsCode, { mobile: '13755556666', purpose: 'LOGIN', ...(await picture()) }, elsewhere());
  const [message] = await app.ok(querySmsOutbox, { mobile: '13755556666' }, { as: admin });
  const smsCode = keep('code by SMS', /验证码(\d{6})/.exec(message!.text)?.[1] ?? '');
  keep('session by code', (await app.ok(loginIn, { method: 'SMS', mobile: '13755556666', smsCode }, elsewhere())).Authorization);
  await app.ok(modifyUserInfo, { id: staff.userId, version: 1, mobile: keep('changed mobile', '13777778888') }, withKey(admin));
  await app.runDue();
});

it('numbers of accounts and persons are told to other domains, and to whoever decides, out of sight', async () => {
  const name = freshName('连锁');
  const accountNo = keep('account of a chain', '6225880198765432');
  const account = { companyName: name, taxNo: freshUscc(), bankName: '招商银行', bankNo: '', accountNo };
  const contactMobile = keep('mobile of a chain', '13766667777');
  await app.ok(addChain, { name, uscc: freshUscc(), contactName: '王经理', contactMobile, account }, withKey(await institutionKeeper(app)));
  const [change] = (await app.ok(queryStoreChangeList, { name, state: ['PENDING'] }, { as: await institutionKeeper(app) })).rows;
  await app.ok(
    auditStoreChange,
    { changeId: change!.id, version: change!.version, action: 'approve' },
    withKey(await institutionKeeper(app)),
  );

  const { id: policyId } = await aPolicy(app);
  const person = personWish({ mobile: keep('mobile of an insured person', '13788889999') });
  keep('certificate of an insured person', person.idNo ?? '');
  const joined = { policyId, kind: 'ADD' as const, effectiveOn: app.clock.today(), after: { person, planCode: 'P1' } };
  await passed(app, await policyKeeper(app), await policyKeeper(app), joined);

  const holder = { ...someone(), mobile: keep('mobile of a card holder', '13799990000') };
  keep('certificate of a card holder', holder.idNo);
  await doneGrant(app, await cardKeeper(app), holder);
  await app.runDue();
  const { rows } = await sql<{ name: string }>`select distinct name from kernel_outbox`.execute(app.db);
  expect(rows.map((event) => event.name)).toEqual(
    expect.arrayContaining(['institution.drugstoreAccount.changed', 'policy.insured.added', 'card.card.granted']),
  );
});

it('none of it stands in clear in any row of any table', async () => {
  const tables = await dumpTables(app.db);
  expect(secrets.size).toBe(27);
  expect(tables.filter(({ text }) => text !== '').map(({ table }) => table)).toEqual(
    expect.arrayContaining([
      'identity_operation_log',
      'identity_login_log',
      'identity_sms_outbox',
      'kernel_idempotency',
      'kernel_outbox',
      'kernel_rate_counter',
    ]),
  );
  const found = tables.flatMap(({ table, text }) =>
    [...secrets].filter(([, secret]) => stands(text, secret)).map(([what]) => `${what}: ${table}`),
  );
  expect(found).toEqual([]);
});
