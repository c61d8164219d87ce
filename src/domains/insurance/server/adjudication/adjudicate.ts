import { createHash } from 'node:crypto';
import { refuse } from '../../../../kernel/contract/errors.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { adjudicateCore } from '../../contract/adjudication/adjudicate.ts';
import type { AdjudicationInput } from '../../contract/adjudication/input.ts';
import type { AdjudicationResult } from '../../contract/adjudication/result.ts';
import type { ControlSpec, VersionSpec } from '../../contract/adjudication/spec.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { controlsOn } from '../controls/effective.ts';
import { own } from '../database.ts';
import { specOf } from './specOf.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the schema of an input cannot hold. @throws Refusal SCM12040 with the path */
function requireWhole(spec: VersionSpec, { cover, lines }: AdjudicationInput): void {
  const missing = (path: string) => refuse(insuranceErrors.INPUT_INCOMPLETE, { path });
  if (!spec.plans.some(({ planCode }) => planCode === cover.planCode)) throw missing('cover.planCode');
  if (cover.coverageEnd < cover.coverageStart) throw missing('cover.coverageEnd');
  const seen = new Set<number>();
  for (const [index, { lineNo }] of lines.entries()) {
    if (seen.has(lineNo)) throw missing(`lines.${index}.lineNo`);
    seen.add(lineNo);
  }
}

/** The pure core on a version that was read before. @throws Refusal SCM12040 */
export function adjudicateOn(spec: VersionSpec, controls: readonly ControlSpec[], input: AdjudicationInput): AdjudicationResult {
  requireWhole(spec, input);
  return adjudicateCore(spec, controls, input, sha256);
}

/**
 * What a claim is paid under a version, with the control rules in force at its moment.
 * @returns null where there is no such version
 * @throws Refusal SCM12040
 */
export async function adjudicate(db: Db | Tx, productVersionId: string, input: AdjudicationInput): Promise<AdjudicationResult | null> {
  const spec = await specOf(db, productVersionId);
  if (!spec) return null;
  const { insurerId, productLine } = await own(db)
    .selectFrom('insuranceProduct')
    .select(['insurerId', 'productLine'])
    .where('id', '=', spec.productId)
    .executeTakeFirstOrThrow();
  const controls = await controlsOn(db, input.stage, { insurerId, productLine, productId: spec.productId }, dayOf(input.at));
  return adjudicateOn(spec, controls, input);
}
