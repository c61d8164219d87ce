import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBanner, auditBanner, modifyBanner, queryBannerList } from '#domains/content/contract/banners/calls.ts';
import { bannerInput, judge } from '#domains/content/server/testing/deliveries.ts';
import { auditGrant, submitGrant } from '#domains/card/contract/calls/grants.ts';
import { draftGrant } from '#domains/card/server/testing/grants.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { allCases } from './allCases.ts';
import { loggedOf } from './calls/facts.ts';
import { PAIRS, textOf, type Fields, type Pair } from './fourEyesPairs.ts';
import { machinesOfContracts } from './machinesOfContracts.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const both = (): Promise<TestStaff> =>
  app.staff({
    permissions: [
      'content.content.view',
      'content.banner.edit',
      'content.banner.audit',
      'card.grant.view',
      'card.grant.edit',
      'card.grant.approve',
    ],
  });

const EDITED = '您修改或提交过这份单据，不能再审核它，请由他人处理';
const JUDGED = '您已审核过这份单据的上一级，不能再审核它，请由他人处理';

describe('who wrote, changed or submitted', () => {
  it('a banner does not pass it, is told what he did, and the attempt is logged', async () => {
    const [author, editor, submitter] = [await both(), await both(), await both()];
    const made = await app.ok(addBanner, await bannerInput(app, author), { as: author });
    const changed = await app.ok(modifyBanner, { id: made.id, version: made.version, ...(await bannerInput(app, editor)) }, { as: editor });
    const { version } = await app.ok(auditBanner, { id: made.id, version: changed.version, action: 'submit' }, { as: submitter });
    const verdict = { id: made.id, version, action: 'approve' as const };
    const offered = async (as: TestStaff) =>
      (await app.ok(queryBannerList, {}, { as })).rows.find(({ id }) => id === made.id)?.allowedActions;
    for (const as of [author, editor, submitter]) expect(await offered(as)).not.toContain('approve');
    expect(await offered(await both())).toEqual(expect.arrayContaining(['approve', 'reject']));
    expect(await app.refused(auditBanner, verdict, { as: author })).toMatchObject({
      code: 'SCM04006',
      message: '提交人与审核人不能为同一人',
    });
    for (const as of [editor, submitter]) expect(await app.refused(auditBanner, verdict, { as })).toMatchObject({ code: 'SCM04006' });
    expect(await app.refused(auditBanner, verdict, { as: editor })).toMatchObject({ message: EDITED });
    expect(await loggedOf(app, auditBanner, author)).toBe(1);
    // What was given back was not passed: who changed it before is still one of those who wrote it.
    const back = await app.ok(auditBanner, { ...verdict, action: 'reject', opinion: '请换图片' }, { as: await judge(app) });
    const again = await app.ok(auditBanner, { id: made.id, version: back.version, action: 'submit' }, { as: author });
    const second = { ...verdict, version: again.version };
    expect(await app.refused(auditBanner, second, { as: editor })).toMatchObject({ code: 'SCM04006', message: EDITED });
    await app.ok(auditBanner, second, { as: await judge(app) });
  });

  it('a grant of money does not pass it', async () => {
    const [author, submitter, third] = [await both(), await both(), await both()];
    const draft = await draftGrant(app, author);
    const { version } = await app.ok(submitGrant, draft, { as: submitter });
    const verdict = { grantId: draft.grantId, version, stage: 'FIRST' as const, decision: 'approve' as const };
    for (const as of [author, submitter])
      expect(await app.refused(auditGrant, verdict, { as, idempotencyKey: `four-eyes-${as.userId}` })).toMatchObject({ code: 'SCM17003' });
    await app.ok(auditGrant, verdict, { as: third, idempotencyKey: 'four-eyes-third-person' });
  });
});

const caseOf = (operation: string) => {
  const found = allCases.filter(({ call }) => call.operation === operation);
  if (found.length !== 1) throw new Error(`${found.length} cases of ${operation}`);
  return found[0]!;
};
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** A document that waits, made by commands, and the decision about it. */
async function waiting({ call: operation, verdict }: Pair) {
  const entry = caseOf(operation);
  const { call } = entry;
  const rights = [...new Set([...permissionCodesOf(call), ...(entry.as?.permissions ?? [])])];
  const person = () => app.staff({ ...entry.as, permissions: rights });
  const decider = await person();
  await entry.prepare?.(app, decider);
  const given = fieldsOf(await entry.valid(app, decider));
  if (given['action'] !== 'submit') {
    return { call, person, decider, input: verdict ? await verdict(app, given, {}) : given };
  }
  // Handed in by somebody, so that it waits.
  const answer = fieldsOf(await app.ok(call, given, { as: decider, idempotencyKey: `four-eyes-submit-${operation}` }));
  const input = verdict
    ? await verdict(app, given, answer)
    : { ...given, version: answer['version'], action: 'approve', opinion: '核对无误' };
  return { call, person, decider: await person(), input };
}

const machines = await machinesOfContracts();
const reviewing = machines.filter(({ transitions }) => Object.values(transitions).some(({ otherThan }) => otherThan));

describe('every document that needs another person', () => {
  it('is walked below', () => {
    expect(Object.keys(PAIRS).sort()).toEqual(reviewing.map(({ name }) => name).sort());
    expect(reviewing.length).toBeGreaterThan(35);
  });

  it.each(reviewing.map((machine) => [machine.name, machine] as const))('%s', async (name, machine) => {
    const pair = PAIRS[name]!;
    const { call, person, decider, input } = await waiting(pair);
    const id = typeof pair.id === 'string' ? textOf(input[pair.id]) : await pair.id(app, input);
    const type = pair.document ?? name;
    const declared = machine.transitions[pair.action ?? 'approve']!.otherThan!;
    const attempt = (as: TestStaff) => ({ as, idempotencyKey: `four-eyes-${as.userId}` });

    const seen = await sql<{ userId: string }>`
      select user_id from kernel_contribution where document_type = ${type} and document_id = ${id} and act = 'WRITE'`.execute(app.db);
    if (!pair.bare) expect(seen.rows, 'who wrote it was kept').not.toEqual([]);
    expect(seen.rows.map(({ userId }) => userId)).not.toContain(decider.userId);

    const [author, editor, first] = [await person(), await person(), await person()];
    const add = (as: TestStaff, act: 'WRITE' | 'STEP') =>
      sql`
        insert into kernel_contribution (document_type, document_id, user_id, act, at)
        values (${type}, ${id}, ${as.userId}, ${act}, ${app.clock.now()})`.execute(app.db);
    await add(author, 'WRITE');
    await add(editor, 'WRITE');
    await add(first, 'STEP');
    expect(await app.refused(call, input, attempt(author))).toMatchObject({
      code: declared.code,
      message: seen.rows.length === 0 ? declared.text : EDITED,
    });
    expect(await app.refused(call, input, attempt(editor))).toMatchObject({ code: declared.code, message: EDITED });
    expect(await app.refused(call, input, attempt(first))).toMatchObject({ code: declared.code, message: JUDGED });
    await app.ok(call, input, attempt(decider));
  });
});
