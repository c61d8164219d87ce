import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { dayOf, type Day } from '../../../kernel/contract/time.ts';
import type { Db } from '../../../kernel/server/context.ts';
import { job } from '../../../kernel/server/jobs/declaration.ts';
import { canonicalJson } from '../../../kernel/contract/canonicalJson.ts';
import { corpusPermissions } from '../contract/permissions.ts';

import { corpusDb } from './database.ts';

/** Rules over the domain's own rows (corpus.md, I2, I3, I5, I6, I9) as statements that count what breaks them. */
const statements: readonly (readonly [name: string, statement: string])[] = [
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
];

/** I7: versions whose snapshot is not what was hashed. */
async function alteredVersions(db: Db): Promise<number> {
  const versions = await corpusDb(db).selectFrom('corpusPackageVersion').select(['snapshot', 'contentHash']).execute();
  return versions.filter(({ snapshot, contentHash }) => createHash('sha256').update(canonicalJson(snapshot)).digest('hex') !== contentHash)
    .length;
}

/** Names of the broken rules, each with how many rows break it. */
export async function corpusFaults(db: Db): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, statement] of statements) {
    const { rows } = await sql.raw<{ n: number }>(statement).execute(db);
    if (rows[0]!.n > 0) wrong.push(`${name} ${rows[0]!.n}条`);
  }
  const altered = await alteredVersions(db);
  return altered > 0 ? [...wrong, `I7 版本内容与校验值不符 ${altered}条`] : wrong;
}

const businessKey = (today: Day) => `corpus.invariants:${today}`;

/** Counts what breaks a rule and tells who may resume the engine. */
export const nightlyJob = job({
  name: 'corpus.nightly',
  label: '语料库数据核对',
  cron: '50 2 * * *',
  expireSeconds: 3600,
  async run(_data, ctx) {
    const wrong = await corpusFaults(ctx.db);
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
