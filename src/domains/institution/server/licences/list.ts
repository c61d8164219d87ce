import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import { daysBetween, plusDays } from '#kernel/contract/time.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportLicenceList, queryLicenceExpireList } from '../../contract/licenceCalls.ts';
import { hospitalScope, storeScope } from '../access.ts';
import { own } from '../database.ts';

/** Licences that end, of whoever is not closed. */
export const expiringSeen = (db: Db | Tx, staff: Viewer) =>
  own(db)
    .selectFrom('institutionLicence as l')
    .leftJoin('institutionDrugstore as s', (join) => join.onRef('s.id', '=', 'l.ownerId').on('l.ownerType', '=', 'DRUGSTORE'))
    .leftJoin('institutionHospital as h', (join) => join.onRef('h.id', '=', 'l.ownerId').on('l.ownerType', '=', 'HOSPITAL'))
    .leftJoin('institutionChain as c', (join) => join.onRef('c.id', '=', 'l.ownerId').on('l.ownerType', '=', 'CHAIN'))
    .where('l.state', 'in', ['VALID', 'EXPIRED'])
    .where((eb) =>
      eb.or([
        eb('l.ownerType', '=', 'CHAIN'),
        eb.and([eb('l.ownerType', '=', 'DRUGSTORE'), scopeFilter(storeScope, staff)]),
        eb.and([eb('l.ownerType', '=', 'HOSPITAL'), scopeFilter(hospitalScope, staff)]),
      ]),
    )
    .where((eb) => eb.or([eb('s.state', 'is', null), eb('s.state', '<>', 'CLOSED')]));

export const expiringColumns = [
  'l.id',
  'l.ownerType',
  'l.ownerId',
  'l.licenceType',
  'l.licenceNo',
  'l.remindedDays',
  sql<string>`l.valid_to`.as('validTo'),
  sql<string>`coalesce(s.store_no, h.hospital_no, c.chain_no, '')`.as('ownerNo'),
  sql<string>`coalesce(s.name, h.name, c.name, '')`.as('ownerName'),
] as const;

/** Licences that are past their day or will be within the days asked for, the most urgent first. */
export const licenceList = listOf(queryLicenceExpireList)
  .from(({ db, staff }) => expiringSeen(db, staff))
  .with({
    where: {
      within: (eb, days, { today }) => eb('l.validTo', '<=', plusDays(today, days)),
      licenceType: 'l.licenceType',
      ownerType: 'l.ownerType',
      name: (_eb, name) => sql<boolean>`coalesce(s.name, h.name, c.name) ilike ${containsPattern(name)}`,
    },
    order: [['l.validTo', 'asc']],
    id: 'l.id',
    unsorted: 'a queue: what expires first stands first',
    select: (query) => query.select(expiringColumns),
    present: (rows, { today }) =>
      rows.map(({ remindedDays, ...row }) => ({
        ...row,
        daysLeft: daysBetween(today, row.validTo),
        lastReminded: remindedDays.at(-1) ?? null,
      })),
  });

export const licenceExport = listExport(licenceList, {
  call: exportLicenceList,
  title: '到期证照',
  routeKey: 'drugstoreManagement',
  columns: ['ownerType', 'ownerNo', 'ownerName', 'licenceType', 'licenceNo', 'validTo', 'daysLeft'],
});
