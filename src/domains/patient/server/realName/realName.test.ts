import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { signedHeaders } from '#testing/signing.ts';
import { submitRealName } from '../../contract/calls/intranet.ts';
import {
  addRealNameCheck,
  addRealNameSwitch,
  auditRealName,
  modifyRealNameSwitch,
  queryRealNameHistory,
  resetRealName,
  resolveRealNameSwitch,
} from '../../contract/calls/realName.ts';
import { queryPatientDetail } from '../../contract/calls/sufferer.ts';
import { registerBlocker } from '../persons/operate.ts';
import {
  freshIdNo,
  idNoOf,
  keeper,
  makePatient,
  makeVerified,
  makeWithId,
  next,
  requestNo,
  upload,
  versionOf,
} from '../testing/fixtures.ts';
import { resolveRealName } from './switches.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const stateOf = async (patientId: string) => (await app.ok(queryPatientDetail, { patientId }, { as: await keeper(app) })).realNameState;
const events = async (id: string) =>
  (
    await sql<{ state: string }>`
      select payload->>'state' as state
        from kernel_outbox
        where name = 'patient.realName.changed' and aggregate_id = ${id}
        order by id`.execute(app.db)
  ).rows.map(({ state }) => state);

describe('a check', () => {
  it('is refused for a wrong form, and after five of a day', async () => {
    const plain = await makePatient(app);
    expect(await app.refused(addRealNameCheck, { patientId: plain.id, version: 1 }, { as: plain.by })).toMatchObject({ code: 'SCM09011' });
    const { id, by, birthDate } = await makeWithId(app);
    const wrong = idNoOf(birthDate, 996);
    for (let n = 0; n < 5; n += 1) {
      expect(await app.ok(addRealNameCheck, { patientId: id, version: await versionOf(app, id), idNo: wrong }, { as: by })).toMatchObject({
        state: 'FAILED',
        result: 'MISMATCH',
      });
    }
    expect(await app.refused(addRealNameCheck, { patientId: id, version: await versionOf(app, id) }, { as: by })).toMatchObject({
      code: 'SCM09010',
    });
    expect(await app.ok(queryRealNameHistory, { patientId: id }, { as: by })).toMatchObject({ leftToday: 0, checks: { length: 5 } });
  });

  it('that passes proves name, number, birthday and gender', async () => {
    const { id, by } = await makePatient(app, { gender: 2 });
    const { idNo, birthDate } = freshIdNo();
    expect(await app.ok(addRealNameCheck, { patientId: id, version: 1, name: '张建国', idNo, idType: 'ID' }, { as: by })).toMatchObject({
      state: 'VERIFIED',
      result: 'PASS',
    });
    expect(await app.ok(queryPatientDetail, { patientId: id }, { as: by })).toMatchObject({
      name: '张建国',
      birthDate,
      gender: 1,
      realNameState: 'VERIFIED',
    });
    expect(await events(id)).toEqual(['PENDING', 'VERIFIED']);
  });

  it('of one number for two records at once proves one of them', async () => {
    const { idNo } = freshIdNo();
    const pair = [await makePatient(app), await makePatient(app)];
    const answers = await Promise.all(
      pair.map(({ id, by }) => app.send(addRealNameCheck, { patientId: id, version: 1, name: '张建国', idType: 'ID', idNo }, { as: by })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM09012']);
    expect((await Promise.all(pair.map(({ id }) => stateOf(id)))).filter((state) => state === 'VERIFIED')).toHaveLength(1);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n
        from patient_patient
        where real_name_state = 'VERIFIED' and id_no_hash is not null
        group by id_type, id_no_hash
        having count(*) > 1`.execute(app.db);
    expect(rows).toEqual([]);
  });

  it('of one number in two processes at once proves one of the two records', async () => {
    const other = await startTestApp({ beside: app });
    try {
      for (let round = 0; round < 3; round += 1) {
        const { idNo } = freshIdNo();
        const pair = [await makePatient(app), await makePatient(app)] as const;
        const ask = ({ id, by }: (typeof pair)[number], on: TestApp) =>
          on.send(addRealNameCheck, { patientId: id, version: 1, name: '张建国', idType: 'ID', idNo }, { as: by });
        const answers = await Promise.all([ask(pair[0], app), ask(pair[1], other)]);
        expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM09012']);
        expect((await Promise.all(pair.map(({ id }) => stateOf(id)))).filter((state) => state === 'VERIFIED')).toHaveLength(1);
      }
    } finally {
      await other.close();
    }
  });

  it('whose provider fails three times goes to a person, who is not the one that asked', async () => {
    const { id, by, birthDate } = await makeWithId(app);
    await app.ok(addRealNameCheck, { patientId: id, version: 1, idNo: idNoOf(birthDate, 998), name: '张建国' }, { as: by });
    expect(await stateOf(id)).toBe('PENDING');
    await app.advance(minutes(2));
    await app.advance(minutes(4));
    expect(await stateOf(id)).toBe('MANUAL');
    const own = await app.staff({ permissions: ['patient.realName.audit', 'patient.realName.verify', 'patient.patient.view'] });
    const decide = async () => ({
      patientId: id,
      version: await versionOf(app, id),
      action: 'manualPass' as const,
      opinion: '核对证件原件',
    });
    expect(await app.refused(auditRealName, await decide(), { as: by })).toMatchObject({ code: 'SCM09014' });
    expect(await app.ok(auditRealName, await decide(), { as: own })).toMatchObject({ state: 'VERIFIED' });
  });

  it('that failed is handed to a person with the papers alone', async () => {
    const { id, by } = await makePatient(app);
    await app.ok(
      addRealNameCheck,
      { patientId: id, version: 1, name: '阿依古丽·买买提', idType: 'ID', idNo: freshIdNo(102).idNo },
      { as: by },
    );
    const handing = { patientId: id, version: await versionOf(app, id), action: 'toManual' as const, opinion: '姓名含间隔号' };
    expect(await app.refused(auditRealName, handing, { as: by })).toMatchObject({ code: 'SCM09013' });
    await app.ok(auditRealName, { ...handing, fileIds: [await upload(app, by)] }, { as: by });
    const decision = { patientId: id, version: await versionOf(app, id), action: 'manualPass' as const, opinion: '与原件一致' };
    expect(await app.refused(auditRealName, decision, { as: by })).toMatchObject({ code: 'SCM09014' });
    await app.ok(auditRealName, decision, { as: await keeper(app) });
    expect(await app.ok(queryPatientDetail, { patientId: id }, { as: by })).toMatchObject({
      name: '阿依古丽·买买提',
      realNameState: 'VERIFIED',
      gender: 2,
    });
  });

  it('of the client is answered at once, applied after the commit and repeated by its number', async () => {
    const { id } = await makePatient(app);
    const input = { externalRequestNo: requestNo(), patientId: id, name: '张建国', idNo: freshIdNo().idNo };
    const send = async () => app.ok(submitRealName, input, { headers: await signedHeaders(app, submitRealName, input) });
    expect(await send()).toEqual({ patientId: id, state: 'PENDING' });
    expect(await stateOf(id)).toBe('VERIFIED');
    expect(await send()).toEqual({ patientId: id, state: 'PENDING' });
    const other = { ...input, name: '李建国' };
    expect(await app.refused(submitRealName, other, { headers: await signedHeaders(app, submitRealName, other) })).toMatchObject({
      code: 'SCM90050',
    });
  });
});

it('takes a proof back only when nothing hangs on it', async () => {
  const { id } = await makeVerified(app);
  let contracts = 1;
  registerBlocker('生效合同', async () => ({ count: contracts, link: '/signContractList' }));
  const as = await keeper(app);
  const input = { patientId: id, version: await versionOf(app, id), opinion: '证件冒用' };
  expect(await app.refused(resetRealName, input, { as })).toMatchObject({
    code: 'SCM09015',
    data: { blockers: [{ name: '生效合同', count: 1 }] },
  });
  contracts = 0;
  expect(await app.ok(resetRealName, input, { as })).toMatchObject({ state: 'UNVERIFIED' });
  expect((await events(id)).at(-1)).toBe('UNVERIFIED');
});

describe('switches', () => {
  const add = async (scopeType: 'GLOBAL' | 'CHANNEL' | 'DISEASE' | 'SERVICE_ITEM' | 'DOCTOR', scopeId: string, more: object = {}) =>
    app.ok(
      addRealNameSwitch,
      {
        scopeType,
        scopeId,
        scopeName: scopeType === 'GLOBAL' ? '' : '某处',
        scene: 'CONSULT',
        required: true,
        minMethod: 'ID2',
        effectiveFrom: '2026-11-01T00:00:00.000Z',
        reason: '测试配置',
        ...more,
      },
      { as: await keeper(app) },
    );

  it('that the law wants cannot be off, and stand once per scope', async () => {
    const as = await keeper(app);
    const input = {
      scopeType: 'DOCTOR' as const,
      scopeId: String(next() + 9_000),
      scopeName: '陈立',
      scene: 'PRESCRIBE' as const,
      required: false,
      minMethod: 'ID2' as const,
      effectiveFrom: '2026-11-01T00:00:00.000Z',
      reason: '测试配置',
    };
    expect(await app.refused(addRealNameSwitch, input, { as })).toMatchObject({ code: 'SCM09060' });
    const made = await app.ok(addRealNameSwitch, { ...input, required: true }, { as });
    expect(await app.refused(addRealNameSwitch, { ...input, required: true }, { as })).toMatchObject({ code: 'SCM09061' });
    expect(
      await app.refused(
        modifyRealNameSwitch,
        { id: made.id, version: 1, required: false, minMethod: 'ID2', effectiveFrom: '2026-11-01T00:00:00.000Z', reason: '关闭' },
        { as },
      ),
    ).toMatchObject({ code: 'SCM09060' });
  });

  it('without a time count at once by the clock of the server, whatever the clock of a browser says', async () => {
    const as = await keeper(app);
    const scopeId = String(next() + 9_000);
    const made = await add('DOCTOR', scopeId, { effectiveFrom: undefined, required: false });
    expect(made).toMatchObject({ effective: true, effectiveFrom: app.clock.now() });
    const ask = () => app.ok(resolveRealNameSwitch, { scene: 'CONSULT', doctorId: scopeId }, { as });
    expect(await ask()).toMatchObject({ required: false, decidedBy: { id: made.id } });
    const fields = { id: made.id, required: true, minMethod: 'FACE' as const, reason: '改为人脸' };
    const later = await app.ok(modifyRealNameSwitch, { ...fields, version: 1, effectiveFrom: '2030-01-01T00:00:00.000Z' }, { as });
    expect(later).toMatchObject({ effective: false });
    expect(await app.ok(modifyRealNameSwitch, { ...fields, version: 2 }, { as })).toMatchObject({ effective: true });
    expect(await ask()).toMatchObject({ required: true, minMethod: 'FACE', decidedBy: { id: made.id } });
  });

  it('decide from the narrowest, and the stricter demand wins', async () => {
    const now = app.clock.now();
    const global = await add('GLOBAL', '0');
    await add('CHANNEL', '11', { minMethod: 'ID3' });
    await add('DISEASE', '12', { required: false });
    const item = await add('SERVICE_ITEM', '13', { minMethod: 'FACE' });
    await add('DOCTOR', '14', { effectiveFrom: '2030-01-01T00:00:00.000Z', required: false });
    const ask = (question: object) => resolveRealName(app.db, { scene: 'CONSULT', ...question }, now);
    expect(await ask({})).toMatchObject({ required: true, minMethod: 'ID2', decidedBy: { id: global.id } });
    expect(await ask({ channelId: '11' })).toMatchObject({ minMethod: 'ID3' });
    expect(await ask({ channelId: '11', diseaseId: '12' })).toMatchObject({ required: false, minMethod: null });
    expect(await ask({ diseaseId: '12', itemId: '13' })).toMatchObject({ minMethod: 'FACE', decidedBy: { id: item.id } });
    expect(await ask({ doctorId: '14' })).toMatchObject({ required: true, minMethod: 'ID2' });
    expect(await ask({ diseaseId: '12', floor: 'ID3' })).toMatchObject({ required: true, minMethod: 'ID3', decidedBy: null });
    expect(await resolveRealName(app.db, { scene: 'CLAIM' }, now)).toMatchObject({ required: true, minMethod: 'ID2', decidedBy: null });
    expect(await resolveRealName(app.db, { scene: 'REGISTER' }, now)).toMatchObject({ required: false });
  });
});
