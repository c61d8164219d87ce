import { plusDays } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import type { Span, WeekHours } from '../../contract/opening.ts';
import { storeMachine } from '../../contract/states.ts';
import type { StoreDetail } from '../../contract/storeCalls.ts';
import { storeRecords } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { own } from '../database.ts';
import { maskedAccount, maskedMobile } from './account.ts';
import { changesOf } from './changeList.ts';
import { openingOf } from './list.ts';

/** One store with licences, holidays from yesterday on, changes and timeline. */
export async function loadStore(ctx: QueryContext, storeId: string, secrets: Secrets): Promise<StoreDetail> {
  const db = own(ctx.db);
  const row = await storeRecords.get(ctx.db, ctx.staff, storeId);
  const chain =
    row.chainId === null
      ? null
      : await db.selectFrom('institutionChain').select(['name', 'account']).where('id', '=', row.chainId).executeTakeFirst();
  const holidays = await db
    .selectFrom('institutionStoreHoliday')
    .select(['day', 'spans', 'note'])
    .where('storeId', '=', storeId)
    .where('day', '>=', plusDays(ctx.today, -1))
    .orderBy('day')
    .execute();
  const licences = await db
    .selectFrom('institutionLicence')
    .select(['id', 'licenceType', 'licenceNo', 'holder', 'validFrom', 'validTo', 'fileIds', 'state', 'version'])
    .where('ownerType', '=', 'DRUGSTORE')
    .where('ownerId', '=', storeId)
    .orderBy('licenceType')
    .orderBy('id', 'desc')
    .execute();
  const regions = await regionsOf(ctx.db, [row.adcode]);
  const days = holidays.map((holiday) => ({ ...holiday, spans: holiday.spans as Span[] }));
  return {
    id: row.id,
    storeNo: row.storeNo,
    name: row.name,
    chainId: row.chainId,
    chainName: chain?.name ?? null,
    chainStoreCode: row.chainStoreCode,
    storeTags: row.storeTags,
    uscc: row.uscc,
    nhsaCode: row.nhsaCode,
    adcode: row.adcode,
    region: regionText(regions, row.adcode),
    address: row.address,
    lngE6: row.lngE6,
    latE6: row.latE6,
    locateSource: row.locateSource,
    phone: row.phone,
    managerName: row.managerName,
    managerMobile: maskedMobile(secrets, row.managerMobileCipher),
    pharmacistName: row.pharmacistName,
    pharmacistCertNo: row.pharmacistCertNo,
    accountOf: row.accountOf,
    account: maskedAccount(secrets, row.accountOf === 'CHAIN' ? chain?.account : row.account),
    weekHours: row.weekHours as WeekHours as StoreDetail['weekHours'],
    capabilities: row.capabilities,
    withheld: row.withheld,
    deliveryRadiusM: row.deliveryRadiusM,
    deliveryFeeFen: row.deliveryFeeFen,
    freeOverFen: row.freeOverFen,
    state: row.state,
    suspendReason: row.suspendReason,
    nextExpireOn: row.nextExpireOn,
    openOrderCount: row.openOrderCount,
    mine: row.makerId === ctx.staff.userId,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    holidays: days,
    licences: licences.map((licence) => ({
      ...licence,
      fileIds: licence.fileIds.map(String),
      licenceType: licence.licenceType,
      state: licence.state,
    })),
    changes: await changesOf(ctx.db, { type: 'DRUGSTORE', id: storeId }, ctx.staff, secrets),
    allowedActions: actionAnswer(ctx, storeMachine, row).allowedActions,
    trail: await trailOf(ctx.db, 'institution.drugstore', storeId),
    ...openingOf(row, days, ctx.now),
  };
}
