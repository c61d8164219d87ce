import { sql } from 'kysely';
import * as z from 'zod/mini';
import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import { command, query } from '#kernel/server/handler.ts';
import { judgeControl } from '../../contract/adjudication/controls.ts';
import { factsSchema } from '../../contract/adjudication/input.ts';
import { controlModes, type ControlMode, type ControlSpec } from '../../contract/adjudication/spec.ts';
import { queryControlTestCases, saveControlTestCases } from '../../contract/controls/trial.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { own, ownTx } from '../database.ts';
import { contentOf, controlHashOf, controlSpecOf } from './content.ts';
import { ruleVersionRecords } from './records.ts';

const OWNER = 'CONTROL_RULE_VERSION';
const expectedMode = z.object({ mode: z.nullable(z.enum(controlModes)) });
const modeOf = (stored: unknown): ControlMode | null => {
  const known = z.safeParse(expectedMode, stored);
  return known.success ? known.data.mode : null;
};

/** A draft is watched by nobody: what it would do is asked, whether its module observes or not. */
const tried = (control: ControlSpec, facts: z.output<typeof factsSchema>): ControlMode | null =>
  judgeControl({ ...control, observeOnly: false }, facts)?.mode ?? null;

export async function forgetResults(tx: Tx, versionId: string): Promise<void> {
  await sql`update insurance_rule_test_case set last_result = 'NEVER', last_content_hash = null
    where owner_type = ${OWNER} and owner_id = ${versionId}`.execute(tx);
}

export async function copyTestCases(ctx: CommandContext, fromId: string, toId: string): Promise<void> {
  await sql`
    insert into insurance_rule_test_case (
      owner_type, owner_id, case_name, input, expected, active, created_at, created_by, updated_at, updated_by
    )
      select owner_type, ${toId}, case_name, input, expected, active, ${ctx.now}, ${ctx.staff.userId}, ${ctx.now}, ${ctx.staff.userId}
        from insurance_rule_test_case
        where owner_type = ${OWNER} and owner_id = ${fromId}`.execute(ctx.tx);
}

const casesOf = (tx: Tx, versionId: string) =>
  ownTx(tx)
    .selectFrom('insuranceRuleTestCase')
    .select(['id', 'caseName', 'input', 'expected'])
    .where('ownerType', '=', OWNER)
    .where('ownerId', '=', versionId)
    .where('active', '=', true)
    .orderBy('id')
    .execute();

/** Runs the cases of a version on its content as it stands; answers the names of those that fail. */
export async function runControlCases(ctx: CommandContext, versionId: string): Promise<{ passed: number; failed: string[] }> {
  const version = await ruleVersionRecords.get(ctx.tx, ctx.staff, versionId);
  const control = controlSpecOf(version);
  const hash = controlHashOf(contentOf(version));
  const cases = await casesOf(ctx.tx, versionId);
  const failed: string[] = [];
  for (const { id, caseName, input, expected } of cases) {
    const mode = tried(control, z.parse(factsSchema, input));
    const right = mode === modeOf(expected);
    if (!right) failed.push(caseName);
    await ownTx(ctx.tx)
      .updateTable('insuranceRuleTestCase')
      .set({ lastResult: right ? 'PASS' : 'FAIL', lastContentHash: hash, lastActual: json({ mode }), lastRunAt: ctx.now })
      .where('id', '=', id)
      .execute();
  }
  return { passed: cases.length - failed.length, failed };
}

const list = query(queryControlTestCases, async ({ versionId }, ctx) => {
  await ruleVersionRecords.get(ctx.db, ctx.staff, versionId);
  const rows = await own(ctx.db)
    .selectFrom('insuranceRuleTestCase')
    .selectAll()
    .where('ownerType', '=', OWNER)
    .where('ownerId', '=', versionId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    caseName: row.caseName,
    facts: z.parse(factsSchema, row.input),
    expected: modeOf(row.expected),
    actual: modeOf(row.lastActual),
    lastResult: row.lastResult,
  }));
});

const save = command(saveControlTestCases, async ({ versionId, version, cases }, ctx) => {
  const row = await ruleVersionRecords.lockVersion(ctx, versionId, version);
  if (row.state !== 'DRAFT' && row.state !== 'REJECTED') throw refuse(insuranceErrors.RULE_PUBLISHED);
  const tx = ownTx(ctx.tx);
  await tx.deleteFrom('insuranceRuleTestCase').where('ownerType', '=', OWNER).where('ownerId', '=', versionId).execute();
  if (cases.length > 0)
    await tx
      .insertInto('insuranceRuleTestCase')
      .values(
        cases.map(({ caseName, facts, expected }) => ({
          ownerType: OWNER,
          ownerId: versionId,
          caseName,
          input: json(facts),
          expected: json({ mode: expected }),
          ...createdColumns(ctx),
        })),
      )
      .onConflict((on) => on.columns(['ownerType', 'ownerId', 'caseName']).doNothing())
      .execute();
  const { passed, failed } = await runControlCases(ctx, versionId);
  ctx.target({ type: ruleVersionRecords.type, id: versionId, no: `${row.ruleCode} V${row.versionNo}` });
  return { versionId, passed, failed: failed.length };
});

export const testCaseHandlers = [list, save];
