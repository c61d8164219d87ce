import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Day, Instant } from '#kernel/contract/time.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Db, Scope, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Notices } from '#kernel/server/ports.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { getInsurer } from '#domains/insurance/server/index.ts';
import { checkCodes, ownerKinds, type CheckCode, type OwnerKind } from '../../contract/abnormal/checks.ts';
import {
  addFindingOwner,
  modifyFindingOwner,
  queryFindingOwnerList,
  queryFindingOwnerOptions,
  removeFindingOwner,
} from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';

/** More people than that handle nothing together. */
const MOST_PEOPLE = 1_000;

/** Whoever may handle findings today, by his id. */
export async function handlersOf(db: Db | Tx, today: Day) {
  const people = await checkersFor(db, { permission: may['abnormal.handle'].code, today, limit: MOST_PEOPLE });
  return new Map(people.map((one) => [one.userId, one]));
}
type Handlers = Awaited<ReturnType<typeof handlersOf>>;

/** What lies outside somebody's data scope he could neither see nor mend. */
export const seesInsurer = ({ scope }: { scope: Pick<Scope, 'insurer'> }, insurerId: string | null): boolean =>
  scope.insurer === null || (insurerId !== null && scope.insurer.includes(insurerId));

const records = recordOf((db) => own(db).selectFrom('policyAbnormalOwner as w').selectAll('w')).with({
  noun: '责任人',
  type: 'policy.abnormalOwner',
  id: 'w.id',
  scope: insurerScope('w.insurerId'),
});
type OwnerRecord = Awaited<ReturnType<typeof records.get>>;

export interface Owners {
  rows: readonly OwnerRecord[];
  handlers: Handlers;
}
export const readOwners = async (tx: Tx, today: Day): Promise<Owners> => ({
  rows: await own(tx).selectFrom('policyAbnormalOwner').selectAll().execute(),
  handlers: await handlersOf(tx, today),
});

/** Who looks after what is found of an insurer: its own owner, else the one of all; nobody, where he may not any more. */
export function ownerIn({ rows, handlers }: Owners, kind: OwnerKind, insurerId: string | null) {
  const of = (id: string | null) => rows.find((row) => row.ownerKind === kind && row.insurerId === id);
  const wanted = [...(insurerId === null ? [] : [of(insurerId)]), of(null)];
  for (const row of wanted) {
    const person = row && handlers.get(row.userId);
    if (person && seesInsurer(person, insurerId)) return { ownerUserId: person.userId, ownerName: person.displayName };
  }
  return { ownerUserId: null, ownerName: null };
}

/** Somebody who owns findings of a check. */
export interface Owned {
  checkCode: CheckCode;
  userId: string;
}

/** One to-do for all that waits for somebody of one check: it comes with the first finding and goes with the last. */
export async function notifyOwners(
  tx: Tx,
  notices: Pick<Notices, 'addTodo' | 'closeTodo'>,
  owned: readonly Owned[],
  now: Instant,
): Promise<void> {
  for (const { checkCode, userId } of owned) {
    const businessKey = `policy.abnormal:${checkCode}:${userId}`;
    const waiting = await own(tx)
      .selectFrom('policyAbnormalFinding')
      .select('id')
      .where('checkCode', '=', checkCode)
      .where('ownerUserId', '=', userId)
      .where('state', 'in', ['OPEN', 'FIXING'])
      .limit(1)
      .executeTakeFirst();
    if (waiting) {
      await notices.addTodo(
        tx,
        {
          businessKey,
          title: `异常保单数据“${checkCodes.label(checkCode)}”待处理`,
          link: `/abnormalPolicyData?tab=mine&checkCode=${checkCode}`,
          userIds: [userId],
        },
        now,
      );
    } else await notices.closeTodo(tx, businessKey, now);
  }
}

const shown = ({ id, ownerKind, insurerId, insurerName, userId, userName, updatedAt, version }: OwnerRecord, handlers: Handlers) => {
  const person = handlers.get(userId);
  return {
    id,
    ownerKind,
    insurerId,
    insurerName,
    userId,
    userName: person?.displayName ?? userName,
    fit: person !== undefined && (insurerId === null || seesInsurer(person, insurerId)),
    updatedAt,
    version,
  };
};

