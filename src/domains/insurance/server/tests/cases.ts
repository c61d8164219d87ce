import * as z from 'zod/mini';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { json } from '#kernel/server/database/json.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { inputFault } from '../../contract/adjudication/fault.ts';
import type { AdjudicationInput } from '../../contract/adjudication/input.ts';
import { storedInput } from '../../contract/adjudication/stored.ts';
import { queryTrialRiders, trialAdjudicate } from '../../contract/claimRules/trial.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { addTestCase, modifyTestCase, queryTestCaseList, removeTestCase, runTestCases } from '../../contract/tests/calls.ts';
import { deviationsOf, expectedResult, expectsNothing, type ExpectedResult } from '../../contract/tests/expected.ts';
import { readinessFault } from '../../contract/tests/readiness.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { adjudicate, adjudicateOn } from '../adjudication/adjudicate.ts';
import { specOf } from '../adjudication/specOf.ts';
import { own, ownTx } from '../database.ts';
import { linkRecords } from '../links/rows.ts';
import { currentAndNext } from '../products/list.ts';
import { versionRecords } from '../products/records.ts';
import { triedCases } from '../products/triedCases.ts';
import { openVersion } from './openVersion.ts';

const TYPE = 'insurance.testCase';

function inputOf(stored: unknown, productId: string): AdjudicationInput {
  const input = storedInput(stored, productId);
  if (input === null) throw new Error('a test case without a readable input');
  return input;
}

/** What a run leaves behind beside its verdict. */
const actual = z.object({ deviations: z._default(z.array(z.string()), []) });

export const list = query(queryTestCaseList, async ({ productVersionId }, ctx) => {
  const { productId } = await versionRecords.get(ctx.db, ctx.staff, productVersionId);
  const rows = await own(ctx.db)
    .selectFrom('insuranceRuleTestCase')
    .selectAll()
    .where('ownerType', '=', 'PRODUCT_VERSION')
    .where('ownerId', '=', productVersionId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, caseName, active, lastResult, lastRunAt, lastActual, version, ...row }) => {
    const known = z.safeParse(actual, lastActual);
    return {
      id,
      caseName,
      active,
      lastResult,
      lastRunAt,
      version,
      input: inputOf(row.input, productId),
      expected: z.parse(expectedResult, row.expected),
      deviations: known.success ? known.data.deviations : [],
    };
  });
});

async function lockedCase(ctx: CommandContext, testCaseId: string, version: number) {
  const tx = ownTx(ctx.tx);
  const known = await tx.selectFrom('insuranceRuleTestCase').select('ownerId').where('id', '=', testCaseId).executeTakeFirst();
  if (!known) throw refuse(platformErrors.NOT_FOUND);
  await openVersion(ctx, known.ownerId);
  const row = await tx.selectFrom('insuranceRuleTestCase').selectAll().where('id', '=', testCaseId).forUpdate().executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(ctx, TYPE, row, version, () => ({ caseName: row.caseName, active: row.active }));
  return row;
}

function requireExpected(expected: ExpectedResult): void {
  if (expectsNothing(expected)) throw refuse(insuranceErrors.EXPECTED_MISSING);
}

const columns = ({
  caseName,
  active,
  input,
  expected,
}: {
  caseName: string;
  active: boolean;
  input: AdjudicationInput;
  expected: ExpectedResult;
}) => ({
  caseName,
  active,
  input: json(input),
  expected: json(expected),
  // What was tried before was another case.
  lastResult: 'NEVER' as const,
  lastContentHash: null,
  lastActual: null,
});

export const add = command(addTestCase, async ({ productVersionId, ...facts }, ctx) => {
  await openVersion(ctx, productVersionId);
  requireExpected(facts.expected);
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceRuleTestCase')
    .values({ ...columns(facts), ownerType: 'PRODUCT_VERSION', ownerId: productVersionId, ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: TYPE, id, no: facts.caseName });
  return { testCaseId: id, version: 1 };
});

