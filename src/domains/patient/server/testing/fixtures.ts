import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { randomUUID } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import type { EventDeclaration, PayloadOf } from '#kernel/contract/event.ts';
import type { Call, InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import { signedHeaders } from '#testing/signing.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import { conversationOpened } from '#events/consultation.ts';
import { assistantBound } from '#events/doctor.ts';
import { checkCharacter } from '../../contract/idNumber.ts';
import { addConsentText } from '../../contract/calls/consent.ts';
import { addDiagnosis, addInspection } from '../../contract/calls/ehr.ts';
import { completePatientFile, requestPatientFiles } from '../../contract/calls/intranet.ts';
import { addRealNameCheck } from '../../contract/calls/realName.ts';
import { addPatientMerge } from '../../contract/calls/merge.ts';
import { addPatient, queryPatientDetail } from '../../contract/calls/sufferer.ts';
import type { ConsentType } from '../../contract/dictionaries.ts';
import type { Medicine } from '../../contract/modules.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { everyone } from '../access.ts';
import { bind } from '../persons/accounts.ts';

export const NONE = '999999999';
let serial = 0;
export const next = () => (serial += 1);
export const fresh = (text: string) => `${text}${next()}`;

/** An identity number with the right check character in a county that does not exist; `sequence` of three digits, odd for men. */
export const idNoOf = (birth: string, sequence: number): string => {
  const digits = `119901${birth.replaceAll('-', '')}${String(sequence).padStart(3, '0')}`;
  return digits + checkCharacter(digits);
};
/** A number that nobody has yet: each person of the tests is born on a day of his own. */
export function freshIdNo(sequence = 101): { idNo: string; birthDate: string } {
  const birthDate = new Date(Date.UTC(1950, 0, 1) + next() * 86_400_000).toISOString().slice(0, 10);
  return { idNo: idNoOf(birthDate, sequence), birthDate };
}
export const freshMobile = () => `139${String(10_000_000 + next()).slice(-8)}`;
const letters = [...'安白陈邓丁方高郭韩何胡江金林刘马孟潘彭秦'];
export const freshName = () => {
  const n = next();
  return `${letters[n % 20]}${letters[Math.floor(n / 20) % 20]}${letters[Math.floor(n / 400) % 20]}`;
};

const all = Object.values(patientPermissions).map(({ code }) => code);
/** Somebody who may do everything here; each call makes another person. */
export const keeper = (app: TestApp, wish: { scope?: object } = {}): Promise<TestStaff> => app.staff({ permissions: all, ...wish });
/** An assistant: sees only whom he serves. */
export const assistant = (app: TestApp): Promise<TestStaff> => app.staff({ role: 'ASSISTANT' });

export const personInput = (more: object = {}) => ({ name: freshName(), gender: 1 as const, mobile: freshMobile(), ...more });
export async function makePatient(app: TestApp, more: Partial<InputOf<typeof addPatient>> = {}, as?: TestStaff) {
  const by = as ?? (await keeper(app));
  const input = { ...personInput(), ...more };
  const made = await app.ok(addPatient, input, { as: by });
  return { id: made.patientId, patientNo: made.patientNo, name: input.name, by };
}
/** A patient with an identity number of his own. */
export async function makeWithId(app: TestApp, more: Partial<InputOf<typeof addPatient>> = {}, sequence = 101) {
  const { idNo, birthDate } = freshIdNo(sequence);
  return { ...(await makePatient(app, { idType: 'ID', idNo, gender: sequence % 2 === 1 ? 1 : 2, ...more })), idNo, birthDate };
}
export const versionOf = async (app: TestApp, patientId: string) =>
  (await app.ok(queryPatientDetail, { patientId }, { as: await keeper(app) })).version;
export async function makeVerified(app: TestApp, more: Partial<InputOf<typeof addPatient>> = {}) {
  const person = await makeWithId(app, more);
  await app.ok(addRealNameCheck, { patientId: person.id, version: 1 }, { as: person.by });
  return person;
}

/** A picture like no other, uploaded for the record. */
export const upload = (app: TestApp, as: TestStaff, bytes = picture()): Promise<string> =>
  uploadFile(app, as, 'PATIENT_RECORD', { fileName: `${fresh('报告')}.png`, contentType: 'image/png', bytes });
/** A picture that the patient's client sent; `complete`: the upload is ended too. */
export async function clientUpload(app: TestApp, complete = true, body = picture()): Promise<string> {
  const signed = async <C extends Call>(call: C, input: InputOf<C>) =>
    app.ok(call, input, { headers: await signedHeaders(app, call, input) });
  const [target] = await signed(requestPatientFiles, {
    files: [{ fileName: `${fresh('报告')}.png`, size: body.length, contentType: 'image/png' }],
  });
  await app.inject({ method: 'PUT', url: target!.url, payload: body, headers: { 'content-type': 'image/png' } });
  return complete ? (await signed(completePatientFile, { fileId: target!.fileId })).fileId : target!.fileId;
}
export function picture(): Buffer {
  const canvas = createCanvas(24, 24);
  const context = canvas.getContext('2d');
  const n = next();
  context.fillStyle = `rgb(${n % 256}, ${Math.floor(n / 256) % 256}, 90)`;
  context.fillRect(0, 0, 24, 24);
  return canvas.toBuffer('image/png');
}

/** Work of another domain that calls this one, in a transaction of its own. */
export const acting = <T>(app: TestApp, work: (acting: Acting) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => work(asSystem(writing, { now: app.clock.now(), traceId: 'test' })));

/** An event of another domain, delivered. */
export async function publishAndDeliver<E extends EventDeclaration>(
  app: TestApp,
  event: E,
  aggregateId: string,
  payload: PayloadOf<E>,
): Promise<void> {
  await app.kernel.transactions.run('test', ({ publish }) => publish(event, aggregateId, payload));
  await app.runDue();
}

export async function makeAccount(
  app: TestApp,
  patientId: string,
  more: { operatorId?: string; relation?: 'SELF' | 'CHILD' | 'OTHER'; isDefault?: boolean } = {},
): Promise<string> {
  const operatorId = more.operatorId ?? String(800_000 + next());
  await app.kernel.transactions.run('test', (writing) =>
    bind(
      app.kernel,
      writing,
      {
        operatorId,
        mobile: freshMobile(),
        nick: '昵称',
        avatarFileId: null,
        seer: everyone,
        openIds: [],
        patientId,
        relation: more.relation ?? 'SELF',
        isDefault: more.isDefault ?? false,
      },
      app.clock.now(),
    ),
  );
  return operatorId;
}
/** A group of a patient with an assistant's login. */
export async function openGroup(app: TestApp, group: { patientId: string; operatorId?: string; assistant?: TestStaff; groupId?: string }) {
  const conversationId = String(600_000 + next());
  const assistantOperatorId = group.assistant ? String(500_000 + next()) : null;
  const doctorId = String(400_000 + next());
  if (group.assistant)
    await publishAndDeliver(app, assistantBound, doctorId, {
      doctorId,
      assistantId: '1',
      operatorId: assistantOperatorId!,
      userId: group.assistant.userId,
      role: 'PRIMARY',
      withInquiries: false,
    });
  const payload = {
    conversationId,
    groupId: group.groupId ?? fresh('G'),
    kind: 'DOCTOR' as const,
    patientId: group.patientId,
    suffererOperatorId: group.operatorId ?? '1',
    doctorId,
    assistantOperatorId,
    deskId: null,
    source: 'TEST',
    first: true,
    at: app.clock.now(),
  };
  await publishAndDeliver(app, conversationOpened, conversationId, payload);
  return payload;
}

export async function makeDiagnosis(app: TestApp, patientId: string, more: Partial<InputOf<typeof addDiagnosis>> = {}) {
  const as = await keeper(app);
  return {
    ...(await app.ok(addDiagnosis, { patientId, icd10: 'E11.9', diagnosedAt: '2025-03-01', hospitalName: '市一医院', ...more }, { as })),
    by: as,
  };
}
export const reportInput = (patientId: string, more: object = {}) => ({
  patientId,
  kind: 'LAB' as const,
  itemName: '血生化',
  inspectionTime: '2026-11-20T01:00:00.000Z',
  ...more,
});
export async function makeInspection(app: TestApp, patientId: string, more: Partial<InputOf<typeof addInspection>> = {}) {
  const as = await keeper(app);
  const row = await app.ok(
    addInspection,
    { ...reportInput(patientId), indicators: [{ code: 'FPG', value: '126', unit: 'mg/dL' }], ...more },
    { as },
  );
  return { ...row, by: as };
}
export const medicine = (more: Partial<Medicine> = {}): Medicine => ({
  medicineId: '71',
  medicineName: '奥希替尼片',
  spec: '80mg*30片',
  isRx: true,
  dose: '80mg',
  frequency: 'QD',
  route: '口服',
  days: 28,
  quantity: 1,
  unit: '盒',
  ...more,
});
export const suggestion = (patientId: string, more: object = {}) => ({
  patientId,
  doctorId: '9001',
  doctorName: '陈立',
  groupId: null,
  serverId: null,
  validUntil: '2026-12-20',
  note: '',
  medicines: [medicine()],
  byDoctor: true,
  realNameRequired: false,
  ingredients: {},
  confirmed: false,
  userId: null,
  ...more,
});
let texts = 0;
/** A text in force since yesterday unless told otherwise; each call makes a newer one. */
export async function makeText(app: TestApp, consentType: ConsentType, more: Partial<InputOf<typeof addConsentText>> = {}) {
  texts += 1;
  return app.ok(
    addConsentText,
    {
      consentType,
      docVersion: `V${texts}`,
      title: '协议',
      effectiveFrom: new Date(Date.parse('2026-11-20T00:00:00.000Z') + texts * 1000).toISOString(),
      ...more,
    },
    { as: await keeper(app) },
  );
}
export async function makeMerge(app: TestApp, fromId?: string, intoId?: string) {
  const pair = { fromId: fromId ?? (await makePatient(app)).id, intoId: intoId ?? (await makePatient(app)).id };
  const maker = await keeper(app);
  return { ...(await app.ok(addPatientMerge, { ...pair, reason: '同一患者' }, { as: maker })), ...pair, maker };
}
export const requestNo = () => randomUUID();
