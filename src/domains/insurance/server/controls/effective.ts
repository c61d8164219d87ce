import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { TypedFacts } from '#kernel/contract/rules/groups.ts';
import { dayOf, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ControlSpec } from '../../contract/adjudication/spec.ts';
import { evaluateControls, type ControlVerdict } from '../../contract/controls/evaluate.ts';
import type { ControlStage } from '../../contract/rules/variables.ts';
import { own } from '../database.ts';
import { controlSpecOf } from './content.ts';

/** What a rule is asked about; a module without limits is for all. */
export interface ControlScope {
  insurerId: string | null;
  productLine: string;
  productId: string;
}

const covers = ({ insurerId, productLine, productId }: ControlScope): RawBuilder<SqlBool> => sql<SqlBool>`
  (cardinality(m.insurer_ids) = 0 or ${insurerId}::bigint = any(m.insurer_ids))
  and (cardinality(m.product_lines) = 0 or ${productLine} = any(m.product_lines))
  and (cardinality(m.product_ids) = 0 or ${productId}::bigint = any(m.product_ids))`;

/** Rules in force on a day, in the order of their modules. One that was paused later counts for the days before. */
export async function controlsOn(db: Db | Tx, stage: ControlStage, scope: ControlScope, day: Day): Promise<ControlSpec[]> {
  const rows = await own(db)
    .selectFrom('insuranceControlRuleVersion as v')
    .innerJoin('insuranceControlRule as r', 'r.id', 'v.controlRuleId')
    .innerJoin('insuranceControlModule as m', 'm.id', 'r.moduleId')
    .selectAll('v')
    .select(['r.ruleCode', 'm.moduleCode', 'm.observeOnly'])
    .where('m.stage', '=', stage)
    .where('m.enabled', '=', true)
    .where(covers(scope))
    .where('v.effectiveFrom', '<=', day)
    .where((eb) => eb.or([eb('v.effectiveTo', 'is', null), eb('v.effectiveTo', '>=', day)]))
    .where((eb) => eb.or([eb('v.state', '=', 'PUBLISHED'), eb.and([eb('v.state', '=', 'PAUSED'), eb('v.pausedFrom', '>', day)])]))
    .orderBy('m.sort')
    .orderBy('m.id')
    .orderBy('r.id')
    .execute();
  return rows.map(controlSpecOf);
}

/**
 * All rules of a stage on the facts of one subject: the strongest mode, the lowest caps, every rule that held. Callers keep the version
 * ids of the hits with what they decide.
 */
export async function evaluateControl(
  db: Db | Tx,
  { stage, scope, facts, at }: { stage: ControlStage; scope: ControlScope; facts: TypedFacts; at: Instant },
): Promise<ControlVerdict> {
  return evaluateControls(await controlsOn(db, stage, scope, dayOf(at)), facts);
}
