import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';

/** A module for all insurers is everybody's to see, one for some is theirs. */
export const moduleScope = ({ scope }: Pick<Viewer, 'scope'>): RawBuilder<SqlBool> =>
  scope.insurer === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(cardinality(m.insurer_ids) = 0 or m.insurer_ids::text[] && ${[...scope.insurer]}::text[])`;

export const moduleRecords = recordOf((db) => own(db).selectFrom('insuranceControlModule as m').selectAll('m')).with({
  noun: '控费模块',
  type: 'insurance.controlModule',
  id: 'm.id',
  scope: moduleScope,
});

export const ruleVersionRecords = recordOf((db) =>
  own(db)
    .selectFrom('insuranceControlRuleVersion as v')
    .innerJoin('insuranceControlRule as r', 'r.id', 'v.controlRuleId')
    .innerJoin('insuranceControlModule as m', 'm.id', 'r.moduleId')
    .selectAll('v')
    .select(['r.ruleCode', 'r.moduleId', 'm.stage', 'm.moduleCode', 'm.observeOnly']),
).with({ noun: '控费规则', type: 'insurance.controlRuleVersion', id: 'v.id', scope: moduleScope, locks: 'v' });
