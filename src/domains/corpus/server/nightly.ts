import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { dayOf, hours, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import { corpusPermissions } from '../contract/permissions.ts';

import { own } from './database.ts';
import { doneRuns, withoutOpenTouch } from './engine/lifecycle.ts';

/** Rules over the domain's own rows (corpus.md, I1 to I11) as statements that count what breaks them. */
const statements: readonly (readonly [name: string, statement: string])[] = [
  [
    'I1 重复的触达消息',
    // One message for a bubble's key, over all touches.
    `
      select count(*)::int as n
        from (
          select from corpus_follow_send f
            cross join lateral jsonb_to_recordset(f.bubbles) as b (key text, seq bigint)
            where b.seq is not null
            group by b.key
            having count(*) > 1
        ) twice`,
  ],
  [
    'I2 发送时间窗外的触达',
    `select count(*)::int as n from corpus_follow_send where state = 'SENT' and not immediate
      and (claimed_at at time zone 'Asia/Shanghai')::time not between time '08:30:00' and time '18:31:59.999'`,
  ],
  [
    'I3 超过每日上限的患者',
    // Of the days since the limit stands as it is.
    `select count(*)::int as n from corpus_touch_counter c, corpus_engine_setting t
       where c.count > t.cap_per_day and c.day > coalesce((t.updated_at at time zone 'Asia/Shanghai')::date, '-infinity')`,
  ],
  [
    'I4 随访未在进行时的触达',
    // The delivery looks again; between the claim and the bubble a run may end.
    `select count(*)::int as n from corpus_follow_send s join corpus_follow_run r on r.id = s.run_id
      where s.state = 'SENT'
        and r.ended_at is not null
        and s.claimed_at > r.ended_at
        and exists (select from corpus_gate_try t where t.send_id = s.id)`,
  ],
  [
    'I4 停发期间的触达',
    `
      select count(*)::int as n
        from corpus_follow_send s
        join corpus_follow_run r on r.id = s.run_id
        join corpus_send_switch w on w.created_at < s.claimed_at
          and (w.ended_at is null or w.ended_at > s.claimed_at)
          and (w.until is null or w.until > s.claimed_at)
          and (
            (w.scope_type = 'ENGINE')
            or (w.scope_type = 'SCENE' and w.scope_id = r.scene_id::text)
            or (w.scope_type = 'DOCTOR' and w.scope_id = r.doctor_id::text)
            or (w.scope_type = 'CONVERSATION' and w.scope_id = s.conversation_id::text)
            or (w.scope_type = 'PATIENT' and w.scope_id = s.patient_id::text)
          )
        where s.state = 'SENT' and exists (select from corpus_gate_try t where t.send_id = s.id)`,
  ],
  [
    'I4 未授权或随访暂停时的触达',
    // By what the decision was made from: one that sent, although it saw that it must not.
    `
      select count(*)::int as n
        from corpus_gate_try t
        where t.verdict ->> 'do' = 'SEND'
          and (
            (t.input -> 'run' ->> 'state') <> 'RUNNING'
            or jsonb_array_length(t.input -> 'switches') > 0
            or (
              (t.input -> 'consent' ->> 'followUp')::boolean is false
              and coalesce((t.input -> 'exempt' ->> 'consent')::boolean, false) is false
            )
          )`,
  ],
  [
    'I5 已触达的素材未经他人审核',
    `select count(*)::int as n from corpus_follow_send f cross join lateral jsonb_to_recordset(f.bubbles) as b ("materialVersionId" bigint)
      join corpus_material_version v on v.id = b."materialVersionId"
      where f.state = 'SENT' and v.state <> 'APPROVED'`,
  ],
  [
    'I5 已触达的版本未经他人审核',
    `select count(*)::int as n from corpus_follow_send s join corpus_follow_run r on r.id = s.run_id
      join corpus_package_version v on v.id = r.package_version_id
      where s.state = 'SENT' and (v.audited_by is null or v.audited_by = v.submitted_by)`,
  ],
  [
    'I6 同一患者重复的随访实例',
    `select count(*)::int as n from (select from corpus_follow_run where state in ('RUNNING', 'PAUSED')
      group by scene_package_id, conversation_id, patient_id having count(*) > 1) twice`,
  ],
  [
    'I9 自动进入的依据不成立',
    `select count(*)::int as n from corpus_follow_run r
      where r.entry_source = 'AUTO' and jsonb_path_exists(r.entry_explain, '$[*] ? (@.set == "own" && @.checked == 1)')
        and not exists (select from jsonb_to_recordset(r.entry_explain) as e (set text, checked int, "groupNo" int, verdict text)
                         where e.set = 'own' and e.checked = 1 group by e."groupNo" having bool_and(e.verdict = 'HELD'))`,
  ],
  [
    'I8 试运行结果与明细不符',
    // That a preview writes nothing else is what its test proves.
    `select count(*)::int as n from corpus_scene_preview p where p.kind = 'DRY_RUN' and p.state = 'DONE'
        and (select count(*) from corpus_scene_preview_row r where r.preview_id = p.id)
          <> (select coalesce(sum(c.value::int), 0) from jsonb_each_text(p.summary -> 'counts') c)`,
  ],
  [
    'I11 随访实例的计数与消息不符',
    `
      select count(*)::int as n
        from corpus_follow_run r
        join lateral (
          select count(*) filter (where s.state = 'SENT') as sent, count(s.read_at) as read, count(s.replied_at) as replied
            from corpus_follow_send s
            where s.run_id = r.id
        ) t on true
        where (r.sent_count, r.read_count, r.replied_count) <> (t.sent, t.read, t.replied)`,
  ],
];

/** I7: versions whose snapshot is not what was hashed. */
async function alteredVersions(db: Db): Promise<number> {
  const versions = await own(db).selectFrom('corpusPackageVersion').select(['snapshot', 'contentHash']).execute();
  return versions.filter(({ snapshot, contentHash }) => createHash('sha256').update(canonicalJson(snapshot)).digest('hex') !== contentHash)
    .length;
}

/** A run that is done ends within this time. */
const ENDS_WITHIN = hours(1);

/**
 * I10: runs that go on although for an hour nothing of their plan has waited or come. A plan reaches further than what is written of it.
 */
async function idleRuns(db: Db, now: Instant): Promise<number> {
  const since = plusMs(now, -ENDS_WITHIN);
  const runs = await own(db)
    .selectFrom('corpusFollowRun')
    .select(['id', 'scenePackageId', 'patientId', 'packageVersionId', 'enteredAt', 'shiftDays'])
    .where(withoutOpenTouch(since))
    .where('updatedAt', '<', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('corpusFollowSend as s')
            .select('s.id')
            .whereRef('s.runId', '=', 'corpusFollowRun.id')
            .where('s.updatedAt', '>', since),
        ),
      ),
    )
    .execute();
  return (await doneRuns(db, runs, since)).length;
}

