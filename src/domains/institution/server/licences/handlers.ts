import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '../../../../kernel/contract/errors.ts';
import { daysBetween, plusDays, type Day } from '../../../../kernel/contract/time.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { scopeFilter } from '../../../../kernel/server/auth/scope.ts';
import { licenceTypes, type LicenceType } from '../../contract/dictionaries.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { queryLicenceExpireList, remindLicence, saveLicence } from '../../contract/licenceCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { storeMachine } from '../../contract/states.ts';
import { hospitalScope, lockHospital, lockStore, storeScope, type Seer } from '../access.ts';
import { likeText, ownDb, ownTx, type InstitutionDb } from '../database.ts';
import { attachPapers } from '../papers.ts';
import { isLicenceNo } from '../rules/licences.ts';
import { fileChange, type NewLicence } from '../stores/changes.ts';
import { putLicence } from '../stores/licence.ts';
import { earliestEnd } from '../stores/publish.ts';
import { makerOf } from '../stores/save.ts';

/** Ends that a store is reminded of. */
const OF_A_STORE_DAYS = 90;

export interface ExpiringFilter {
  within: number;
  licenceType?: readonly string[] | undefined;
  ownerType?: string | undefined;
  name?: string | undefined;
}

/** Licences that are past their day or will be within the days asked for. */
export function expiring(db: InstitutionDb, filter: ExpiringFilter, seer: Seer, today: Day) {
  let rows = db
    .selectFrom('institutionLicence as l')
    .leftJoin('institutionDrugstore as s', (join) => join.onRef('s.id', '=', 'l.ownerId').on('l.ownerType', '=', 'DRUGSTORE'))
    .leftJoin('institutionHospital as h', (join) => join.onRef('h.id', '=', 'l.ownerId').on('l.ownerType', '=', 'HOSPITAL'))
    .leftJoin('institutionChain as c', (join) => join.onRef('c.id', '=', 'l.ownerId').on('l.ownerType', '=', 'CHAIN'))
    .where('l.state', 'in', ['VALID', 'EXPIRED'])
    .where('l.validTo', '<=', plusDays(today, filter.within))
    .where((eb) =>
      eb.or([
        eb('l.ownerType', '=', 'CHAIN'),
        eb.and([eb('l.ownerType', '=', 'DRUGSTORE'), scopeFilter(storeScope, seer)]),
        eb.and([eb('l.ownerType', '=', 'HOSPITAL'), scopeFilter(hospitalScope, seer)]),
      ]),
    )
    .where((eb) => eb.or([eb('s.state', 'is', null), eb('s.state', '<>', 'CLOSED')]));
  if (filter.licenceType?.length) rows = rows.where('l.licenceType', 'in', filter.licenceType);
  if (filter.ownerType) rows = rows.where('l.ownerType', '=', filter.ownerType);
  if (filter.name) rows = rows.where(sql<boolean>`coalesce(s.name, h.name, c.name) ilike ${likeText(filter.name)}`);
  return rows;
}
const filled = (rows: ReturnType<typeof expiring>) =>
  rows.select([
    'l.id',
    'l.ownerType',
    'l.ownerId',
    'l.licenceType',
    'l.licenceNo',
    'l.remindedDays',
    sql<string>`l.valid_to`.as('validTo'),
    sql<string>`coalesce(s.store_no, h.hospital_no, c.chain_no, '')`.as('ownerNo'),
    sql<string>`coalesce(s.name, h.name, c.name, '')`.as('ownerName'),
  ]);
const present = (row: Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>, today: Day) => {
  const { remindedDays, ...rest } = row;
  return {
    ...rest,
    ownerType: row.ownerType as 'DRUGSTORE' | 'HOSPITAL' | 'CHAIN',
    licenceType: row.licenceType,
    daysLeft: daysBetween(today, row.validTo),
    lastReminded: remindedDays.at(-1) ?? null,
  };
};
export type ExpiringRow = ReturnType<typeof present>;

export async function* expiringChunks(db: Db, filter: ExpiringFilter, seer: Seer, today: Day): AsyncGenerator<ExpiringRow[]> {
  let after = '0';
  for (;;) {
    const rows = await filled(expiring(ownDb(db), filter, seer, today))
      .where('l.id', '>', after)
      .orderBy('l.id')
      .limit(1000)
      .execute();
    if (rows.length === 0) return;
    yield rows.map((row) => present(row, today));
    after = rows.at(-1)!.id;
  }
}

