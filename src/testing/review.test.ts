import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import { doctorPermissions } from '#domains/doctor/contract/permissions.ts';
import {
  askPapers,
  expirePapers,
  probeReviewModule,
  readPapers,
  reviewMay,
  savePapers,
  submitPapers,
  supplyPapers,
} from './probeReview.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';
import { uploadFile } from './uploads.ts';

let app: TestApp;
let reviewer: TestStaff;
let supervisor: TestStaff;
beforeAll(async () => {
  app = await startTestApp({ besides: [probeReviewModule] });
  await app.database.asOwner(`
    select kernel_review_tables('probe_paper');
    grant select, insert, update, delete on
      probe_paper_file, probe_paper_material, probe_paper_supplement, probe_paper_duplicate to kangqiao_app`);
  const uploads = doctorPermissions['qual.audit'].code;
  reviewer = await app.staff({ permissions: [reviewMay['paper.review'].code, uploads] });
  supervisor = await app.staff({ permissions: [reviewMay['paper.review'].code, reviewMay['paper.supervise'].code] });
});
afterAll(() => app.close());

let last = 0;
const nextCase = () => String((last += 1));

/** A picture of squares that its number makes, with one small mark. */
function picture(seed: number, mark = 0): Buffer {
  const canvas = createCanvas(360, 320);
  const context = canvas.getContext('2d');
  let random = seed * 7919 + 17;
  for (let at = 0; at < 72; at += 1) {
    random = (random * 1103515245 + 12345) % 2147483648;
    const light = random % 256;
    context.fillStyle = `rgb(${light}, ${light}, ${light})`;
    context.fillRect((at % 9) * 40, Math.floor(at / 9) * 40, 40, 40);
  }
  context.fillStyle = `rgb(${mark}, 0, 0)`;
  context.fillRect(0, 0, 2, 2);
  return canvas.toBuffer('image/png');
}
const upload = async (bytes: Buffer): Promise<string> => {
  const fileId = await uploadFile(app, reviewer, 'DOCTOR_CERT', { fileName: '材料.png', contentType: 'image/png', bytes });
  await app.runDue();
  return fileId;
};
const fresh = () => upload(picture((last += 1)));

const read = (caseId: string, required: readonly ('DIAGNOSIS' | 'PATHOLOGY')[] = []) =>
  app.ok(readPapers, { caseId, required: [...required] }, { as: reviewer });
const submit = (caseId: string, fileId: string, more: object = {}) =>
  app.ok(submitPapers, { caseId, person: `人${caseId}`, materials: [{ materialType: 'DIAGNOSIS', fileId }], ...more }, { as: reviewer });