export const modify = command(modifyTestCase, async ({ testCaseId, version, ...facts }, ctx) => {
  await lockedCase(ctx, testCaseId, version);
  requireExpected(facts.expected);
  await ownTx(ctx.tx)
    .updateTable('insuranceRuleTestCase')
    .set({ ...columns(facts), version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', testCaseId)
    .execute();
  ctx.target({ type: TYPE, id: testCaseId, no: facts.caseName });
  return { testCaseId, version: version + 1 };
});

export const remove = command(removeTestCase, async ({ testCaseId, version }, ctx) => {
  const row = await lockedCase(ctx, testCaseId, version);
  await ownTx(ctx.tx).deleteFrom('insuranceRuleTestCase').where('id', '=', testCaseId).execute();
  ctx.target({ type: TYPE, id: testCaseId, no: row.caseName });
  return { testCaseId };
});

export const run = command(runTestCases, async ({ productVersionId }, ctx) => {
  const version = await openVersion(ctx, productVersionId);
  const spec = await specOf(ctx.tx, productVersionId);
  if (!spec) throw versionRecords.missing();
  const tx = ownTx(ctx.tx);
  const rows = await tx
    .selectFrom('insuranceRuleTestCase')
    .select(['id', 'caseName', 'input', 'expected'])
    .where('ownerType', '=', 'PRODUCT_VERSION')
    .where('ownerId', '=', productVersionId)
    .where('active', '=', true)
    .orderBy('id')
    .execute();
  const results = rows.map(({ id, caseName, input: stored, expected }) => {
    const input = inputOf(stored, spec.productId);
    const fault = inputFault(spec, input);
    // What the version does not take any more fails by name; the other cases are tried.
    if (fault !== null) return { testCaseId: id, caseName, deviations: [fault], paidBenefits: [], heldRules: [] };
    const result = adjudicateOn(spec, [], input);
    const deviations = deviationsOf(z.parse(expectedResult, expected), result);
    const paidBenefits = [
      ...new Set(result.lines.flatMap(({ payableFen, benefitCode }) => (payableFen > 0 && benefitCode !== null ? benefitCode : []))),
    ];
    const heldRules = result.rules.filter(({ missing }) => missing.length === 0).map(({ ruleCode }) => ruleCode);
    return { testCaseId: id, caseName, deviations, paidBenefits, heldRules };
  });
  for (const { testCaseId, deviations, paidBenefits, heldRules } of results)
    await tx
      .updateTable('insuranceRuleTestCase')
      .set({
        lastResult: deviations.length === 0 ? 'PASS' : 'FAIL',
        lastContentHash: spec.contentHash,
        lastActual: json({ deviations, paidBenefits, heldRules }),
        lastRunAt: ctx.now,
      })
      .where('id', '=', testCaseId)
      .execute();
  ctx.target({ type: versionRecords.type, id: productVersionId, no: `${version.productCode} V${version.versionNo}` });
  const failed = results.filter(({ deviations }) => deviations.length > 0).length;
  return {
    passed: results.length - failed,
    failed,
    fault: readinessFault(await triedCases(ctx.tx, productVersionId), {
      benefits: spec.benefits.map(({ benefitCode }) => benefitCode),
      rules: spec.rules.map(({ ruleCode }) => ruleCode),
      contentHash: spec.contentHash,
    }),
    results: results.map(({ testCaseId, caseName, deviations }) => ({ testCaseId, caseName, deviations })),
  };
});

export const trial = query(trialAdjudicate, async ({ productVersionId, input, rider }, ctx) => {
  await versionRecords.get(ctx.db, ctx.staff, productVersionId);
  if (rider) await versionRecords.get(ctx.db, ctx.staff, rider.productVersionId);
  const result = await adjudicate(ctx.db, productVersionId, input, rider ? { rider } : {});
  if (!result) throw versionRecords.missing();
  return result;
});

export const riders = query(queryTrialRiders, async ({ productVersionId }, ctx) => {
  const version = await versionRecords.get(ctx.db, ctx.staff, productVersionId);
  const links = await linkRecords
    .seen(ctx.db, ctx.staff)
    .select(['l.id', 'l.otherProductId', 'l.overflow', 'o.productName'])
    .where('l.mainProductId', '=', version.productId)
    .where('l.linkType', '=', 'APPENDED')
    .where('l.status', '=', 'ENABLED')
    .orderBy('l.payOrder')
    .orderBy('l.id')
    .execute();
  const found = [];
  for (const link of links) {
    const versions = await own(ctx.db)
      .selectFrom('insuranceProductVersion')
      .select(['id', 'versionNo', 'state', 'effectiveFrom', 'effectiveTo'])
      .where('productId', '=', link.otherProductId)
      .execute();
    const { current, next } = currentAndNext(versions, ctx.today);
    const counting = current ?? next;
    if (!counting) continue;
    const plans = await own(ctx.db)
      .selectFrom('insurancePlan')
      .select(['planCode', 'planName'])
      .where('productVersionId', '=', counting.id)
      .orderBy('sort')
      .execute();
    found.push({
      linkId: link.id,
      productName: link.productName,
      productVersionId: counting.id,
      versionNo: counting.versionNo,
      overflow: link.overflow,
      plans,
    });
  }
  return found;
});
