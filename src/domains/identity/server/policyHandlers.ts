import { refuse } from '#kernel/contract/errors.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { Db } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { modifySecurityPolicy, querySecurityPolicy } from '../contract/calls/policy.ts';
import { identityErrors } from '../contract/errors.ts';
import { policyDefaults, policyFields, type SecurityPolicy } from '../contract/policy.ts';
import { json, own } from './database.ts';
import { requireStepUp } from './login/stepUp.ts';
import { policyOf } from './policy.ts';

type View = AnswerOf<typeof querySecurityPolicy>;

const LABELS = Object.fromEntries(Object.entries(policyFields).map(([key, { label }]) => [key, label]));

async function load(db: Db, lock: boolean): Promise<View> {
  const row = await own(db)
    .selectFrom('identitySecurityPolicy as p')
    .leftJoin('identityStaffUser as u', 'u.id', 'p.updatedBy')
    .select(['p.settings', 'p.version', 'p.updatedAt', 'u.displayName as updatedByName'])
    .where('p.id', '=', 1)
    .$if(lock, (select) => select.forUpdate('p'))
    .executeTakeFirstOrThrow();
  const { settings, ...rest } = row;
  return { ...policyOf(settings), ...rest, defaults: { ...policyDefaults } };
}

/** @throws SCM01060 naming the first setting that lies outside its range. */
function checkRanges(changes: Partial<SecurityPolicy>): void {
  for (const [key, value] of Object.entries(changes)) {
    const field = policyFields[key as keyof SecurityPolicy];
    if (typeof value === 'number' && (value < field.min || value > field.max)) {
      throw refuse(identityErrors.POLICY_RANGE, { name: `${field.label}（${field.min}至${field.max}${field.unit}）` });
    }
  }
}

export const policyHandlers: readonly Handler[] = [
  query(querySecurityPolicy, (_input, { db }) => load(db, false)),

  command(modifySecurityPolicy, async ({ version, opinion, ...changes }, ctx) => {
    await requireStepUp(ctx.tx, ctx);
    const before = await load(ctx.tx, true);
    await requireVersion(ctx, 'securityPolicy', { ...before, id: '1' }, version, () => before);
    checkRanges(changes);
    const settings = policyOf({ ...policyOf(before), ...changes });
    const stored = Object.fromEntries(Object.keys(policyDefaults).map((key) => [key, settings[key as keyof SecurityPolicy]]));
    await own(ctx.tx)
      .updateTable('identitySecurityPolicy')
      .set({ settings: json(stored), version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', 1)
      .execute();
    ctx.target({ type: 'securityPolicy', id: '1' });
    ctx.changed([...differencesOf(before, changes, LABELS), { path: 'opinion', label: '意见', before: null, after: opinion }]);
    return load(ctx.tx, false);
  }),
];
