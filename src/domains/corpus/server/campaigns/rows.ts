import { sql } from 'kysely';
import { unscoped } from '#kernel/server/auth/scope.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import type { CampaignRow } from '../../contract/campaigns/calls.ts';
import { CAMPAIGN_TARGET, campaignMachine } from '../../contract/campaigns/dictionaries.ts';
import { own } from '../database.ts';

export const campaigns = (db: Db | Tx) => own(db).selectFrom('corpusCampaign as c');

/** Campaigns are the platform's: whoever may look at them sees all, as numbers; persons are seen in the list of touches. */
export const campaignRecord = recordOf((db) => campaigns(db).selectAll('c')).with({
  noun: '群发任务',
  type: CAMPAIGN_TARGET,
  id: 'c.id',
  scope: unscoped,
});

interface Counts {
  total: number;
  waiting: number;
  sent: number;
  skipped: number;
  failed: number;
}

const of = (states: string) => sql`count(*) filter (where f.state in (${sql.raw(states)}))::int`;

export const selectCampaigns = (query: ReturnType<typeof campaigns>) =>
  query
    .select([
      'c.id',
      'c.campaignNo',
      'c.name',
      'c.touchKind',
      'c.target',
      'c.sendAt',
      'c.previewCount',
      'c.previewAt',
      'c.stopReason',
      'c.state',
    ])
    .select(['c.updatedAt', 'c.version'])
    .select([
      sql<string>`
        concat_ws(
          '；', nullif((select string_agg(d.disease_name, '、' order by d.id) from corpus_disease d where d.id = any(c.disease_ids)), ''),
          case when jsonb_array_length(c.rows) > 0 then '条件' || jsonb_array_length(c.rows) || '条' end,
          case when cardinality(c.include_patient_ids) > 0 then '指定' || cardinality(c.include_patient_ids) || '人' end,
          case when cardinality(c.imported_patient_ids) > 0 then '导入' || cardinality(c.imported_patient_ids) || '人' end,
          case when cardinality(c.exclude_patient_ids) > 0 then '排除' || cardinality(c.exclude_patient_ids) || '人' end
        )`.as('audience'),
      sql<string>`coalesce((select string_agg(coalesce(m.title, '编号' || t.id), '、' order by t.n)
        from unnest(c.material_ids) with ordinality as t (id, n) left join corpus_material m on m.id = t.id), '')`.as('summary'),
      sql<Counts>`(
        select jsonb_build_object(
          'total', count(*)::int, 'waiting', ${of(`'PLANNED', 'HELD', 'SENDING', 'UNKNOWN'`)}, 'sent', ${of(`'SENT'`)}, 'skipped',
          ${of(`'SKIPPED', 'CANCELLED'`)}, 'failed', ${of(`'FAILED'`)}
        )
          from corpus_follow_send f
          where f.source_kind = 'CAMPAIGN' and f.source_id = c.id
      )`.as('counts'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof selectCampaigns>['executeTakeFirstOrThrow']>>;

export const presentCampaigns = (rows: readonly Stored[], has: Context['has']): CampaignRow[] =>
  rows.map((row) => ({
    ...row,
    progress: row.counts.total === 0 ? '未开始' : `${row.counts.sent} / ${row.counts.total}`,
    allowedActions: campaignMachine.allowed(row.state, has),
  }));
