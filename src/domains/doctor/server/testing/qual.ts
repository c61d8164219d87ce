import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CheckedInputOf, InputOf } from '#kernel/contract/call.ts';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { machineClient, signedHeaders } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addDepartment } from '#domains/institution/contract/departmentCalls.ts';
import { addHospital } from '#domains/institution/contract/hospitalCalls.ts';
import { institutionPermissions } from '#domains/institution/contract/permissions.ts';
import { registerDoctor, submitDoctorQualification } from '../../contract/calls/register.ts';
import { auditQualApply, claimQualApply, queryQualApplyDetail, saveQualApplyWork } from '../../contract/calls/qual.ts';
import { checkCharacter } from '#kernel/contract/idNumber.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { CERT_PURPOSE } from '../qual/files.ts';

export const NONE = '999999999';
let serial = 0;
const next = () => (serial += 1);
const names = [...'李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗'];
const given = [...'文建国明华伟芳敏静丽强磊军洋勇艳杰娟涛超'];

/** Facts of a person who is nobody else. */
export function freshPerson() {
  const n = next();
  const first17 = `330106${1960 + (n % 35)}0${1 + (n % 9)}1${n % 9}${String(n).padStart(3, '0')}`;
  return {
    n,
    name: `${names[n % 20]}${given[Math.floor(n / 20) % 20]}${given[(n * 7) % 20]}`,
    idNo: `${first17}${checkCharacter(first17)}`,
    mobile: `139${String(10_000_000 + n)}`,
  };
}
export type Person = ReturnType<typeof freshPerson>;

const auditorRights = [may['qual.view'].code, may['qual.audit'].code, may['doctor.view'].code, may['sensitive.reveal'].code];
export const firstAuditor = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: auditorRights });
export const secondAuditor = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: [...auditorRights, may['qual.recheck'].code] });
export const enterer = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: [may['qual.view'].code, may['qual.enter'].code, may['doctor.view'].code] });

const words = [...'子丑寅卯辰巳午未申酉戌亥甲乙丙丁戊己庚辛壬癸'];
export async function makeHospital(app: TestApp) {
  const as = await app.staff({ permissions: Object.values(institutionPermissions).map(({ code }) => code) });
  const n = next();
  const name = `${words[n % 22]}${words[Math.floor(n / 22) % 22]}${words[(n * 5) % 22]}${words[(n * 3 + 1) % 22]}医院`;
  const { id } = await app.ok(
    addHospital,
    { name, level: 'L3A', kind: 'GENERAL', ownership: 'PUBLIC', adcode: '330106', address: '文三路1号' },
    { as },
  );
  const { id: departmentId } = await app.ok(addDepartment, { hospitalId: id, name: '心血管内科', standardDeptCode: '03.04' }, { as });
  return { hospitalId: id, departmentId, name };
}
export type Hospital = Awaited<ReturnType<typeof makeHospital>>;

/** Pictures that an uploader may hand in. `-1`…: the machine callers, by their number. */
export async function picture(app: TestApp, createdBy: string, count = 1, purpose = CERT_PURPOSE): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { fileId } = await app.kernel.transactions.run('test', ({ tx }) =>
      app.kernel.ports.files.store(
        tx,
        { purpose, name: '证件.png', body: Buffer.from('png'), contentType: 'image/png', createdBy },
        app.clock.now(),
      ),
    );
    ids.push(fileId);
  }
  return ids;
}

type Certs = InputOf<typeof submitDoctorQualification>['certs'];
const practiceNo = (n: number) => `1103301060${String(n).padStart(5, '0')}`;
/** All that a first application needs; `change` replaces facts of a kind. */
export async function certsOf(
  app: TestApp,
  uploader: string,
  person: Person,
  hospitalName: string,
  change: Partial<Record<string, object>> = {},
): Promise<Certs> {
  const holderName = person.name;
  const all: Certs = [
    {
      certType: 'ID_CARD',
      certNo: person.idNo,
      holderName,
      fileIds: await picture(app, uploader, 2),
      validFrom: '2016-01-01',
      validTo: '2036-01-01',
    },
    {
      certType: 'QUALIFICATION',
      certNo: `200533110${person.idNo}`,
      holderName,
      fileIds: await picture(app, uploader),
      issuedOn: '2005-12-01',
    },
    {
      certType: 'PRACTICE',
      certNo: practiceNo(person.n),
      holderName,
      hospitalName,
      fileIds: await picture(app, uploader),
      validFrom: '2024-01-01',
      validTo: '2027-06-30',
    },
    { certType: 'TITLE', certNo: `ZC${person.n}`, holderName, titleCode: 'ASSOCIATE', fileIds: await picture(app, uploader) },
  ];
  return all.map((cert) => ({ ...cert, ...change[cert.certType] }));
}

