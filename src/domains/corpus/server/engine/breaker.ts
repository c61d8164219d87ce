import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { engineSetting, type EngineSetting } from './setting.ts';
import { throwSwitch } from './switches.ts';

/** Fewer results say nothing about the chat. */
const FEWEST = 20;

export interface Results {
  results: number;
  /** Failed, or not known. */
  faults: number;
}

/** The last results since sending was resumed, at most `breakerWindow`. */
export async function lastResults(db: Db, { breakerWindow }: Pick<EngineSetting, 'breakerWindow'>): Promise<Results> {
  const { rows } = await sql<Results>`
    select count(*)::int as results, count(*) filter (where state <> 'SENT')::int as faults from (
      select state from corpus_follow_send where state in ('SENT', 'FAILED', 'UNKNOWN')
         and updated_at > coalesce((select max(ended_at) from corpus_send_switch where scope_type = 'ENGINE'), '-infinity')
       order by updated_at desc limit ${breakerWindow}) as last`.execute(db);
  return rows[0]!;
}

/** Whether so many of the last results failed that nobody should go on (R12). */
export const trips = ({ results, faults }: Results, { breakerFailBp }: Pick<EngineSetting, 'breakerFailBp'>): boolean =>
  results >= FEWEST && faults * 10_000 > results * breakerFailBp;

/** Stops everything and tells who may resume. */
export async function watch(job: JobContext): Promise<void> {
  const setting = await engineSetting(job.db);
  const last = await lastResults(job.db, setting);
  if (!trips(last, setting)) return;
  await job.transaction(async ({ tx }) => {
    const reason = `最近${last.results}条消息中${last.faults}条发送失败或结果未知，系统自动停发`;
    const { id, isNew } = await throwSwitch(tx, { scopeType: 'ENGINE', scopeId: '', reason, until: null, by: null }, job.now);
    if (!isNew) return;
    job.kernel.count('corpus_breaker');
    await job.kernel.ports.notices.addAlert(
      tx,
      {
        businessKey: `corpus.breaker:${id}`,
        title: '随访消息已自动停发',
        body: reason,
        link: '/corpus?view=engine',
        permission: corpusPermissions['engine.resume'].code,
      },
      job.now satisfies Instant,
    );
  });
}
