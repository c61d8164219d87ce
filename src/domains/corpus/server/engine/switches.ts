import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { switchScope, type SwitchScope } from '../../contract/engine/states.ts';
import { own, ownTx } from '../database.ts';
import { lockSetting } from './setting.ts';
import type { Run } from './runs.ts';

export interface ActiveSwitch {
  id: string;
  scopeType: SwitchScope;
  scopeId: string;
  /** Its scope in words, for the trace of a touch. */
  label: string;
  covers(touch: { run: Pick<Run, 'sceneId' | 'doctorId' | 'patientId'>; conversationId: string }): boolean;
}

const subjectOf: Readonly<Record<SwitchScope, (touch: Parameters<ActiveSwitch['covers']>[0]) => string | null>> = {
  ENGINE: () => '',
  SCENE: ({ run }) => run.sceneId,
  DOCTOR: ({ run }) => run.doctorId,
  CONVERSATION: ({ conversationId }) => conversationId,
  PATIENT: ({ run }) => run.patientId,
};

/** Switches that are thrown; one whose end has come covers nothing. */
export async function coveringSwitches(db: Db, now: Instant): Promise<ActiveSwitch[]> {
  const rows = await own(db)
    .selectFrom('corpusSendSwitch')
    .select(['id', 'scopeType', 'scopeId'])
    .where('active', '=', true)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
    .execute();
  return rows.map(({ id, scopeType, scopeId }) => ({
    id,
    scopeType,
    scopeId,
    label: switchScope.label(scopeType),
    covers: (touch) => subjectOf[scopeType](touch) === scopeId,
  }));
}

export interface Throwing {
  scopeType: SwitchScope;
  scopeId: string;
  reason: string;
  until: Instant | null;
  /** null: the breaker. */
  by: string | null;
}

/** Throws a switch; one that is thrown already stays as it is. Waits for claims under way: none starts after the commit. */
export async function throwSwitch(
  tx: Tx,
  { scopeType, scopeId, reason, until, by }: Throwing,
  now: Instant,
): Promise<{ id: string; isNew: boolean }> {
  await lockSetting(tx);
  const made = await ownTx(tx)
    .insertInto('corpusSendSwitch')
    .values({ scopeType, scopeId, reason, until, byUserId: by, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) return { id: made.id, isNew: true };
  const current = await ownTx(tx)
    .selectFrom('corpusSendSwitch')
    .select('id')
    .where('scopeType', '=', scopeType)
    .where('scopeId', '=', scopeId)
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  return { id: current.id, isNew: false };
}

/** Lifts a switch. @returns whether one was thrown */
export async function liftSwitch(
  tx: Tx,
  scope: { scopeType: SwitchScope; scopeId: string },
  { onResume, by, now }: { onResume: 'CATCH_UP' | 'SKIP'; by: string | null; now: Instant },
): Promise<boolean> {
  await lockSetting(tx);
  const lifted = await ownTx(tx)
    .updateTable('corpusSendSwitch')
    .set({ active: false, endedAt: now, endedBy: by, onResume })
    .where('scopeType', '=', scope.scopeType)
    .where('scopeId', '=', scope.scopeId)
    .where('active', '=', true)
    .returning('id')
    .executeTakeFirst();
  if (!lifted) return false;
  const covered = sql<boolean>`(
    ${scope.scopeType} = 'ENGINE'
    or exists (
      select from corpus_follow_run r
        where r.id = s.run_id
          and (
            (${scope.scopeType} = 'SCENE' and r.scene_id::text = ${scope.scopeId})
            or (${scope.scopeType} = 'DOCTOR' and r.doctor_id::text = ${scope.scopeId})
            or (${scope.scopeType} = 'CONVERSATION' and coalesce(s.conversation_id, r.conversation_id)::text = ${scope.scopeId})
            or (${scope.scopeType} = 'PATIENT' and r.patient_id::text = ${scope.scopeId})
          )
    )
    or (
      s.run_id is null
      and (
        (${scope.scopeType} = 'CONVERSATION' and s.conversation_id::text = ${scope.scopeId})
        or (${scope.scopeType} = 'PATIENT' and s.patient_id::text = ${scope.scopeId})
      )
    )
  )`;
  if (onResume === 'SKIP')
    await sql`update corpus_follow_send s set state = 'SKIPPED', reason_code = 'KILL_SKIP', version = version + 1, updated_at = ${now}
      where s.state in ('PLANNED', 'HELD') and s.due_at <= ${now}::timestamptz and ${covered}`.execute(tx);
  else
    await sql`update corpus_follow_send s set next_try_at = ${now}, updated_at = ${now}
      where s.state = 'HELD' and s.reason_code = 'KILL' and ${covered}`.execute(tx);
  return true;
}