const list = query(queryFindingOwnerList, async (_input, { db, staff, today }) => {
  const rows = await own(db)
    .selectFrom('policyAbnormalOwner as w')
    .where(scopeFilter(insurerScope('w.insurerId'), staff))
    .selectAll('w')
    .orderBy(sql`array_position(${[...ownerKinds.codes]}::text[], w.owner_kind)`)
    .orderBy(sql`w.insurer_id nulls first`)
    .execute();
  const handlers = await handlersOf(db, today);
  return rows.map((row) => shown(row, handlers));
});

const options = query(queryFindingOwnerOptions, async (_input, ctx) => {
  if (!ctx.has(may['abnormal.handle'])) ctx.requirePermission(may['abnormal.supervise']);
  return [...(await handlersOf(ctx.db, ctx.today)).values()].map(({ userId, displayName }) => ({ userId, displayName }));
});

/** @throws Refusal SCM90020 for who may not handle the findings of the insurer */
function requireFit(handlers: Handlers, userId: string, insurer: { insurerId: string; insurerName: string } | null) {
  const person = handlers.get(userId);
  if (!person) throw refuseField('userId', '请选择可以处理异常的责任人');
  if (insurer && !seesInsurer(person, insurer.insurerId))
    throw refuseField('userId', `${person.displayName}的数据范围不含${insurer.insurerName}`);
  return person;
}

const add = command(addFindingOwner, async ({ ownerKind, insurerId, userId }, ctx) => {
  const insurer = insurerId ? await getInsurer(ctx.tx, insurerId) : null;
  if (insurerId && (!insurer || !seesInsurer(ctx.staff, insurerId)))
    throw refuse(platformErrors.NOT_FOUND, { message: '保司不存在或已删除' });
  // Who sees some insurers alone decides for no others.
  if (!insurer && ctx.staff.scope.insurer !== null) throw refuseField('insurerId', '请选择保司；您的数据范围不含全部保司');
  const named = insurer && { insurerId: insurer.insurerId, insurerName: insurer.shortName };
  const handlers = await handlersOf(ctx.tx, ctx.today);
  const person = requireFit(handlers, userId, named);
  const row = await own(ctx.tx)
    .insertInto('policyAbnormalOwner')
    .values({
      ownerKind,
      insurerId: named?.insurerId ?? null,
      insurerName: named?.insurerName ?? '',
      userId: person.userId,
      userName: person.displayName,
      ...createdColumns(ctx),
    })
    .onConflict((conflict) => conflict.columns(['ownerKind', 'insurerId']).doNothing())
    .returningAll()
    .executeTakeFirst();
  const whose = `${named?.insurerName ?? '全部保司'}的${ownerKinds.label(ownerKind)}`;
  if (!row) throw refuseField('insurerId', `${whose}已有责任人，请直接修改`);
  ctx.target({ type: 'policy.abnormalOwner', id: row.id, no: whose });
  ctx.changed([{ path: 'userId', label: '责任人', before: null, after: person.displayName }]);
  return shown(row, handlers);
});

const modify = command(modifyFindingOwner, async ({ id, version, userId }, ctx) => {
  const row = await records.lockVersion(ctx, id, version, (now) => ({ userId: now.userId, userName: now.userName }));
  const handlers = await handlersOf(ctx.tx, ctx.today);
  const insurer = row.insurerId === null ? null : { insurerId: row.insurerId, insurerName: row.insurerName };
  const person = requireFit(handlers, userId, insurer);
  ctx.target({ type: 'policy.abnormalOwner', id, no: `${row.insurerName || '全部保司'}的${ownerKinds.label(row.ownerKind)}` });
  ctx.changed([{ path: 'userId', label: '责任人', before: row.userName, after: person.displayName }]);
  const now = await own(ctx.tx)
    .updateTable('policyAbnormalOwner')
    .set((eb) => ({ userId: person.userId, userName: person.displayName, ...updatedColumns(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return shown(now, handlers);
});

const remove = command(removeFindingOwner, async ({ id, version }, ctx) => {
  const row = await records.lockVersion(ctx, id, version);
  ctx.target({ type: 'policy.abnormalOwner', id, no: `${row.insurerName || '全部保司'}的${ownerKinds.label(row.ownerKind)}` });
  ctx.changed([{ path: 'userId', label: '责任人', before: row.userName, after: null }]);
  await own(ctx.tx).deleteFrom('policyAbnormalOwner').where('id', '=', id).execute();
  return {};
});

export const ownerHandlers = [list, options, add, modify, remove];
