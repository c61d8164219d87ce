import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Writing } from '#kernel/server/context.ts';
import { mobileHash } from '#domains/identity/server/index.ts';
import { channelErrors } from '../../contract/errors.ts';
import { bindStates } from '../../contract/states.ts';
import { own, ownTx } from '../database.ts';
import { keepContact } from './contacts/contacts.ts';
import { nextTry, type Corp, type RemoteMember, WecomError, type WecomPort } from './port/port.ts';
import { corpOf, noteCall } from './corps.ts';
import { keepTags } from './contacts/tags.ts';
import { settleLiveCodes } from './codes/ways.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportSyncRunList, querySyncRunList, type SyncRunRow } from '../../contract/calls/wecom.ts';

type Kind = 'MEMBER' | 'CONTACT' | 'TAG';
interface SyncJob {
  runId: string;
  /** Tries before this one. */
  tries?: number;
}
/** A run that stands so long has lost its process. */
const LOST_MS = hours(2);
interface Tally {
  total: number;
  done: number;
  added: number;
  changed: number;
  removed: number;
  errors: { ref: string; errcode: number; errmsg: string }[];
}

/** Opens a run; the partial unique index lets one run per company and kind. @throws Refusal SCM08063. */
export async function openRun(
  writing: Writing,
  wish: { corpRowId: string; kind: Kind; trigger: 'JOB' | 'MANUAL' | 'CALLBACK' },
  sync: ReturnType<typeof syncJob>,
  now: Instant,
): Promise<string> {
  await ownTx(writing.tx)
    .updateTable('channelSyncRun')
    .set({ state: 'FAILED', endedAt: now, errors: JSON.stringify([{ ref: '', errcode: -1, errmsg: '同步中断，请重试' }]) })
    .where('corpRowId', '=', wish.corpRowId)
    .where('kind', '=', wish.kind)
    .where('state', '=', 'RUNNING')
    .where('startedAt', '<', plusMs(now, -LOST_MS))
    .execute();
  const row = await ownTx(writing.tx)
    .insertInto('channelSyncRun')
    .values({ ...wish, startedAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(['corpRowId', 'kind'])
        .where(sql<boolean>`state = 'RUNNING'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) throw refuse(channelErrors.SYNC_RUNNING);
  await writing.enqueue(sync, { runId: row.id }, { singletonKey: `sync:${row.id}` });
  return row.id;
}

/** A member left: his binding is invalid and live codes no longer show him. */
export async function loseMember(writing: Writing, corpRowId: string, wecomUserId: string, now: Instant): Promise<void> {
  const row = await ownTx(writing.tx)
    .selectFrom('channelWecomMember')
    .selectAll()
    .where('corpRowId', '=', corpRowId)
    .where('wecomUserId', '=', wecomUserId)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.status === 5) return;
  let bindState = row.bindState;
  if (bindState === 'BOUND') {
    const invalid = await moveState(asSystem(writing, { now, traceId: 'sync' }), bindStates, {
      targetType: 'channel.wecomMember',
      targetId: row.id,
      targetNo: wecomUserId,
      action: 'invalidate',
      from: 'BOUND',
    });
    bindState = invalid;
  }
  await ownTx(writing.tx)
    .updateTable('channelWecomMember')
    .set((eb) => ({ status: 5, canContact: false, bindState, version: eb('version', '+', 1), updatedAt: now }))
    .where('id', '=', row.id)
    .execute();
  await settleLiveCodes(writing.tx, { corpRowId }, now);
}

async function keepMember(kernel: Kernel, ctx: JobContext, corp: Corp, remote: RemoteMember, tally: Tally): Promise<void> {
  const hash = remote.mobileHash ?? (remote.mobile === null ? null : mobileHash(kernel.secrets, remote.mobile));
  const masked = remote.mobileMasked ?? (remote.mobile === null ? null : mask('mobile', remote.mobile));
  const values = {
    name: remote.name,
    avatar: remote.avatar,
    mobileHash: hash,
    mobileMasked: masked,
    departmentNames: remote.departmentNames,
    status: remote.status,
    canContact: remote.canContact,
  };
  const before = await own(ctx.db)
    .selectFrom('channelWecomMember')
    .selectAll()
    .where('corpRowId', '=', corp.id)
    .where('wecomUserId', '=', remote.wecomUserId)
    .executeTakeFirst();
  if (!before) {
    await own(ctx.db)
      .insertInto('channelWecomMember')
      .values({ ...values, corpRowId: corp.id, wecomUserId: remote.wecomUserId, createdAt: ctx.now, updatedAt: ctx.now })
      .execute();
    tally.added += 1;
  } else if (Object.entries(values).some(([key, value]) => JSON.stringify(before[key as keyof typeof before]) !== JSON.stringify(value))) {
    await own(ctx.db)
      .updateTable('channelWecomMember')
      .set({ ...values, updatedAt: ctx.now })
      .where('id', '=', before.id)
      .execute();
    tally.changed += 1;
  }
}

async function syncMembers(kernel: Kernel, ctx: JobContext, port: WecomPort, corp: Corp, tally: Tally): Promise<void> {
  const remote = await port.members(corp);
  tally.total = remote.length;
  for (const member of remote) {
    await keepMember(kernel, ctx, corp, member, tally);
    tally.done += 1;
  }
  const here = new Set(remote.map(({ wecomUserId }) => wecomUserId));
  const known = await own(ctx.db)
    .selectFrom('channelWecomMember')
    .select('wecomUserId')
    .where('corpRowId', '=', corp.id)
    .where('status', '<>', 5)
    .execute();
  for (const { wecomUserId } of known.filter((one) => !here.has(one.wecomUserId))) {
    await ctx.transaction((writing) => loseMember(writing, corp.id, wecomUserId, ctx.now));
    tally.removed += 1;
  }
  await settleLiveCodes(ctx.db, { corpRowId: corp.id }, ctx.now);
}

async function syncContacts(kernel: Kernel, ctx: JobContext, port: WecomPort, corp: Corp, tally: Tally): Promise<void> {
  const members = await own(ctx.db)
    .selectFrom('channelWecomMember')
    .select(['id', 'wecomUserId'])
    .where('corpRowId', '=', corp.id)
    .where('status', '=', 1)
    .where('canContact', '=', true)
    .orderBy('id')
    .execute();
  tally.total = members.length;
  for (const member of members) {
    try {
      for (const contact of await port.contacts(corp, member.wecomUserId)) {
        const kept = await ctx.transaction(({ tx }) =>
          keepContact(kernel, tx, { ...contact, corpRowId: corp.id, memberId: member.id }, ctx.now),
        );
        tally[kept.isNew ? 'added' : 'changed'] += 1;
      }
    } catch (error) {
      if (!(error instanceof WecomError) || error.limited) throw error;
      tally.errors.push({ ref: member.wecomUserId, errcode: error.errcode, errmsg: error.message });
    }
    tally.done += 1;
  }
}

async function syncTags(_kernel: Kernel, ctx: JobContext, port: WecomPort, corp: Corp, tally: Tally): Promise<void> {
  const remote = await port.tags(corp);
  tally.total = remote.length;
  Object.assign(tally, await keepTags(ctx.db, corp.id, remote, ctx.now), { done: remote.length });
}

const works = { MEMBER: syncMembers, CONTACT: syncContacts, TAG: syncTags } as const;

export const syncJob = (kernel: Kernel, portOf: (corp: Corp) => WecomPort) => {
  const sync: JobDeclaration<SyncJob> = job<SyncJob>({
    name: 'channel.syncWecom',
    label: '同步企业微信',
    retryLimit: 0,
    expireSeconds: 3_600,
    subject: ({ runId }) => runId,
    async run({ runId, tries = 0 }, ctx) {
      const run = await own(ctx.db)
        .selectFrom('channelSyncRun')
        .selectAll()
        .where('id', '=', runId)
        .where('state', '=', 'RUNNING')
        .executeTakeFirst();
      if (!run) return;
      const corp = await corpOf(kernel, ctx.db, run.corpRowId);
      const tally: Tally = { total: 0, done: 0, added: 0, changed: 0, removed: 0, errors: [] };
      const failure = await works[run.kind](kernel, ctx, portOf(corp), corp, tally).then(
        () => null,
        (error: unknown) => (error instanceof WecomError ? error : new WecomError(-1, String(error))),
      );
      if (failure) tally.errors.push({ ref: corp.corpId, errcode: failure.errcode, errmsg: failure.message });
      await noteCall(ctx.db, corp.id, failure, ctx.now);
      const again = failure?.limited ? nextTry(tries, kernel.clock.now()) : null;
      if (again !== null) {
        // Asked to slow down: the same run goes on after a pause.
        await ctx.transaction((writing) =>
          writing.enqueue(sync, { runId, tries: tries + 1 }, { startAfter: again, singletonKey: `sync:${runId}:${tries + 1}` }),
        );
        return;
      }
      const state = failure ? 'FAILED' : tally.errors.length > 0 ? 'PARTIAL' : 'SUCCESS';
      await own(ctx.db)
        .updateTable('channelSyncRun')
        .set({ ...tally, errors: JSON.stringify(tally.errors.slice(0, 100)), state, endedAt: kernel.clock.now() })
        .where('id', '=', runId)
        .execute();
    },
  });
  return sync;
};

/** Opens a run for every connected company; one that is still running is left alone. */
export async function openRuns(ctx: JobContext, kind: Kind, sync: ReturnType<typeof syncJob>): Promise<void> {
  const corps = await own(ctx.db).selectFrom('channelWecomCorp').select('id').where('state', '=', 'CONNECTED').execute();
  for (const { id } of corps) {
    const busy = await own(ctx.db)
      .selectFrom('channelSyncRun')
      .select('id')
      .where('corpRowId', '=', id)
      .where('kind', '=', kind)
      .where('state', '=', 'RUNNING')
      .executeTakeFirst();
    if (!busy) await ctx.transaction((writing) => openRun(writing, { corpRowId: id, kind, trigger: 'JOB' }, sync, ctx.now));
  }
}

export const runList = listOf(querySyncRunList)
  .from(({ db }) => own(db).selectFrom('channelSyncRun as r').innerJoin('channelWecomCorp as k', 'k.id', 'r.corpRowId'))
  .with({
    where: { corpId: 'r.corpRowId', kind: 'r.kind', state: 'r.state' },
    id: 'r.id',
    sorts: { startedAt: 'r.id' },
    select: (query) =>
      query.select([
        'r.id',
        'k.name as corpName',
        'r.corpRowId',
        'r.kind',
        'r.trigger',
        'r.total',
        'r.done',
        'r.added',
        'r.changed',
        'r.removed',
        'r.errors',
        'r.state',
        'r.startedAt',
        'r.endedAt',
      ]),
    present: (rows) =>
      rows.map((row) => ({
        ...row,
        errors: row.errors as SyncRunRow['errors'],
      })),
  });

export const runExport = listExport(runList, {
  call: exportSyncRunList,
  title: '企业微信同步记录',
  routeKey: 'weChatWorkManagement',
  columns: ['startedAt', 'corpName', 'kind', 'trigger', 'total', 'done', 'added', 'changed', 'removed', 'state', 'errors', 'endedAt'],
});
