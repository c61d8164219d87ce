import { containsPattern } from '../../../../kernel/server/database/search.ts';
import { sql } from 'kysely';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { exportChainList, queryChainList } from '../../contract/licenceCalls.ts';
import { own } from '../database.ts';
import { maskedAccount, maskedMobile } from './account.ts';

/** Contacts and payee accounts stay in the house: they are masked wherever they are shown. */
export const chainList = (secrets: Secrets) =>
  listOf(queryChainList)
    .from(({ db }) => own(db).selectFrom('institutionChain as c'))
    .with({
      where: {
        name: (eb, name) =>
          eb.or([
            eb('c.name', 'ilike', containsPattern(name)),
            eb('c.brand', 'ilike', containsPattern(name)),
            eb('c.chainNo', '=', name.toUpperCase()),
          ]),
        ids: 'c.id',
        state: 'c.state',
      },
      order: [['c.id', 'asc']],
      id: 'c.id',
      sorts: { chainNo: 'c.chainNo', storeCount: sql.ref('storeCount'), openCount: sql.ref('openCount') },
      bounded: 'chains are some hundreds',
      select: (query) =>
        query.select([
          'c.id',
          'c.chainNo',
          'c.name',
          'c.brand',
          'c.uscc',
          'c.contactName',
          'c.contactMobileCipher',
          'c.account',
          'c.state',
          'c.version',
          'c.updatedAt',
          sql<number>`(select count(*)::int from institution_drugstore s where s.chain_id = c.id and s.state <> 'CLOSED')`.as('storeCount'),
          sql<number>`(select count(*)::int from institution_drugstore s where s.chain_id = c.id and s.state = 'OPEN')`.as('openCount'),
          sql<boolean>`
            exists (select from institution_store_change q where q.owner_type = 'CHAIN' and q.owner_id = c.id and q.state = 'PENDING')`.as(
            'changePending',
          ),
        ]),
      present: (rows) =>
        rows.map(({ contactMobileCipher, account, ...row }) => ({
          ...row,
          contactMobile: maskedMobile(secrets, contactMobileCipher),
          account: maskedAccount(secrets, account),
        })),
    });

export const chainExport = (secrets: Secrets) =>
  listExport(chainList(secrets), {
    call: exportChainList,
    title: '连锁总部',
    routeKey: 'drugstoreManagement',
    columns: ['chainNo', 'name', 'brand', 'uscc', 'contactName', 'storeCount', 'openCount', 'state'],
  });
