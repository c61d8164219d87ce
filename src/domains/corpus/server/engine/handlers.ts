import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, plusDays, startOfDay, timeSlots, type Instant } from '#kernel/contract/time.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { Db } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  engineSettings,
  modifyEngineSetting,
  queryEngineState,
  querySendSwitchList,
  resumeSend,
  stopSend,
  type EngineState,
} from '../../contract/engine/engineCalls.ts';
import { switchScope, type SwitchScope } from '../../contract/engine/states.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { own, ownTx } from '../database.ts';
import { doctorNames, patientNames } from '../runs/people.ts';
import { userNames } from '../versions/names.ts';
import { lastResults } from './breaker.ts';
import { engineSetting, lockSetting } from './setting.ts';
import { liftSwitch, throwSwitch } from './switches.ts';

/** Touches of today by the slot in which they are due. */
async function slotsOf(db: Db, now: Instant): Promise<EngineState['slots']> {
  const today = dayOf(now);
  const { rows } = await sql<{ slot: string; state: string; n: number }>`
    select to_char(due_at at time zone 'Asia/Shanghai', 'HH24:MI') as slot, state, count(*)::int as n from corpus_follow_send
     where due_at >= ${startOfDay(today)}::timestamptz and due_at < ${startOfDay(plusDays(today, 1))}::timestamptz group by 1, 2`.execute(
    db,
  );
  const of = (slot: string, ...states: string[]) =>
    rows.filter((row) => row.slot === slot && states.includes(row.state)).reduce((sum, { n }) => sum + n, 0);
  return timeSlots.map((slot) => ({
    slot,
    planned: of(slot, 'PLANNED', 'SENDING', 'UNKNOWN'),
    sent: of(slot, 'SENT'),
    held: of(slot, 'HELD'),
    skipped: of(slot, 'SKIPPED', 'CANCELLED'),
    failed: of(slot, 'FAILED'),
  }));
}

export const engineBoard = query(queryEngineState, async (_input, ctx) => {
  const setting = await engineSetting(ctx.db);
  const { rows } = await sql<{ backlog: number; oldest: Instant | null; unknown: number; sentToday: number }>`
    select count(*) filter (where state in ('PLANNED', 'HELD') and due_at <= ${ctx.now}::timestamptz)::int as backlog,
           min(due_at) filter (where state in ('PLANNED', 'HELD') and due_at <= ${ctx.now}::timestamptz) as oldest,
           count(*) filter (where state = 'UNKNOWN')::int as unknown,
           count(*) filter (where state = 'SENT' and sent_at >= ${startOfDay(ctx.today)}::timestamptz)::int as sent_today
      from corpus_follow_send where state in ('PLANNED', 'HELD', 'UNKNOWN') or sent_at >= ${startOfDay(ctx.today)}::timestamptz`.execute(
    ctx.db,
  );
  const counts = rows[0]!;
  const stopped = await own(ctx.db)
    .selectFrom('corpusSendSwitch')
    .select(['reason', 'createdAt', 'byUserId'])
    .where('scopeType', '=', 'ENGINE')
    .where('active', '=', true)
    .executeTakeFirst();
  const errors = await own(ctx.db)
    .selectFrom('corpusFollowSend')
    .select(['sendNo', 'updatedAt as at', 'lastError as text'])
    .where('lastError', 'is not', null)
    .where('state', 'in', ['FAILED', 'UNKNOWN', 'SENT'])
    .orderBy('updatedAt', 'desc')
    .limit(10)
    .execute();
  const last = await lastResults(ctx.db, setting);
  const { id: _, updatedAt: __, updatedBy: ___, ...shown } = setting;
  return {
    stopped: stopped ? { reason: stopped.reason, at: stopped.createdAt, byBreaker: stopped.byUserId === null } : null,
    backlog: counts.backlog,
    oldestMinutes: counts.oldest === null ? 0 : Math.floor((Date.parse(ctx.now) - Date.parse(counts.oldest)) / 60_000),
    unknown: counts.unknown,
    sentToday: counts.sentToday,
    failBp: last.results === 0 ? 0 : Math.round((last.faults * 10_000) / last.results),
    results: last.results,
    slots: await slotsOf(ctx.db, ctx.now),
    errors: errors.map(({ text, ...row }) => ({ ...row, text: text ?? '' })),
    setting: shown,
  };
});

