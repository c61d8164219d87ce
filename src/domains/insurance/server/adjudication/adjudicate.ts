import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { adjudicateWhole, type Adjudicated } from '../../contract/adjudication/adjudicate.ts';
import { inputFault } from '../../contract/adjudication/fault.ts';
import type { AdjudicationInput } from '../../contract/adjudication/input.ts';
import { limitsOfPlan, type NamedLimit } from '../../contract/adjudication/limits.ts';
import { riderInput, withSharedGroups } from '../../contract/adjudication/rider.ts';
import type { AdjudicationResult } from '../../contract/adjudication/result.ts';
import type { ControlSpec, VersionSpec } from '../../contract/adjudication/spec.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { shareGroups, type ShareGroups } from '../../contract/links/shareGroups.ts';
import { controlsOn } from '../controls/effective.ts';
import { own } from '../database.ts';
import { specOf } from './specOf.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The pure core on a version that was read before, with what it leaves to a rider. @throws Refusal SCM12040 saying what is wrong */
function adjudicateWholeOn(spec: VersionSpec, controls: readonly ControlSpec[], input: AdjudicationInput): Adjudicated {
  const fault = inputFault(spec, input);
  if (fault !== null) throw refuse(insuranceErrors.INPUT_INCOMPLETE, { path: fault });
  return adjudicateWhole(spec, controls, input, sha256);
}

/** The pure core on a version that was read before. @throws Refusal SCM12040 saying what is wrong */
export const adjudicateOn = (...given: Parameters<typeof adjudicateWholeOn>): AdjudicationResult => adjudicateWholeOn(...given).result;

/** Control rules in force at the moment of the input. */
async function controlsNow(db: Db | Tx, productId: string, { stage, at }: AdjudicationInput): Promise<ControlSpec[]> {
  const { insurerId, productLine } = await own(db)
    .selectFrom('insuranceProduct')
    .select(['insurerId', 'productLine'])
    .where('id', '=', productId)
    .executeTakeFirstOrThrow();
  return controlsOn(db, stage, { insurerId, productLine, productId }, dayOf(at));
}

export interface Rider {
  productVersionId: string;
  planCode: string;
}
export interface RiderRun {
  productName: string;
  overflow: boolean;
  result: AdjudicationResult;
}

/** The link by which one product hangs on another on a day; null: it does not. */
async function linkBetween(
  db: Db | Tx,
  mainProductId: string,
  otherProductId: string,
  day: Day,
): Promise<{ overflow: boolean; shared: ShareGroups } | null> {
  const row = await own(db)
    .selectFrom('insuranceProductLink')
    .select(['overflow', 'shareGroups'])
    .where('mainProductId', '=', mainProductId)
    .where('otherProductId', '=', otherProductId)
    .where('linkType', '=', 'APPENDED')
    .where('status', '=', 'ENABLED')
    .where('effectiveFrom', '<=', day)
    .where((eb) => eb.or([eb('effectiveTo', 'is', null), eb('effectiveTo', '>=', day)]))
    .executeTakeFirst();
  return row ? { overflow: row.overflow, shared: z.parse(shareGroups, row.shareGroups) } : null;
}

/**
 * The second run, on a rider's version: each line with what the main product pays counted as paid by others, shared groups as the main
 * product's purses. Without overflow the rider is a cover of its own and knows nothing of the main run but the purses.
 */
async function adjudicateRider(
  db: Db | Tx,
  main: { spec: VersionSpec; whole: Adjudicated },
  rider: Rider,
  controls: readonly ControlSpec[],
  input: AdjudicationInput,
): Promise<RiderRun> {
  const spec = await specOf(db, rider.productVersionId);
  if (!spec) throw refuse(insuranceErrors.INPUT_INCOMPLETE, { path: '没有该附加产品版本' });
  const link = await linkBetween(db, main.spec.productId, spec.productId, input.cover.coverageStart);
  if (!link) throw refuse(insuranceErrors.INPUT_INCOMPLETE, { path: `“${spec.productName}”在起保日不是该产品的附加产品` });
  const shared = withSharedGroups(spec, main.spec, link.shared, input.cover.planCode);
  const handed = riderInput(input, main.whole, rider.planCode);
  const own = link.overflow ? handed : { ...handed, claim: input.claim, lines: input.lines };
  return { productName: spec.productName, overflow: link.overflow, result: adjudicateOn(shared, controls, own) };
}

/**
 * What a claim is paid under a version, with the control rules that are effective at the moment of the input, and on its rider where it
 * has one.
 * @returns null where there is no such version
 * @throws Refusal SCM12040
 */
export async function adjudicate(
  db: Db | Tx,
  productVersionId: string,
  input: AdjudicationInput,
  { controls: given, rider }: { controls?: readonly ControlSpec[]; rider?: Rider } = {},
): Promise<(AdjudicationResult & { rider: RiderRun | null }) | null> {
  const spec = await specOf(db, productVersionId);
  if (!spec) return null;
  const controls = given ?? (await controlsNow(db, spec.productId, input));
  const whole = adjudicateWholeOn(spec, controls, input);
  return { ...whole.result, rider: rider ? await adjudicateRider(db, { spec, whole }, rider, controls, input) : null };
}

/** The limits of a plan that outlast a claim; none where there is no such version or plan. */
export async function listLimits(db: Db | Tx, productVersionId: string, planCode: string): Promise<NamedLimit[]> {
  const spec = await specOf(db, productVersionId);
  return spec && spec.plans.some((one) => one.planCode === planCode) ? limitsOfPlan(spec, planCode) : [];
}
