import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { getDrugstores } from '#domains/institution/server/index.ts';
import type { addSupplier } from '../../contract/calls/supplier.ts';
import { orderErrors } from '../../contract/errors.ts';
import type { SupplierRecord } from '../access.ts';

export type SupplierFacts = Omit<CheckedInputOf<typeof addSupplier>, 'supplierCode' | 'contactMobile'> & {
  contactMobile?: string | undefined;
};
/** Who writes, in a request or for the demonstration. */
export type Writer = Acting;
export const editorOf = ({ staffOrNull, actorName }: Pick<Writer, 'staffOrNull' | 'actorName'>): string | null =>
  staffOrNull?.displayName ?? actorName ?? null;

/** What forms know of a supplier; its mobile and its secret are never shown. */
export const formOf = (row: SupplierRecord) => ({
  supplierName: row.supplierName,
  supplierType: row.supplierType,
  drugstoreId: row.drugstoreId,
  coldChainCapable: row.coldChainCapable,
  contactName: row.contactName,
  contactMobile: row.contactMobileMasked,
  licenseNo: row.licenseNo,
  licenseExpireAt: row.licenseExpireAt,
  licenseFileIds: row.licenseFileIds,
  gspExpireAt: row.gspExpireAt,
  dailyCapacity: row.dailyCapacity,
  cutoffTime: row.cutoffTime,
  acceptSlaMin: row.acceptSlaMin,
  shipSlaHour: row.shipSlaHour,
  freightFirstFen: Number(row.freightFirstFen),
  freightStepFen: Number(row.freightStepFen),
  freeShipFen: row.freeShipFen === null ? null : Number(row.freeShipFen),
  integration: row.integration,
  endpoint: row.endpoint,
  appKey: row.appKey,
});

/** What another person looked at: it changes by another audit alone. */
const AUDITED = [
  'supplierName',
  'supplierType',
  'drugstoreId',
  'coldChainCapable',
  'licenseNo',
  'licenseExpireAt',
  'licenseFileIds',
  'gspExpireAt',
  'integration',
  'endpoint',
  'appKey',
] as const;
export function changesAudited(row: SupplierRecord, facts: SupplierFacts): boolean {
  const stored = formOf(row);
  return facts.secret !== '' || AUDITED.some((key) => JSON.stringify(stored[key]) !== JSON.stringify(facts[key]));
}

/** A drugstore that is linked exists; a licence that is entered anew has not ended. @throws Refusal SCM90020 */
export async function requireSound(tx: Tx, facts: SupplierFacts, today: Day, before?: SupplierRecord): Promise<void> {
  if (facts.licenseExpireAt !== before?.licenseExpireAt && facts.licenseExpireAt <= today)
    throw refuseField('licenseExpireAt', '许可证有效期须晚于今天');
  if (facts.gspExpireAt !== null && facts.gspExpireAt !== before?.gspExpireAt && facts.gspExpireAt <= today)
    throw refuseField('gspExpireAt', 'GSP证书有效期须晚于今天');
  const { drugstoreId } = facts;
  if (drugstoreId !== null && (await getDrugstores(tx, [drugstoreId])).length === 0)
    throw refuseField('drugstoreId', '药店不存在，请重新选择');
}

/** What may be audited has its licence, and that one is valid. @throws Refusal SCM90020, SCM16022 */
export function requireLicence({ licenseFileIds, licenseExpireAt }: Pick<SupplierFacts, 'licenseFileIds' | 'licenseExpireAt'>, today: Day) {
  if (licenseFileIds.length === 0) throw refuseField('licenseFileIds', '请先上传药品经营许可证文件');
  if (licenseExpireAt <= today) throw refuse(orderErrors.LICENCE_EXPIRED);
}

/** Facts as they are stored; a secret that was not typed stays. */
export const columnsOf = (
  secrets: Secrets,
  { secret, contactMobile, freeShipFen, freightFirstFen, freightStepFen, ...facts }: SupplierFacts,
) => ({
  ...facts,
  freightFirstFen: String(freightFirstFen),
  freightStepFen: String(freightStepFen),
  freeShipFen: freeShipFen === null ? null : String(freeShipFen),
  ...(secret !== '' && { secretCipher: secrets.encrypt(secret) }),
  ...(contactMobile !== undefined && mobileColumns(secrets, contactMobile)),
});
export const mobileColumns = (secrets: Secrets, mobile: string) => ({
  contactMobileCipher: secrets.encrypt(mobile),
  contactMobileMasked: mask('mobile', mobile),
});
