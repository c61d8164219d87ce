import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Context, Db } from '../../../../kernel/server/context.ts';
import type { CardRow, queryDoctorCardList } from '../../contract/cardCalls.ts';
import { cardMachine } from '../../contract/staffStates.ts';
import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import { seesDoctor } from '../access.ts';
import { like, own } from '../database.ts';

export type CardFilter = Omit<CheckedInputOf<typeof queryDoctorCardList>, 'pageNo' | 'pageSize'>;

const state = sql<CardRow['state']>`coalesce(c.state, 'NONE')`;

/** Doctors who may have a card, and those who have one. */
export function cardQuery(db: Db, viewer: Viewer, filter: CardFilter) {
  let query = own(db)
    .selectFrom('doctorDoctor as d')
    .leftJoin('doctorCard as c', 'c.doctorId', 'd.id')
    .where(seesDoctor(viewer))
    .where((eb) => eb.or([eb('d.practiceOk', '=', true), eb('c.id', 'is not', null)]));
  const { doctor } = filter;
  if (doctor)
    query = query.where((eb) =>
      eb.or([
        eb('d.name', 'like', like(doctor)),
        eb('d.namePinyin', 'like', like(doctor.toLowerCase())),
        eb('d.doctorNo', 'like', like(doctor.toUpperCase())),
      ]),
    );
  if (filter.hospitalId) query = query.where('d.hospitalId', '=', filter.hospitalId);
  if (filter.state?.length) query = query.where(state, 'in', filter.state);
  if (filter.template?.length) query = query.where('c.template', 'in', filter.template);
  return query;
}

/** What was worked on last stands first; doctors without a card follow. */
export async function readCards(
  ctx: Pick<Context, 'has'>,
  query: ReturnType<typeof cardQuery>,
  page: { limit: number; offset: number },
): Promise<CardRow[]> {
  const rows = await query
    .select([
      'd.id',
      'd.doctorNo',
      'd.name as doctorName',
      'd.titleCode',
      'd.hospitalName',
      'd.departmentName',
      'c.template',
      'c.headline',
      'c.showFields',
      'c.failReason',
      'c.codeLink as link',
      'c.thumb',
      'c.scanCount',
      'c.shareCount',
      'c.updatedAt',
      'c.version',
    ])
    .select([state.as('state')])
    .orderBy(sql`c.updated_at desc nulls last`)
    .orderBy('d.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
    headline: row.headline ?? '',
    showFields: row.showFields ?? [],
    scanCount: row.scanCount ?? 0,
    shareCount: row.shareCount ?? 0,
    version: row.version ?? 0,
    allowedActions: cardMachine.allowed(row.state, ctx.has),
  }));
}
