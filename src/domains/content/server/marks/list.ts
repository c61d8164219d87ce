import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { exportSource, type ExportColumn, type ExportReading } from '#kernel/server/exporting/source.ts';
import { query } from '#kernel/server/handler.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { askOf } from '#kernel/server/list/listExport.ts';
import { groupKinds, markColors, objectTypes, selectModes } from '../../contract/marks/dictionaries.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';
import { markStates } from '../../contract/marks/states.ts';
import { exportMarkList, queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import type { Mark, TagGroup } from '../../contract/marks/calls/shared.ts';
import { own } from '../database.ts';
import { seesGroup } from './access.ts';

const groupColumns = [
  'id',
  'groupName',
  'objectType',
  'kind',
  'selectMode',
  'color',
  'sensitive',
  'manualAllowed',
  'maxPerObject',
  'sortNo',
  'state',
  'version',
] as const;
const markColumns = [
  'm.id',
  'm.groupId',
  'm.markCode',
  'm.markName',
  'm.pinyin',
  'm.color',
  'm.description',
  'm.defaultDays',
  'm.sortNo',
  'm.state',
  'm.objectCount',
  'm.version',
] as const;

type Wish = Pick<CheckedInputOf<typeof queryTagGroupList>, 'objectType' | 'kind' | 'keyword'>;
type Has = Pick<QueryContext, 'has'>;

/** Groups whose name holds the keyword come with all of their marks, others with those that it finds. */
async function readGroups(on: Db, ctx: Has, { objectType, kind, keyword }: Wish): Promise<TagGroup[]> {
  const db = own(on);
  const groups = await db
    .selectFrom('contentTagGroup')
    .select(groupColumns)
    .$if(objectType !== undefined, (rows) => rows.where('objectType', '=', objectType ?? 'PATIENT'))
    .$if(kind !== undefined, (rows) => rows.where('kind', '=', kind ?? 'MARK'))
    .orderBy('objectType')
    .orderBy('sortNo')
    .orderBy('id')
    .execute();
  const seen = groups.filter((group) => seesGroup(ctx, group));
  const wanted = keyword?.toLowerCase() ?? '';
  const named = (text: string) => text.toLowerCase().includes(wanted);
  const marks = await db
    .selectFrom('contentMark as m')
    .innerJoin('contentTagGroup as g', 'g.id', 'm.groupId')
    .select(markColumns)
    .$if(objectType !== undefined, (rows) => rows.where('g.objectType', '=', objectType ?? 'PATIENT'))
    .$if(wanted !== '', (rows) =>
      rows.where(
        sql<SqlBool>`(
          m.mark_name ilike ${containsPattern(wanted)}
          or m.pinyin ilike ${containsPattern(wanted)}
          or g.group_name ilike ${containsPattern(wanted)}
        )`,
      ),
    )
    .orderBy('m.sortNo')
    .orderBy('m.id')
    .execute();
  const byGroup = Map.groupBy<string, Mark>(marks, (mark) => mark.groupId);
  return seen
    .map((group) => ({ ...group, marks: byGroup.get(group.id) ?? [] }))
    .filter((group) => wanted === '' || group.marks.length > 0 || named(group.groupName));
}

export const groupList = query(queryTagGroupList, (wish, ctx) => readGroups(ctx.db, ctx, wish));

interface Line {
  group: TagGroup;
  mark: Mark;
}

const columns: readonly ExportColumn<Line>[] = [
  { key: 'objectType', label: '对象类型', dictionary: objectTypes, value: ({ group }) => group.objectType },
  { key: 'kind', label: '类型', dictionary: groupKinds, value: ({ group }) => group.kind },
  { key: 'groupName', label: '标签组', width: 18, value: ({ group }) => group.groupName },
  { key: 'selectMode', label: '选择方式', dictionary: selectModes, value: ({ group }) => group.selectMode },
  { key: 'markCode', label: '标签编码', value: ({ mark }) => mark.markCode },
  { key: 'markName', label: '标签名称', width: 18, value: ({ mark }) => mark.markName },
  { key: 'color', label: '颜色', dictionary: markColors, value: ({ mark }) => mark.color },
  { key: 'description', label: '描述', width: 30, value: ({ mark }) => mark.description },
  { key: 'defaultDays', label: '默认有效天数', kind: 'int', value: ({ mark }) => mark.defaultDays },
  { key: 'objectCount', label: '对象数', kind: 'int', value: ({ mark }) => mark.objectCount },
  { key: 'state', label: '状态', dictionary: markStates.dictionary, value: ({ mark }) => mark.state },
];

/** A mark a line, as the page shows them. */
async function linesOf(reading: ExportReading<CheckedInputOf<typeof exportMarkList>>): Promise<Line[]> {
  const groups = await readGroups(reading.db, askOf(reading), reading.filter);
  return groups.flatMap((group) => group.marks.map((mark) => ({ group, mark })));
}

export const markExport = exportSource({
  call: exportMarkList,
  title: '标签',
  routeKey: 'markContent.marks',
  permission: may['content.export'].code,
  columns,
  count: async (reading) => (await linesOf(reading)).length,
  async *chunks(reading) {
    yield await linesOf(reading);
  },
});
