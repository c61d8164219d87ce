import { unscoped } from '#kernel/server/auth/scope.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { rulePermissions as may } from '../../contract/rules/permissions.ts';
import { own } from '../database.ts';
import { seesGroup } from '../marks/access.ts';

export const RULE_TARGET = 'content.markRule';

// Who sees a rule hangs on a right: `seesGroup` is asked of each, before its version is compared.
const ruleRecords = recordOf((db) =>
  own(db).selectFrom('contentMarkRule as r').innerJoin('contentTagGroup as g', 'g.id', 'r.groupId').selectAll('r').select('g.sensitive'),
).with({ noun: '打标规则', type: RULE_TARGET, id: 'r.id', scope: unscoped, locks: 'r' });

type Ctx = Pick<CommandContext, 'tx' | 'has' | 'nameOf'>;

/** A rule, locked; one of a medical mark of patients is there only for who may see such marks. */
export async function lockRule(ctx: Ctx, id: string) {
  const rule = await ruleRecords.lock(ctx.tx, ruleRecords.everyone, id);
  if (!seesGroup(ctx, rule)) throw ruleRecords.missing();
  return rule;
}
export type LockedRule = Omit<Awaited<ReturnType<typeof lockRule>>, 'sensitive'>;

/** The same for who saw a version of it. */
export async function lockRuleVersion(ctx: Ctx, id: string, version: number): Promise<LockedRule> {
  const rule = await lockRule(ctx, id);
  await requireVersion(ctx, RULE_TARGET, rule, version, () => ({
    markId: rule.markId,
    removeWhenFalse: rule.removeWhenFalse,
    schedule: rule.schedule,
  }));
  return rule;
}

/** Who keeps rules, or supervises them. */
export function requireRuleRight(ctx: Pick<CommandContext, 'has' | 'requirePermission'>): void {
  if (!ctx.has(may['mark.supervise'])) ctx.requirePermission(may['mark.rule']);
}
