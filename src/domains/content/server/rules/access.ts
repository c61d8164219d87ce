import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { CommandContext } from '../../../../kernel/server/context.ts';
import { requireVersion } from '../../../../kernel/server/record/requireVersion.ts';
import { rulePermissions as may } from '../../contract/rules/permissions.ts';
import { ownTx } from '../database.ts';
import { seesGroup } from '../marks/access.ts';

export const RULE_TARGET = 'content.markRule';

type Ctx = Pick<CommandContext, 'tx' | 'has' | 'nameOf'>;

const missing = () => refuse(platformErrors.NOT_FOUND, { message: '打标规则不存在或已删除' });

/** A rule, locked; one of a medical mark of patients is there only for who may see such marks. */
export async function lockRule(ctx: Ctx, id: string) {
  const rule = await ownTx(ctx.tx).selectFrom('contentMarkRule').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!rule) throw missing();
  const group = await ownTx(ctx.tx)
    .selectFrom('contentTagGroup')
    .select(['objectType', 'sensitive'])
    .where('id', '=', rule.groupId)
    .executeTakeFirstOrThrow();
  if (!seesGroup(ctx, group)) throw missing();
  return rule;
}
export type LockedRule = Awaited<ReturnType<typeof lockRule>>;

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
