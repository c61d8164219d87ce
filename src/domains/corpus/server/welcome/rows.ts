import { sql } from 'kysely';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { AUTO_MESSAGE_TARGET, autoMachine, autoScope } from '../../contract/welcome/dictionaries.ts';
import type { WelcomeRow } from '../../contract/welcome/calls.ts';
import { rateOf } from '../../contract/stats/rates.ts';
import { own } from '../database.ts';

export const autoMessages = (db: Db | Tx) => own(db).selectFrom('corpusAutoMessage as a');

/** Messages are the platform's: whoever may look at them sees all. */
export const autoRecord = recordOf((db) => autoMessages(db).selectAll('a')).with({
  noun: '自动消息',
  type: AUTO_MESSAGE_TARGET,
  id: 'a.id',
  scope: unscoped,
});

const RECENT = days(30);

export const selectMessages = (query: ReturnType<typeof autoMessages>, now: Instant) =>
  query
    .select([
      'a.id',
      'a.kind',
      'a.name',
      'a.triggerType',
      'a.scopeType',
      'a.scopeId',
      'a.scopeName',
      'a.materialIds',
      'a.delaySec',
      'a.quietMode',
      'a.smsText',
      'a.validFrom',
      'a.validTo',
      'a.state',
      'a.updatedAt',
      'a.version',
    ])
    .select([
      sql<string>`coalesce((select string_agg(coalesce(m.title, '编号' || t.id), '、' order by t.n)
        from unnest(a.material_ids) with ordinality as t (id, n) left join corpus_material m on m.id = t.id), '')`.as('summary'),
      sql<number>`(select count(*)::int from corpus_follow_send f where f.source_kind = a.kind and f.source_id = a.id and f.state = 'SENT'
        and f.sent_at > ${plusMs(now, -RECENT)}::timestamptz)`.as('sent'),
      sql<number>`(
        select count(f.replied_at)::int
          from corpus_follow_send f
          where f.source_kind = a.kind and f.source_id = a.id and f.state = 'SENT' and f.sent_at > ${plusMs(now, -RECENT)}::timestamptz
      )`.as('replied'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof selectMessages>['executeTakeFirstOrThrow']>>;

export const scopeText = ({ scopeType, scopeName }: Pick<Stored, 'scopeType' | 'scopeName'>): string =>
  scopeType === 'DEFAULT' ? autoScope.label('DEFAULT') : `${autoScope.label(scopeType)}：${scopeName}`;

export const validText = ({ validFrom, validTo }: Pick<Stored, 'validFrom' | 'validTo'>): string =>
  validFrom === null && validTo === null ? '长期' : `${validFrom ?? '即日'} 至 ${validTo ?? '长期'}`;

const recentText = ({ sent, replied }: Pick<Stored, 'sent' | 'replied'>): string => {
  const rate = rateOf(replied, sent);
  return rate === null ? `${sent} / —` : `${sent} / ${(rate / 100).toFixed(2)}%`;
};

export const presentMessages = (rows: readonly Stored[], has: Context['has']): WelcomeRow[] =>
  rows.map(({ sent, replied, scopeName, ...row }) => ({
    ...row,
    scope: scopeText({ scopeType: row.scopeType, scopeName }),
    delay: row.delaySec === 0 ? '立即' : `${row.delaySec}秒`,
    valid: validText(row),
    recent: recentText({ sent, replied }),
    allowedActions: autoMachine.allowed(row.state, has),
  }));