describe('materials of a case', () => {
  it('are judged by whose case they are alone', async () => {
    const [one, other] = [nextCase(), nextCase()];
    await submit(one, await fresh());
    const [material] = (await read(one)).materials;
    const work = { materials: [{ id: material!.id, verdict: 'OK' as const }], duplicates: [] };
    expect(await app.refused(savePapers, { caseId: other, ...work }, { as: reviewer })).toMatchObject({ code: 'SCM90040' });
    const replacing = { materialType: 'DIAGNOSIS' as const, fileId: await fresh(), replacesId: material!.id };
    const stolen = { caseId: other, person: '', materials: [replacing] };
    expect(await app.refused(submitPapers, stolen, { as: reviewer })).toMatchObject({ code: 'SCM90040' });
    expect((await read(one)).materials).toMatchObject([{ verdict: null }]);
  });

  it('keep what was read and what was confirmed, in no clear text; a value that is emptied is taken back', async () => {
    const caseId = nextCase();
    const handedIn = [{ materialType: 'ID_CARD' as const, fileId: await fresh() }];
    await app.ok(submitPapers, { caseId, person: '张建国', materials: handedIn }, { as: reviewer });
    const id = (await read(caseId)).materials[0]!.id;
    const save = (work: object) => app.ok(savePapers, { caseId, materials: [{ id, ...work }], duplicates: [] }, { as: reviewer });
    await save({ confirmed: { idNo: '110101199003070011', name: '张建国' }, issuer: '公安局', issuedOn: '2020-01-02' });
    await save({ confirmed: { idNo: null }, verdict: 'UNCLEAR', reason: '号码被遮挡' });
    expect((await read(caseId)).materials).toMatchObject([
      {
        read: { name: '张建国' },
        confirmed: { name: '张建国' },
        issuer: '公安局',
        issuedOn: '2020-01-02',
        verdict: 'UNCLEAR',
        reason: '号码被遮挡',
      },
    ]);
    const { rows } = await sql`select * from probe_paper_material where owner_id = ${caseId}`.execute(app.db);
    expect(JSON.stringify({ ...Object(rows[0]), personKey: '' })).not.toContain('张建国');
  });

  it('are missing where none is there that was not turned down; a better copy takes the place of what it replaces', async () => {
    const caseId = nextCase();
    await submit(caseId, await fresh());
    expect((await read(caseId, ['DIAGNOSIS', 'PATHOLOGY'])).missing).toEqual(['PATHOLOGY']);
    const id = (await read(caseId)).materials[0]!.id;
    await app.ok(savePapers, { caseId, materials: [{ id, verdict: 'WRONG' }], duplicates: [] }, { as: reviewer });
    expect((await read(caseId, ['DIAGNOSIS'])).missing).toEqual(['DIAGNOSIS']);
    const better = [{ materialType: 'DIAGNOSIS' as const, fileId: await fresh(), replacesId: id }];
    await app.ok(submitPapers, { caseId, person: '', materials: better }, { as: reviewer });
    const { materials, missing } = await read(caseId, ['DIAGNOSIS']);
    expect([missing, materials.map(({ verdict }) => verdict)]).toEqual([[], [null]]);
  });
});

describe('what is missing', () => {
  const wish = { items: [{ materialType: 'PATHOLOGY' as const, wording: '请上传病理报告原件' }], days: 5 };
  const refused = async (caseId: string, more: object, as = reviewer) =>
    (await app.refused(askPapers, { caseId, ...wish, ...more }, { as })).code;

  it('is asked for once, all together and with a deadline; again by a supervisor alone', async () => {
    const caseId = nextCase();
    expect(await refused(caseId, { items: [] })).toBe('SCM99021');
    expect([await refused(caseId, { days: 0 }), await refused(caseId, { days: 31 })]).toEqual(['SCM99022', 'SCM99022']);
    const asked = await app.ok(askPapers, { caseId, ...wish }, { as: reviewer });
    expect(asked).toMatchObject({ state: 'OPEN', items: wish.items });
    expect(Date.parse(asked.dueAt) - Date.parse(asked.askedAt)).toBe(days(5));
    expect(await refused(caseId, {})).toBe('SCM99023');
    await app.ok(askPapers, { caseId, ...wish }, { as: supervisor });
    expect((await read(caseId)).supplements.map(({ state }) => state)).toEqual(['CANCELLED', 'OPEN']);
  });

  it('is supplied by something of what was asked for, which names its request', async () => {
    const caseId = nextCase();
    const [other, wanted] = [await fresh(), await fresh()];
    const supply = (materialType: 'DIAGNOSIS' | 'PATHOLOGY', fileId: string) => ({ caseId, materials: [{ materialType, fileId }] });
    const unasked = await app.refused(supplyPapers, supply('PATHOLOGY', wanted), { as: reviewer });
    const asked = await app.ok(askPapers, { caseId, ...wish }, { as: reviewer });
    const otherThing = await app.refused(supplyPapers, supply('DIAGNOSIS', other), { as: reviewer });
    expect([unasked.code, otherThing.code]).toEqual(['SCM99024', 'SCM99024']);
    expect((await read(caseId)).materials).toEqual([]);
    expect(await app.ok(supplyPapers, supply('PATHOLOGY', wanted), { as: reviewer })).toMatchObject({ state: 'ANSWERED' });
    const { materials, supplements } = await read(caseId);
    expect([materials.map(({ supplementId }) => supplementId), supplements.map(({ state }) => state)]).toEqual([[asked.id], ['ANSWERED']]);
  });

  it('ends with its deadline, once', async () => {
    const [late, answered] = [nextCase(), nextCase()];
    for (const caseId of [late, answered]) await app.ok(askPapers, { caseId, ...wish }, { as: reviewer });
    await app.ok(supplyPapers, { caseId: answered, materials: [{ materialType: 'PATHOLOGY', fileId: await fresh() }] }, { as: reviewer });
    const due = async () => (await app.ok(expirePapers, {}, { as: reviewer })).cases;
    expect(await due()).not.toContain(late);
    await sql`update probe_paper_supplement set due_at = asked_at - interval '1 second' where owner_id in (${late}, ${answered})`.execute(
      app.db,
    );
    const ended = await due();
    expect([ended.includes(late), ended.includes(answered)]).toEqual([true, false]);
    expect(await due()).toEqual([]);
  });
});

