import { sql } from 'kysely';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { addMarkRule, publishMarkRule, queryMarkRuleList } from '../../contract/rules/calls.ts';
import { dryRunMarkRule, queryMarkRuleRunList } from '../../contract/rules/runCalls.ts';
import { makeGroup, makeMark } from './marks.ts';

/** Somebody who keeps rules and sees medical marks. */
export const ruler = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['content.content.view', 'content.mark.rule', 'content.mark.sensitive'] });
export const supervisor = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['content.content.view', 'content.mark.supervise', 'content.mark.sensitive'] });

const YEAR = 365.25;

/** A person of an age, by which rules of tests find him. */
export async function agedPatient(app: TestApp, age: number): Promise<string> {
  const { id } = await makePatient(app);
  await ageTo(app, id, age);
  return id;
}
export const ageTo = async (app: TestApp, patientId: string, age: number): Promise<void> => {
  const birth = plusDays(app.clock.now().slice(0, 10), -Math.round(age * YEAR + 100));
  await sql`update patient_patient set birth_date = ${birth} where id = ${patientId}`.execute(app.db);
};

export const ofAge = (age: number) => [{ variableCode: 'patient.age', operator: '=' as const, value: String(age), groupNo: 1 }];

export const patientMark = async (app: TestApp, more: Parameters<typeof makeGroup>[1] = {}) =>
  makeMark(app, await makeGroup(app, { objectType: 'PATIENT', ...more }));

/** A rule that marks persons of an age. */
export async function makeRule(
  app: TestApp,
  age: number,
  more: Partial<InputOf<typeof addMarkRule>> = {},
): Promise<{ id: string; markId: string }> {
  const markId = String(more.markId ?? (await patientMark(app)));
  const input = { conditions: ofAge(age), schedule: 'DAILY' as const, ...more, markId };
  return { id: (await app.ok(addMarkRule, input, { as: await ruler(app) })).id, markId };
}

export const ruleNow = async (app: TestApp, id: string) => {
  const { rows } = await app.ok(queryMarkRuleList, { pageSize: 999 }, { as: await ruler(app) });
  return rows.find((row) => row.id === id)!;
};

export async function tried(app: TestApp, ruleId: string): Promise<string> {
  const { runId } = await app.ok(dryRunMarkRule, { ruleId }, { as: await ruler(app) });
  await app.runDue();
  return runId;
}

/** Tries a rule, publishes it, and waits for its first run. */
export async function published(app: TestApp, ruleId: string): Promise<void> {
  await tried(app, ruleId);
  const { version } = await ruleNow(app, ruleId);
  await app.ok(publishMarkRule, { id: ruleId, version }, { as: await supervisor(app) });
  await app.runDue();
}

export const runsOf = async (app: TestApp, ruleId: string) =>
  (await app.ok(queryMarkRuleRunList, { ruleId, pageSize: 50 }, { as: await ruler(app) })).rows;

/** What carries a mark now, and by which source. */
export const liveOn = async (app: TestApp, markId: string) =>
  (
    await sql<{ objectId: string; source: string }>`select object_id::text, source from content_mark_binding
      where mark_id = ${markId} and ended_at is null order by object_id`.execute(app.db)
  ).rows.map(({ objectId, source }) => [objectId, source]);
