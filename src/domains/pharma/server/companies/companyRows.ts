import { sql } from 'kysely';
import type { CompanyRow } from '../../contract/calls/companies.ts';
import type { PharmaDb } from '../database.ts';

export const companies = (db: PharmaDb) => db.selectFrom('pharmaCompany as c');

/** Companies as the contract shows them, with what they own. */
export const companyColumns = (rows: ReturnType<typeof companies>) =>
  rows.selectAll('c').select((eb) => [
    eb
      .selectFrom('pharmaProductLine as l')
      .whereRef('l.companyId', '=', 'c.id')
      .select(sql<number>`count(*)::int`.as('n'))
      .as('lineCount'),
    eb
      .selectFrom('pharmaMedicine as m')
      .where((on) =>
        on.or([on('m.holderId', '=', on.ref('c.id')), on('m.makerId', '=', on.ref('c.id')), on('m.importerId', '=', on.ref('c.id'))]),
      )
      .select(sql<number>`count(*)::int`.as('n'))
      .as('medicineCount'),
    eb
      .selectFrom('pharmaAgent as a')
      .whereRef('a.companyId', '=', 'c.id')
      .where('a.state', '<>', 'LEFT')
      .select(sql<number>`count(*)::int`.as('n'))
      .as('agentCount'),
  ]);

type Stored = Awaited<ReturnType<ReturnType<typeof companyColumns>['executeTakeFirstOrThrow']>>;

export const presentCompany = (row: Stored): CompanyRow => ({
  id: row.id,
  companyNo: row.companyNo,
  name: row.name,
  shortName: row.shortName,
  namePinyin: row.namePinyin,
  roles: row.roles.map((role) => role),
  uscc: row.uscc,
  country: row.country,
  logoFileId: row.logoFileId,
  contactName: row.contactName,
  contactMobile: row.contactMobileMasked,
  contactEmail: row.contactEmail,
  address: row.address,
  pvContact: { name: row.pvName, email: row.pvEmail, phone: row.pvPhone },
  licenceFileIds: row.licenceFileIds,
  licenceValidTo: row.licenceValidTo,
  lineCount: row.lineCount ?? 0,
  medicineCount: row.medicineCount ?? 0,
  agentCount: row.agentCount ?? 0,
  state: row.state,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  version: row.version,
});

/** One company; null when there is none. */
export async function companyById(db: PharmaDb, id: string): Promise<CompanyRow | null> {
  const row = await companyColumns(companies(db)).where('c.id', '=', id).executeTakeFirst();
  return row ? presentCompany(row) : null;
}
