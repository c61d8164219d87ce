import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Db, QueryContext } from '../../../../kernel/server/context.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { containsPattern } from '../../../../kernel/server/database/search.ts';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
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
export async function readGroups(on: Db, ctx: Has, { objectType, kind, keyword }: Wish): Promise<TagGroup[]> {
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