describe('cases that may be the same', () => {
  const signalsOf = async (caseId: string) =>
    (await read(caseId)).duplicates.map(({ signal, otherId }) => `${signal}:${otherId}`).toSorted();

  it('are found by their files, by pictures that look alike, by whom they are about, and by what the domain finds', async () => {
    const [first, same, alike, person, other, own] = Array.from({ length: 6 }, nextCase) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const bytes = picture(1001);
    await submit(first, await upload(bytes));
    await submit(same, await upload(bytes));
    await submit(alike, await upload(picture(1001, 200)));
    await submit(person, await fresh(), { person: `人${first}` });
    await submit(other, await fresh(), { namesakes: [first] });
    await submit(own, await upload(bytes), { person: `人${first}` });
    expect(await signalsOf(same)).toEqual([`FILE:${first}`]);
    expect(await signalsOf(alike)).toEqual([`IMAGE:${first}`, `IMAGE:${same}`]);
    expect(await signalsOf(person)).toEqual([`PERSON:${first}`]);
    expect(await signalsOf(other)).toEqual([`NAME:${first}`]);
    // The person's own paper is his for every case; that there are two cases is told.
    const ofOwn = await signalsOf(own);
    expect(ofOwn).toContain(`PERSON:${first}`);
    expect(ofOwn).not.toContain(`FILE:${first}`);
    // Unless the domain says that it is handed in once alone, as an invoice.
    await submit(own, await fresh(), { person: `人${first}`, ofSamePerson: true });
    expect(await signalsOf(own)).toContain(`FILE:${first}`);
  });

  it('are found by bytes that were uploaded once and are known since', async () => {
    const [first, second] = [nextCase(), nextCase()];
    const bytes = picture(1002);
    const fileId = await upload(bytes);
    await submit(first, fileId);
    const { rows } = await sql<{ sha256: string }>`select sha256 from files_file_object where id = ${fileId}`.execute(app.db);
    const again = await uploadFile(app, reviewer, 'DOCTOR_CERT', {
      fileName: '再来.png',
      contentType: 'image/png',
      bytes,
      sha256: rows[0]!.sha256,
    });
    await app.runDue();
    expect(again).not.toBe(fileId);
    await submit(second, again);
    expect(await signalsOf(second)).toEqual([`FILE:${first}`]);
  });

  it('wait for a verdict, which stays when they are looked for again', async () => {
    const [first, second] = [nextCase(), nextCase()];
    const bytes = picture(1003);
    await submit(first, await upload(bytes));
    await submit(second, await upload(bytes), { namesakes: [first] });
    const { duplicates, pending } = await read(second);
    expect(pending).toBe(2);
    const judged = [{ id: duplicates.find(({ signal }) => signal === 'FILE')!.id, verdict: 'NOT_DUP' as const, note: '同一家庭' }];
    const foreign = await app.refused(savePapers, { caseId: first, materials: [], duplicates: judged }, { as: reviewer });
    expect(foreign.code).toBe('SCM90040');
    await app.ok(savePapers, { caseId: second, materials: [], duplicates: judged }, { as: reviewer });
    await submit(second, await fresh());
    const after = await read(second);
    expect(after.duplicates).toMatchObject([{ signal: 'FILE', verdict: 'NOT_DUP', note: '同一家庭', judgedBy: reviewer.displayName }]);
    expect(after.pending).toBe(0);
  });
});
