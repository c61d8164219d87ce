import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { secondsSince, type FigureValue, type StatusSource } from '#kernel/server/status/figure.ts';
import { switchScope, type SwitchScope } from '../../contract/engine/states.ts';
import { coveringSwitches } from './switches.ts';

/** Whether the engine sends, and what waits for it. */
export const engineStatus: StatusSource = {
  title: '随访引擎',
  link: { label: '查看运行看板', path: '/corpus?view=engine' },
  needsDatabase: true,
  figures: [
    {
      metric: 'kangqiao_corpus_engine_stopped',
      help: '1 while all sending is stopped by a switch',
      label: '全局停发',
      unit: 'YES_NO',
      limit: { side: 'above', red: 0, minutes: 1 },
    },
    {
      metric: 'kangqiao_corpus_due_touches',
      help: 'Touches that may be sent now and wait',
      label: '待发消息',
      unit: 'COUNT',
    },
    {
      metric: 'kangqiao_corpus_oldest_touch_seconds',
      help: 'How long the first of them has waited',
      label: '待发最长等待',
      unit: 'SECONDS',
      limit: { side: 'above', amber: 300, red: 1800, minutes: 2 },
    },
    {
      metric: 'kangqiao_corpus_unknown_touches',
      help: 'Touches of which it is not known whether they were sent',
      label: '结果待确认消息',
      unit: 'COUNT',
      limit: { side: 'above', amber: 0, minutes: 10 },
    },
    {
      metric: 'kangqiao_corpus_send_switches',
      help: 'Switches that stop sending, by what they stop',
      label: '停发中',
      unit: 'COUNT',
      by: 'scope',
    },
  ],
  async read({ db, now }) {
    const switches = await coveringSwitches(db, now);
    const { rows } = await sql<{ due: number; oldest: Instant | null; unknown: number }>`
      select count(*)::int as due, min(next_try_at) as oldest,
        (select count(*)::int from corpus_follow_send where state = 'UNKNOWN') as unknown
      from corpus_follow_send where state in ('PLANNED', 'HELD') and next_try_at <= ${now}::timestamptz`.execute(db);
    const { due, oldest, unknown } = rows[0]!;
    const scopes = Map.groupBy(switches, ({ scopeType }) => scopeType);
    const thrown = (scope: SwitchScope) => scopes.get(scope)?.length ?? 0;
    return [
      { metric: 'kangqiao_corpus_engine_stopped', value: Math.min(1, thrown('ENGINE')) },
      { metric: 'kangqiao_corpus_due_touches', value: due },
      { metric: 'kangqiao_corpus_oldest_touch_seconds', value: secondsSince(oldest, now) },
      { metric: 'kangqiao_corpus_unknown_touches', value: unknown },
      ...switchScope.codes.map((scope): FigureValue => ({
        metric: 'kangqiao_corpus_send_switches',
        of: { key: scope, label: switchScope.label(scope) },
        value: thrown(scope),
      })),
    ];
  },
};
