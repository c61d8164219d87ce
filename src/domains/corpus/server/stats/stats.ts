import { sql, type RawBuilder } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { daysBetween, plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { exportSource, type ExportColumn } from '#kernel/server/exporting/source.ts';
import { touchKind } from '../../contract/dictionaries.ts';
import { CYCLE_KEY } from '../../contract/engine/planRun.ts';
import {
  exportFollowStat,
  MOST_STAT_DAYS,
  queryFollowFunnel,
  queryFollowStat,
  statGroup,
  type StatRow,
} from '../../contract/stats/calls.ts';
import { rateOf } from '../../contract/stats/rates.ts';
import { own } from '../database.ts';
import { staffUsersOf } from '#domains/doctor/server/index.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { userNames } from '../versions/names.ts';
import { sendsSeen } from '../sends/list.ts';

type Filter = CheckedInputOf<typeof queryFollowFunnel>;

/** Touches that were due on these days, of the patients that the viewer sees; what was called off was never to be sent. */
function touchesOf(ctx: Pick<QueryContext, 'db' | 'staff' | 'now'>, { from, to, diseaseId, sceneId }: Filter) {
  const span = daysBetween(from, to);
  if (span < 0) throw refuseField('to', '结束日期不能早于开始日期');
  if (span >= MOST_STAT_DAYS) throw refuseField('to', `最多统计${MOST_STAT_DAYS}天`);
  let touches = sendsSeen(ctx.db, ctx.staff, ctx.now)
    .where('f.state', '<>', 'CANCELLED')
    .where('f.dueAt', '>=', startOfDay(from))
    .where('f.dueAt', '<', startOfDay(plusDays(to, 1)));
  if (diseaseId !== undefined) touches = touches.where('r.diseaseId', '=', diseaseId);
  if (sceneId !== undefined) touches = touches.where('r.sceneId', '=', sceneId);
  return touches;
}

const counted = (condition: RawBuilder<unknown>) => sql<number>`(count(*) filter (where ${condition}))::int`;
const sums = [
  sql<number>`count(*)::int`.as('planned'),
  counted(sql`state = 'SENT'`).as('sent'),
  counted(sql`read_at is not null`).as('read'),
  counted(sql`replied_at is not null`).as('replied'),
  counted(sql`converted_at is not null`).as('converted'),
  counted(sql`state = 'SKIPPED'`).as('skipped'),
  counted(sql`state = 'FAILED'`).as('failed'),
] as const;

const withRates = <Row extends { sent: number; read: number; replied: number; converted: number }>(row: Row) => ({
  ...row,
  readBp: rateOf(row.read, row.sent),
  repliedBp: rateOf(row.replied, row.sent),
  convertedBp: rateOf(row.converted, row.sent),
});

type GroupBy = CheckedInputOf<typeof queryFollowStat>['groupBy'];
type Names = ReadonlyMap<string, string>;
interface Group {
  /** What touches are counted by; one with several materials counts for each. */
  key: RawBuilder<string>;
  names(db: Db, keys: readonly string[]): Promise<Names>;
}

const named = async (rows: Promise<readonly { key: string; name: string }[]>): Promise<Names> =>
  new Map((await rows).map(({ key, name }) => [key, name]));

const groups: Readonly<Record<GroupBy, Group>> = {
  day: {
    key: sql`to_char(f.due_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`,
    names: async (_db, keys) => new Map(keys.map((key) => [key, key])),
  },
  scene: {
    key: sql`r.scene_id::text`,
    names: (db, keys) =>
      named(
        own(db)
          .selectFrom('corpusScene')
          .select(['id as key', 'name'])
          .where('id', 'in', [...keys])
          .execute(),
      ),
  },
  item: {
    key: sql`f.item_key`,
    async names(db, keys) {
      const rows = await own(db)
        .selectFrom('corpusScheduleItem')
        .select([sql<string>`item_key::text`.as('key'), 'dayOffset', 'sendTime', 'touchKind'])
        .where(sql`item_key::text`, 'in', [...keys])
        .execute();
      return new Map([
        [CYCLE_KEY, '周期'],
        ...rows.map((row) => [row.key, `第${row.dayOffset}天 ${row.sendTime} ${touchKind.label(row.touchKind)}`] as const),
      ]);
    },
  },
  material: {
    key: sql`unnest(f.material_ids)::text`,
    names: (db, keys) =>
      named(
        own(db)
          .selectFrom('corpusMaterial')
          .select(['id as key', 'title as name'])
          .where('id', 'in', [...keys])
          .execute(),
      ),
  },
  version: {
    key: sql`r.package_version_id::text`,
    names: (db, keys) =>
      named(
        own(db)
          .selectFrom('corpusPackageVersion as v')
          .innerJoin('corpusScenePackage as p', 'p.id', 'v.scenePackageId')
          .innerJoin('corpusScene as s', 's.id', 'p.sceneId')
          .select(['v.id as key', sql<string>`s.name || ' V' || v.seq`.as('name')])
          .where('v.id', 'in', [...keys])
          .execute(),
      ),
  },
  assistant: {
    key: sql`coalesce(r.assistant_operator_id::text, '')`,
    async names(db, keys) {
      const users = await staffUsersOf(
        db,
        keys.filter((key) => key !== ''),
      );
      const nameOf = await userNames(db, [...users.values()]);
      return new Map([['', '未分配'], ...[...users].map(([operatorId, userId]) => [operatorId, nameOf(userId)] as const)]);
    },
  },
};

async function statRows(
  ctx: Pick<QueryContext, 'db' | 'staff' | 'now'>,
  { groupBy, ...filter }: CheckedInputOf<typeof queryFollowStat>,
): Promise<StatRow[]> {
  const { key, names } = groups[groupBy];
  const touches = touchesOf(ctx, filter).select(['f.state', 'f.readAt', 'f.repliedAt', 'f.convertedAt', key.as('key')]);
  const rows = await own(ctx.db)
    .selectFrom(touches.as('t'))
    .select(['t.key', ...sums])
    .groupBy('t.key')
    .orderBy('t.key')
    .execute();
  const labels =
    rows.length === 0
      ? new Map<string, string>()
      : await names(
          ctx.db,
          rows.map((row) => row.key),
        );
  return rows.map((row) => ({ ...withRates(row), label: labels.get(row.key) ?? '已删除' }));
}

export const followStat = query(queryFollowStat, (filter, ctx) => statRows(ctx, filter));

const counts = [
  ['planned', '计划'],
  ['sent', '发送'],
  ['read', '阅读'],
  ['replied', '回复'],
  ['converted', '转化'],
  ['skipped', '跳过'],
  ['failed', '失败'],
] as const;
const rates = [
  ['readBp', '阅读率'],
  ['repliedBp', '回复率'],
  ['convertedBp', '转化率'],
] as const;
const exportColumns: readonly ExportColumn<StatRow>[] = [
  { key: 'label', label: '统计项', width: 30, value: (row) => row.label },
  ...counts.map(([key, label]): ExportColumn<StatRow> => ({ key, label, kind: 'int', value: (row) => row[key] })),
  ...rates.map(([key, label]): ExportColumn<StatRow> => ({ key, label, kind: 'bp', value: (row) => row[key] })),
];

export const statExport = exportSource({
  call: exportFollowStat,
  title: '随访统计',
  routeKey: 'corpus',
  permission: corpusPermissions['corpus.export'].code,
  columns: exportColumns,
  describe: ({ from, to, groupBy }) => `${from} 至 ${to}，按${statGroup.label(groupBy)}`,
  count: async ({ filter, ...reading }) => (await statRows(reading, filter)).length,
  async *chunks({ filter, ...reading }) {
    yield await statRows(reading, filter);
  },
});

export const followFunnel = query(queryFollowFunnel, async (filter, ctx) =>
  withRates(
    await own(ctx.db)
      .selectFrom(touchesOf(ctx, filter).select(['f.state', 'f.readAt', 'f.repliedAt', 'f.convertedAt']).as('t'))
      .select(sums)
      .executeTakeFirstOrThrow(),
  ),
);
