import { sql, type SqlBool } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { query } from '#kernel/server/handler.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { exportMarkBindingList, queryMarkObjectList, queryObjectMark, type CarriedMark } from '../../../contract/marks/calls/bindings.ts';
import { markPermissions as may } from '../../../contract/marks/permissions.ts';
import { own } from '../../database.ts';
import { seesGroup } from '../access.ts';
import { allTypes, labelsOf } from '../objects.ts';

/** Medical marks of patients are there only for who may see them. */
const open = (has: (permission: { code: string }) => boolean) =>
  has(may['mark.sensitive']) ? sql<SqlBool>`true` : sql<SqlBool>`not (g.sensitive and g.object_type = 'PATIENT')`;

/** Of every kind of thing those that the viewer sees where it is kept. */
const visible = (kernel: Kernel, staff: Viewer, now: Instant) => {
  const kinds = allTypes(kernel).map((type) => sql`(b.object_type = ${type.code} and ${type.sees(staff, sql`b.object_id`, now)})`);
  return sql<SqlBool>`(${sql.join(kinds, sql` or `)})`;
};

export const bindingList = (kernel: Kernel) =>
  listOf(queryMarkObjectList)
    .from(({ db, has, staff, now }) =>
      own(db)
        .selectFrom('contentMarkBinding as b')
        .innerJoin('contentMark as m', 'm.id', 'b.markId')
        .innerJoin('contentTagGroup as g', 'g.id', 'b.groupId')
        .where(open(has))
        .where(visible(kernel, staff, now)),
    )
    .with({
      where: {
        markId: 'b.markId',
        objectType: 'b.objectType',
        objectId: 'b.objectId',
        keyword: (_eb, text, { staff, now }) => {
          const found = allTypes(kernel).map(
            (type) => sql`(b.object_type = ${type.code} and b.object_id in (${type.found(staff, text, now)}))`,
          );
          return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
        },
        markName: contains('m.markName'),
        source: 'b.source',
        boundFrom: from('b.boundAt'),
        boundTo: upTo('b.boundAt'),
        boundByName: (_eb, name) =>
          sql<SqlBool>`b.bound_by in (select u.id from identity_staff_user u where u.display_name ilike ${containsPattern(name)})`,
        live: (_eb, yes) => (yes ? sql<SqlBool>`b.ended_at is null` : sql<SqlBool>`true`),
      },
      id: 'b.id',
      unsorted: 'rules bind marks by the hundred thousand; what one mark or object has is found by the filters',
      select: (rows) =>
        rows
          .select(['b.id', 'b.objectType', 'b.objectId', 'b.markId', 'm.markCode', 'm.markName', 'g.groupName', 'm.color'])
          .select(['b.source', 'b.boundAt', 'b.expireAt', 'b.endedAt', 'b.endReason', 'b.note'])
          .select(sql<string | null>`(select u.display_name from identity_staff_user u where u.id = b.bound_by)`.as('boundByName')),
      present: async (rows, { db, staff, now }) => {
        const labelOf = await labelsOf(kernel, db, staff, rows, now);
        return rows.map((row) => {
          const label = labelOf(row);
          return { ...row, objectNo: label?.no ?? null, objectName: label?.name ?? null, link: label ? label.link(label) : null };
        });
      },
    });

export const bindingExport = (kernel: Kernel) =>
  listExport(bindingList(kernel), { call: exportMarkBindingList, title: '打标记录', routeKey: 'markContent.bindings' });

/** Marks in use alone: what is out of use keeps its bindings and is hidden. */
export const objectMarks = (kernel: Kernel) =>
  query(queryObjectMark, async ({ objectType, objectIds }, ctx) => {
    const labelOf = await labelsOf(
      kernel,
      ctx.db,
      ctx.staff,
      objectIds.map((objectId) => ({ objectType, objectId })),
      ctx.now,
    );
    const seen = [...new Set(objectIds)].filter((objectId) => labelOf({ objectType, objectId }) !== null);
    if (seen.length === 0) return [];
    const rows = await own(ctx.db)
      .selectFrom('contentMarkBinding as b')
      .innerJoin('contentMark as m', 'm.id', 'b.markId')
      .innerJoin('contentTagGroup as g', 'g.id', 'b.groupId')
      .select(['b.objectId', 'b.markId', 'm.markCode', 'm.markName', 'g.id as groupId', 'g.groupName', 'm.color'])
      .select(['b.source', 'b.boundAt', 'b.expireAt', 'g.objectType', 'g.sensitive'])
      .where('b.objectType', '=', objectType)
      .where('b.objectId', 'in', seen)
      .where('b.endedAt', 'is', null)
      .where('m.state', '=', 'ENABLED')
      .where('g.state', '=', 'ENABLED')
      .where((eb) => eb.or([eb('b.expireAt', 'is', null), eb('b.expireAt', '>', ctx.now)]))
      .orderBy('g.sortNo')
      .orderBy('m.sortNo')
      .orderBy('b.id')
      .execute();
    const byObject = Map.groupBy(
      rows.filter((row) => seesGroup(ctx, row)),
      ({ objectId }) => objectId,
    );
    return seen.map((objectId) => ({
      objectId,
      marks: (byObject.get(objectId) ?? []).map(
        ({ objectId: _id, objectType: _type, sensitive: _sensitive, ...mark }): CarriedMark => mark,
      ),
    }));
  });
