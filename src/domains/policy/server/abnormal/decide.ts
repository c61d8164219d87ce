import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Staff } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { checkFacts, MOST_IGNORED_DAYS } from '../../contract/abnormal/checks.ts';
import { findingMachine, type FindingAction } from '../../contract/abnormal/states.ts';
import { policyErrors } from '../../contract/errors.ts';
import { refreshPersons, refreshPolicy } from '../cover/cache.ts';
import { own } from '../database.ts';
import { lockedPolicy } from '../endorsements/carryOut.ts';
import { codeOf, type FindingRecord } from './list.ts';
import { handlersOf, seesInsurer, notifyOwners } from './owners.ts';
import { stillFound } from './run.ts';
import { replayUse } from './useLooks.ts';

export interface Wish {
  note: string;
  toUserId?: string | undefined;
  ignoreUntil?: string | undefined;
}
type Moves = Partial<
  Pick<
    FindingRecord,
    'ownerUserId' | 'ownerName' | 'fixNote' | 'ignoreUntil' | 'ignoreBy' | 'ignoreByName' | 'approvedBy' | 'resolvedAt' | 'state'
  >
>;

type Parts = Pick<Kernel, 'secrets' | 'ports'>;

/** Whoever decides, in the transaction in which he does. */
export type Deciding = Acting & { staff: Pick<Staff, 'userId' | 'displayName'> };

const move = (ctx: Deciding, row: FindingRecord, action: Parameters<typeof findingMachine.canStart>[0], opinion = '') =>
  moveState(ctx, findingMachine, {
    targetType: 'policy.finding',
    targetId: row.id,
    targetNo: row.subject,
    action,
    from: row.state,
    opinion,
    contributors: [row.ignoreBy],
  });

/** @throws Refusal SCM13061 where the check still finds it */
async function requireGone(ctx: Deciding, { secrets }: Parts, row: FindingRecord): Promise<void> {
  const found = await stillFound({ db: ctx.tx, secrets, now: ctx.now, today: ctx.today }, { ...row, checkCode: codeOf(row) });
  if (found) throw refuse(policyErrors.STILL_WRONG, { detail: `应为${found.expected}，实为${found.actual}` });
}

const audits = (parts: Parts): Record<FindingAction, (ctx: Deciding, row: FindingRecord, wish: Wish) => Promise<Moves>> => ({
  take: async (ctx, row) => ({
    state: await move(ctx, row, 'take'),
    ownerUserId: ctx.staff.userId,
    ownerName: ctx.staff.displayName,
  }),
  async transfer(ctx, row, { note, toUserId }) {
    const state = await move(ctx, row, 'transfer', note);
    const to = (await handlersOf(ctx.tx, ctx.today)).get(toUserId ?? '');
    if (!to) throw refuseField('toUserId', '请选择可以处理异常的责任人');
    if (!seesInsurer(to, row.insurerId))
      throw refuseField('toUserId', `${to.displayName}的数据范围不含${row.insurerName || '未指定保司'}的保单`);
    return { state, ownerUserId: to.userId, ownerName: to.displayName };
  },
  async submitFix(ctx, row, { note }) {
    if (note === '') throw refuse(policyErrors.FIX_NOTE_MISSING);
    const between = await move(ctx, row, 'submitFix', note);
    await requireGone(ctx, parts, row);
    return { state: await move(ctx, { ...row, state: between }, 'pass'), fixNote: note, resolvedAt: ctx.now };
  },
  async recheck(ctx, row) {
    const state = await move(ctx, row, 'recheck');
    await requireGone(ctx, parts, row);
    return { state, resolvedAt: ctx.now };
  },
  async rebuild(ctx, row) {
    if (!checkFacts[codeOf(row)].rebuilds || row.policyId === null) throw refuseField('action', '该检查项没有可重建的缓存');
    const state = await move(ctx, row, 'rebuild');
    await lockedPolicy(ctx.tx, row.policyId);
    await refreshPersons(ctx.tx, { policyId: row.policyId }, ctx.today);
    await refreshPolicy(ctx.tx, row.policyId, ctx.today);
    await requireGone(ctx, parts, row);
    return { state, fixNote: '已按保障区间重建缓存', resolvedAt: ctx.now };
  },
  async replay(ctx, row) {
    if (!checkFacts[codeOf(row)].replays) throw refuseField('action', '该检查项没有可重放的事件');
    const state = await move(ctx, row, 'replay');
    const replayed = await replayUse(ctx.tx, { refType: row.fingerprint, refId: row.subjectId }, ctx.now);
    if (replayed === 0) throw refuseField('action', '没有需要重放的事件，请立即复查');
    return { state, ownerUserId: ctx.staff.userId, ownerName: ctx.staff.displayName, fixNote: `已重放${replayed}个事件` };
  },
  async askIgnore(ctx, row, { note, ignoreUntil }) {
    if (checkFacts[codeOf(row)].binding) throw refuse(policyErrors.NOT_IGNORABLE);
    const state = await move(ctx, row, 'askIgnore', note);
    if (!ignoreUntil || ignoreUntil <= ctx.today || ignoreUntil > plusDays(ctx.today, MOST_IGNORED_DAYS))
      throw refuseField('ignoreUntil', `忽略期限须在${MOST_IGNORED_DAYS}天以内`);
    return { state, ignoreUntil, ignoreBy: ctx.staff.userId, ignoreByName: ctx.staff.displayName };
  },
  async approveIgnore(ctx, row, { note }) {
    const state = await move(ctx, row, 'approveIgnore', note);
    return { state, approvedBy: ctx.staff.userId };
  },
  refuseIgnore: async (ctx, row, { note }) => ({ state: await move(ctx, row, 'refuseIgnore', note) }),
});

/** What somebody does about a finding that is locked, and where it stands then. */
export async function decide(
  ctx: Deciding,
  parts: Parts,
  row: FindingRecord,
  action: FindingAction,
  { note, ...wish }: Wish,
): Promise<FindingRecord> {
  const moved = await audits(parts)[action](ctx, row, { note: note.trim(), ...wish });
  const now = await own(ctx.tx)
    .updateTable('policyAbnormalFinding')
    .set((eb) => ({ ...moved, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const owners = [row.ownerUserId, now.ownerUserId].filter((userId) => userId !== null);
  await notifyOwners(
    ctx.tx,
    parts.ports.notices,
    [...new Set(owners)].map((userId) => ({ checkCode: codeOf(row), userId })),
    ctx.now,
  );
  return now;
}