export const licenceHandlers = (kernel: Kernel): readonly Handler[] => [
  command(saveLicence, async ({ ownerType, ownerId, ...entered }, ctx) => {
    const tx = ownTx(ctx.tx);
    if (!isLicenceNo(entered.licenceType, entered.licenceNo)) throw refuse(institutionErrors.LICENCE_NO);
    if (entered.validTo !== null && entered.validTo < entered.validFrom) throw refuseField('validTo', '有效期止不能早于有效期起');
    const licence: NewLicence = { ...entered, fileIds: [...entered.fileIds] };
    if (entered.validTo !== null && entered.validTo < ctx.today && ownerType === 'DRUGSTORE')
      throw refuse(institutionErrors.LICENCE_EXPIRED, { licence: licenceTypes.label(entered.licenceType), date: entered.validTo });
    const owners = { DRUGSTORE: 'institution.drugstore', HOSPITAL: 'institution.hospital', CHAIN: 'institution.chain' } as const;
    if (ownerType === 'HOSPITAL') {
      ctx.demand(institutionPermissions['hospital.edit']);
      await lockHospital(ctx.tx, ctx.staff, ownerId);
    } else if (ownerType === 'CHAIN') {
      const chain = await tx.selectFrom('institutionChain').select('id').where('id', '=', ownerId).forUpdate().executeTakeFirst();
      if (!chain) throw refuseField('ownerId', '连锁总部不存在');
    } else {
      const store = await lockStore(ctx.tx, ctx.staff, ownerId);
      if (store.state === 'CLOSED') throw refuse(platformErrors.WRONG_STATE, { state: storeMachine.states.CLOSED.label });
      if (store.state === 'PENDING')
        await tx.updateTable('institutionDrugstore').set(makerOf(ctx, store)).where('id', '=', ownerId).execute();
      if (store.state === 'OPEN' || store.state === 'SUSPENDED') {
        const held = await tx
          .selectFrom('institutionLicence')
          .select(['licenceType', 'licenceNo', 'holder', 'validFrom', 'validTo', 'fileIds'])
          .where('ownerType', '=', ownerType)
          .where('ownerId', '=', ownerId)
          .where('licenceType', '=', entered.licenceType)
          .where('state', 'in', ['VALID', 'EXPIRED'])
          .executeTakeFirst();
        await attachPapers(ctx, { type: owners[ownerType], id: ownerId, field: 'licence' }, entered.fileIds);
        const { changeNo } = await fileChange(
          ctx,
          kernel,
          { type: 'DRUGSTORE', id: ownerId, name: store.name },
          {
            before: { licence: held ?? null },
            after: { licence },
            reason: `更新${licenceTypes.label(entered.licenceType)}`,
            fileIds: entered.fileIds,
          },
        );
        return { licence: null, changeNo };
      }
    }
    await attachPapers(ctx, { type: owners[ownerType], id: ownerId, field: 'licence' }, entered.fileIds);
    const id = await putLicence(ctx.tx, { type: ownerType, id: ownerId }, licence, { now: ctx.now, userId: ctx.staff.userId });
    if (ownerType === 'DRUGSTORE')
      await tx
        .updateTable('institutionDrugstore')
        .set({ nextExpireOn: await earliestEnd(ctx.tx, ownerId) })
        .where('id', '=', ownerId)
        .execute();
    ctx.target({ type: 'institution.licence', id, no: entered.licenceNo });
    ctx.changed([
      {
        path: 'licence',
        label: licenceTypes.label(entered.licenceType),
        before: null,
        after: `${entered.licenceNo} ${entered.validTo ?? '长期'}`,
      },
    ]);
    return { licence: { id, ...licence, licenceType: entered.licenceType, state: 'VALID' as const, version: 1 }, changeNo: null };
  }),
  query(queryLicenceExpireList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const own = ownDb(ctx.db);
    const rows = expiring(own, filter, ctx.staff, ctx.today);
    const page = await filled(rows).orderBy('l.validTo').orderBy('l.id').limit(pageSize).offset(offsetOf({ pageNo, pageSize })).execute();
    return { rows: page.map((row) => present(row, ctx.today)), total: await totalUpTo(own, rows) };
  }),
  command(remindLicence, async ({ ids, storeIds }, ctx) => {
    const own = ownTx(ctx.tx);
    const rows = ids
      ? await filled(expiring(own, { within: 3650 }, ctx.staff, ctx.today))
          .where('l.id', 'in', ids)
          .execute()
      : await filled(expiring(own, { within: OF_A_STORE_DAYS, ownerType: 'DRUGSTORE' }, ctx.staff, ctx.today))
          .where('l.ownerId', 'in', storeIds!)
          .orderBy('l.validTo')
          .execute();
    for (const row of rows) {
      const { daysLeft } = present(row, ctx.today);
      await kernel.ports.notices.addAlert(
        ctx.tx,
        {
          businessKey: `institution.licence:${row.id}:${ctx.today}`,
          title: `证照提醒：${row.ownerName}${licenceTypes.label(row.licenceType)}${daysLeft < 0 ? '已过期' : `${daysLeft}天后到期`}`,
          link: '/drugstoreManagement?tab=licences',
          permission: institutionPermissions['store.edit'].code,
        },
        ctx.now,
      );
      ctx.target({ type: 'institution.licence', id: row.id, no: row.licenceNo });
    }
    if (ids)
      return [...new Set(ids)].map((id) =>
        rows.some((row) => row.id === id) ? { id, ok: true, message: '已发送' } : { id, ok: false, message: '证照不存在或无需提醒' },
      );
    return [...new Set(storeIds)].map((id) => {
      const sent = rows.filter((row) => row.ownerId === id).length;
      return sent > 0
        ? { id, ok: true, message: `已发送${sent}份证照的提醒` }
        : { id, ok: false, message: `没有${OF_A_STORE_DAYS}天内到期的证照` };
    });
  }),
];
