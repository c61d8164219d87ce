import { sql, type SqlBool } from 'kysely';
import { partIn } from '#kernel/server/audit/fourEyes.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { idNoHash, mobileHash } from '#domains/patient/server/index.ts';
import {
  exportSpecialUserList,
  querySpecialUserDetail,
  querySpecialUserList,
  querySpecialUserOverlap,
  type MarkRow,
  type OtherMark,
} from '../../contract/calls/marks.ts';
import { markMachine } from '../../contract/markStates.ts';
import { markPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { markRecords, type MarkRecord } from './access.ts';
import { overlapping } from './overlap.ts';
import { isOfPerson, numberColumns, personKeyOf } from './person.ts';
import { productNamesOf } from './products.ts';

const columns = [
  'u.id',
  'u.name',
  'u.mobileMasked',
  'u.idNoMasked',
  'u.markType',
  'u.productIds',
  'u.startDate',
  'u.endDate',
  'u.reason',
  'u.state',
  'u.makerName',
  'u.checkerName',
  'u.hits',
  'u.updatedAt',
  'u.version',
  'u.makerId',
] as const;
type Read = Pick<MarkRecord, Exclude<keyof MarkRow, 'productNames' | 'mine' | 'allowedActions'> | 'productIds' | 'makerId'>;

interface Asking {
  db: Db;
  staff: { userId: string };
  has(permission: string): boolean;
}
async function present(rows: readonly Read[], { db, staff, has }: Asking): Promise<MarkRow[]> {
  const namesOf = await productNamesOf(db, rows);
  return rows.map(({ productIds, makerId, ...row }) => ({
    ...row,
    mine: makerId === staff.userId,
    productNames: namesOf({ productIds }),
    allowedActions: markMachine.allowed(row.state, has),
  }));
}

const hmoProduct = (productId: string) => sql<SqlBool>`(cardinality(u.product_ids) = 0 or ${productId}::bigint = any(u.product_ids))`;

export const markList = ({ secrets }: Kernel) =>
  listOf(querySpecialUserList)
    .from(({ db }) => own(db).selectFrom('enrolmentSpecialUser as u'))
    .with({
      where: {
        name: contains('u.name'),
        mobile: (_eb, mobile) => sql<SqlBool>`u.mobile_hash = ${mobileHash(secrets, mobile)}`,
        idNo: (_eb, idNo) => sql<SqlBool>`u.id_no_hash = ${idNoHash(secrets, idNo)}`,
        markType: 'u.markType',
        productId: (_eb, productId) => hmoProduct(productId),
        state: 'u.state',
        validOn: (_eb, day) => sql<SqlBool>`${day}::date between u.start_date and u.end_date`,
        toDecide: (_eb, yes, { staff, has }) =>
          yes
            ? sql<SqlBool>`(
                u.state = 'PENDING'
                and ${has(may['specialUser.audit'])}::boolean
                and u.maker_id <> ${staff.userId}
                and ${partIn(markRecords.type, sql`u.id`, staff.userId)} is null
              )`
            : undefined,
      },
      id: 'u.id',
      last: { of: 'u.state', groups: [['EXPIRED', 'REVOKED'], ['REJECTED']] },
      unsorted: 'what waits or holds first, the newest of it on top',
      bounded: 'marks are made one by one for few persons, by tables of some hundreds at most',
      select: (rows) => rows.select(columns),
      present,
    });
export const markExport = (kernel: Kernel) =>
  listExport(markList(kernel), { call: exportSpecialUserList, title: 'HMO特殊用户标记', routeKey: 'specialUser' });

type Shown = Pick<MarkRecord, Exclude<keyof OtherMark, 'productNames'> | 'productIds'>;
async function presentOthers(db: Db, marks: readonly Shown[]): Promise<OtherMark[]> {
  const namesOf = await productNamesOf(db, marks);
  return marks.map((mark) => ({
    id: mark.id,
    markType: mark.markType,
    productNames: namesOf(mark),
    startDate: mark.startDate,
    endDate: mark.endDate,
    reason: mark.reason,
    state: mark.state,
    makerName: mark.makerName,
    checkerName: mark.checkerName,
  }));
}

const MOST_OTHERS = 100;
/** Other marks of the same person, the newest first. */
const othersOf = (db: Db, mark: MarkRecord) =>
  own(db)
    .selectFrom('enrolmentSpecialUser as u')
    .selectAll('u')
    .where('u.id', '<>', mark.id)
    .where(isOfPerson(mark))
    .orderBy('u.id', 'desc')
    .limit(MOST_OTHERS)
    .execute();

export const markDetail = query(querySpecialUserDetail, async ({ id }, ctx) => {
  const mark = await markRecords.get(ctx.db, ctx.staff, id);
  const others = await othersOf(ctx.db, mark);
  const { id: markId, name, mobileMasked, idNoMasked, markType, productIds, startDate, endDate, reason } = mark;
  const { state, makerId, makerName, checkerName, hits, updatedAt, version } = mark;
  const shown = { id: markId, name, mobileMasked, idNoMasked, markType, productIds, startDate, endDate, reason };
  const [row] = await present([{ ...shown, state, makerId, makerName, checkerName, hits, updatedAt, version }], ctx);
  if (!row) throw markRecords.missing();
  const successor = others.find((other) => other.replacesId === id && other.state === 'PENDING');
  return {
    mark: row,
    productIds,
    evidenceFileIds: mark.evidenceFileIds,
    opinion: mark.opinion,
    replacesId: mark.replacesId,
    successorId: successor?.id ?? null,
    others: await presentOthers(ctx.db, others),
    trail: await trailOf(ctx.db, markRecords.type, id),
  };
});

/** What a mark that is being written would overlap. A known mark keeps the numbers that the form left out. */
export const markOverlaps = ({ secrets }: Kernel) =>
  query(querySpecialUserOverlap, async ({ id, mobile, idNo, ...days }, ctx) => {
    const mark = id === undefined ? null : await markRecords.get(ctx.db, ctx.staff, id);
    const given = numberColumns(secrets, { mobile, idNo });
    const person = { idNoHash: given.idNoHash ?? mark?.idNoHash ?? null, mobileHash: given.mobileHash ?? mark?.mobileHash ?? null };
    if (personKeyOf(person) === null || days.endDate < days.startDate) return [];
    const except = mark ? [mark.id, ...(mark.replacesId === null ? [] : [mark.replacesId])] : [];
    return presentOthers(ctx.db, await overlapping(ctx.db, person, days, except));
  });