/** Names of the broken rules, each with how many rows break it. */
export async function corpusFaults(db: Db, now: Instant): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, statement] of statements) {
    const { rows } = await sql.raw<{ n: number }>(statement).execute(db);
    if (rows[0]!.n > 0) wrong.push(`${name} ${rows[0]!.n}条`);
  }
  const altered = await alteredVersions(db);
  if (altered > 0) wrong.push(`I7 版本内容与校验值不符 ${altered}条`);
  const idle = await idleRuns(db, now);
  if (idle > 0) wrong.push(`I10 没有后续触达的进行中随访 ${idle}条`);
  return wrong;
}

const businessKey = (today: Day) => `corpus.invariants:${today}`;

/** Counts what breaks a rule and tells who may resume the engine. */
export const nightlyJob = job({
  name: 'corpus.nightly',
  label: '语料库数据核对',
  cron: '50 2 * * *',
  expireSeconds: 3600,
  async run(_data, ctx) {
    const wrong = await corpusFaults(ctx.db, ctx.now);
    if (wrong.length === 0) return;
    await ctx.transaction((writing) =>
      ctx.kernel.ports.notices.addAlert(
        writing.tx,
        {
          businessKey: businessKey(dayOf(ctx.now)),
          title: '语料库数据核对发现异常',
          body: wrong.join('；'),
          link: '/corpus',
          permission: corpusPermissions['engine.resume'].code,
        },
        ctx.now,
      ),
    );
  },
});