/** Names of what switches cover. */
async function scopeNames(
  db: Db,
  rows: readonly { scopeType: SwitchScope; scopeId: string }[],
): Promise<(row: { scopeType: SwitchScope; scopeId: string }) => string> {
  const ids = (type: SwitchScope) => rows.filter(({ scopeType }) => scopeType === type).map(({ scopeId }) => scopeId);
  const scenes = ids('SCENE');
  const sceneNames = new Map(
    scenes.length === 0
      ? []
      : (await own(db).selectFrom('corpusScene').select(['id', 'name']).where('id', 'in', scenes).execute()).map(({ id, name }) => [
          id,
          name,
        ]),
  );
  const doctors = await doctorNames(db, ids('DOCTOR'));
  const patients = await patientNames(db, ids('PATIENT'));
  return ({ scopeType, scopeId }) => {
    if (scopeType === 'ENGINE') return '全部随访消息';
    if (scopeType === 'SCENE') return sceneNames.get(scopeId) ?? '';
    if (scopeType === 'DOCTOR') return doctors(scopeId);
    return scopeType === 'PATIENT' ? (patients(scopeId).at(0) ?? '') + '**' : `会话${scopeId}`;
  };
}

export const switchList = listOf(querySendSwitchList)
  .from(({ db }) => own(db).selectFrom('corpusSendSwitch as w'))
  .with({
    where: { active: (eb, active) => eb('w.active', '=', active) },
    id: 'w.id',
    sorts: { until: 'w.until', createdAt: 'w.createdAt', endedAt: 'w.endedAt' },
    bounded: 'sending is stopped by hand: some dozens a year',
    order: [['w.createdAt', 'desc']],
    select: (rows) =>
      rows.select([
        'w.id',
        'w.scopeType',
        'w.scopeId',
        'w.reason',
        'w.until',
        'w.byUserId',
        'w.active',
        'w.createdAt',
        'w.endedAt',
        'w.endedBy',
        'w.onResume',
      ]),
    async present(rows, { db }) {
      const scopes = await scopeNames(db, rows);
      const users = await userNames(
        db,
        rows.flatMap(({ byUserId, endedBy }) => [byUserId, endedBy]),
      );
      return rows.map(({ byUserId, ...row }) => ({
        ...row,
        scopeName: scopes(row),
        by: users(byUserId),
        endedBy: row.endedAt === null ? null : users(row.endedBy),
      }));
    },
  });

/** @throws Refusal SCM90020 where the scope does not go with what is named */
function requireScope({ scopeType, scopeId }: { scopeType: SwitchScope; scopeId: string }): void {
  if (scopeType === 'ENGINE' && scopeId !== '') throw refuseField('scopeId', '全局停发不需要选择对象');
  if (scopeType !== 'ENGINE' && scopeId === '') throw refuseField('scopeId', `请选择${switchScope.label(scopeType)}`);
}

const target = ({ scopeType, scopeId }: { scopeType: SwitchScope; scopeId: string }) => ({
  type: 'corpus.sendSwitch',
  id: `${scopeType}:${scopeId}`,
  no: switchScope.label(scopeType),
});

export const stopSending = command(stopSend, async ({ reason, until, ...scope }, ctx) => {
  requireScope(scope);
  if (reason === '') throw refuse(corpusErrors.STOP_REASON);
  if (until !== undefined && until <= ctx.now) throw refuseField('until', '停发至须晚于当前时间');
  const { id } = await throwSwitch(ctx.tx, { ...scope, reason, until: until ?? null, by: ctx.staff.userId }, ctx.now);
  ctx.target(target(scope));
  ctx.changed([{ path: 'reason', label: '停发原因', before: null, after: reason }]);
  return { id };
});

export const resumeSending = command(resumeSend, async ({ onResume, ...scope }, ctx) => {
  requireScope(scope);
  const lifted = await liftSwitch(ctx.tx, scope, { onResume, by: ctx.staff.userId, now: ctx.now });
  if (!lifted) throw refuseField('scopeId', '该范围没有停发');
  ctx.target(target(scope));
  ctx.changed([{ path: 'active', label: '停发中', before: true, after: false }]);
  return { id: scope.scopeId };
});

export const saveSetting = command(modifyEngineSetting, async ({ version, ...fields }, ctx) => {
  const before = await lockSetting(ctx.tx);
  await requireVersion(
    ctx,
    'corpus.engineSetting',
    { id: '1', version: before.version, updatedBy: before.updatedBy },
    version,
    () => before,
  );
  await ownTx(ctx.tx)
    .updateTable('corpusEngineSetting')
    .set((eb) => ({ ...fields, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', 1)
    .execute();
  ctx.target({ type: 'corpus.engineSetting', id: '1', no: '随访引擎参数' });
  ctx.changed(differencesOf(before, { ...before, ...fields }, labelsOf(engineSettings.shape)));
  return { version: version + 1 };
});