export const facts = {
  titleCode: 'ASSOCIATE' as const,
  practiceLevel: 'LICENSED' as const,
  practiceCategory: 'CLINICAL' as const,
  practiceScope: '内科专业',
  practiceSince: '2010-07-01',
};

/** A signed call that must succeed. */
export async function signed<T>(app: TestApp, call: Parameters<TestApp['send']>[0], input: unknown): Promise<T> {
  const { envelope } = await app.send(call, input, { headers: await signedHeaders(app, call, input) });
  expect(envelope, call.name).toMatchObject({ code: SUCCESS });
  return envelope.data as T;
}
export const signedRefusal = async (app: TestApp, call: Parameters<TestApp['send']>[0], input: unknown) =>
  (await app.send(call, input, { headers: await signedHeaders(app, call, input) })).envelope;

/** Number under which the machine caller of the tests owns files. */
export async function machineUploader(app: TestApp): Promise<string> {
  return `-${(await machineClient(app, registerDoctor)).id}`;
}

export interface Registered {
  doctorId: string;
  doctorNo: string;
  operatorId: string;
  hospitalApplyId: string | null;
}
export const register = (app: TestApp, person: Person, more: Partial<CheckedInputOf<typeof registerDoctor>>): Promise<Registered> =>
  signed<Registered>(app, registerDoctor, { mobile: person.mobile, name: person.name, idNo: person.idNo, ...more });

/** A doctor of the app whose first application waits. */
export async function submitted(
  app: TestApp,
  more: { person?: Person; hospital?: Hospital; certs?: Partial<Record<string, object>> } = {},
) {
  const person = more.person ?? freshPerson();
  const hospital = more.hospital ?? (await makeHospital(app));
  const doctor = await register(app, person, { hospitalId: hospital.hospitalId, departmentId: hospital.departmentId });
  const input = {
    doctorId: doctor.doctorId,
    applyType: 'FIRST',
    facts,
    certs: await certsOf(app, await machineUploader(app), person, hospital.name, more.certs),
  };
  const { applyId } = await signed<{ applyId: string }>(app, submitDoctorQualification, input);
  return { person, hospital, doctorId: doctor.doctorId, applyId };
}

export async function claimed(app: TestApp, applyId: string, as: TestStaff) {
  const { leaseToken, version } = await app.ok(claimQualApply, { applyId }, { as });
  return { applyId, leaseToken, version };
}

/** Gives every check its verdict. */
export async function judgeAll(
  app: TestApp,
  held: { applyId: string; leaseToken: string },
  as: TestStaff,
  change: Partial<Record<string, { humanVerdict: 'AGREE' | 'OVERRIDE' | 'FAIL'; note?: string }>> = {},
) {
  const { checks } = await app.ok(queryQualApplyDetail, { applyId: held.applyId }, { as });
  return app.ok(
    saveQualApplyWork,
    { ...held, checks: checks.map(({ checkCode }) => ({ checkCode, humanVerdict: 'AGREE' as const, ...change[checkCode] })) } as InputOf<
      typeof saveQualApplyWork
    >,
    { as },
  );
}

export const verdict = (app: TestApp, input: object, as: TestStaff) =>
  app.ok(auditQualApply, input as InputOf<typeof auditQualApply>, { as, idempotencyKey: randomUUID() });
export const refusedVerdict = async (app: TestApp, input: object, as: TestStaff) =>
  await app.refused(auditQualApply, input, { as, idempotencyKey: randomUUID() });

/** A doctor whose first application has passed both persons. */
export async function approved(app: TestApp, more: Parameters<typeof submitted>[1] = {}) {
  const made = await submitted(app, more);
  const a = await firstAuditor(app);
  const held = await claimed(app, made.applyId, a);
  const { leaseToken, ...rest } = held;
  await judgeAll(app, { applyId: made.applyId, leaseToken }, a);
  const { version } = await verdict(app, { ...rest, leaseToken, action: 'pass' }, a);
  await verdict(app, { applyId: made.applyId, version, action: 'recheckPass' }, await secondAuditor(app));
  return made;
}

/** Text messages that a number got. */
export async function textsTo(app: TestApp, mobile: string): Promise<string[]> {
  const { secrets } = app.kernel;
  const { rows } = await app.database.pool.query<{ mobile_cipher: string; text_cipher: string }>(
    'select mobile_cipher, text_cipher from identity_sms_outbox order by id',
  );
  return rows.filter((row) => secrets.decrypt(row.mobile_cipher) === mobile).map((row) => secrets.decrypt(row.text_cipher));
}
