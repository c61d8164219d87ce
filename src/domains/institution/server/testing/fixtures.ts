import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import type { LicenceType } from '../../contract/dictionaries.ts';
import { addHospitalApply, claimHospitalAudit } from '../../contract/applyCalls.ts';
import { addHospital, queryHospitalDetail } from '../../contract/hospitalCalls.ts';
import { addMergeHospital } from '../../contract/duplicateCalls.ts';
import { addChain, saveLicence } from '../../contract/licenceCalls.ts';
import { addDrugstore, auditDrugstore, queryDrugstoreDetail, saveBusinessHours, submitDrugstore } from '../../contract/storeCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';

export const NONE = '999999999';
let serial = 0;
const words = [...'子丑寅卯辰巳午未申酉戌亥甲乙丙丁戊己庚辛壬癸金木水火土日月星'];
/** A name that is like no other. */
export const freshName = (end = '医院') => {
  serial += 1;
  const at = (power: number) => words[Math.floor(serial / words.length ** power) % words.length]!;
  return `${at(2)}${at(1)}${at(0)}${at(0)}${at(1)}${end}`;
};
export const freshUscc = () => usccOf(`913301${String((serial += 1)).padStart(11, '0')}`);

/** Somebody who may do everything here; each call makes another person. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: Object.values(institutionPermissions).map(({ code }) => code) });

export const hospitalInput = (more: object = {}) => ({
  name: freshName(),
  level: 'L3A' as const,
  kind: 'GENERAL' as const,
  ownership: 'PUBLIC' as const,
  adcode: '330106',
  address: '文三路1号',
  ...more,
});

export async function makeHospital(app: TestApp, more: object = {}, confirmNotDuplicate: string[] = []) {
  const as = await keeper(app);
  const { id } = await app.ok(addHospital, { ...hospitalInput(more), confirmNotDuplicate }, { as });
  return app.ok(queryHospitalDetail, { hospitalId: id }, { as });
}

export async function makeApply(app: TestApp, more: object = {}) {
  const as = await keeper(app);
  return { ...(await app.ok(addHospitalApply, { applyType: 'CREATE', payload: hospitalInput(more) }, { as })), applicant: as };
}
/** An application that `as` has claimed. */
export async function claimedApply(app: TestApp, as: TestStaff, more: object = {}) {
  const made = await makeApply(app, more);
  const { version } = await app.ok(claimHospitalAudit, { applyId: made.id }, { as });
  return { ...made, version };
}

export async function makeMerge(app: TestApp, pair?: { survivorId: string; loserId: string }, by?: TestStaff) {
  const survivorId = pair?.survivorId ?? (await makeHospital(app)).id;
  const loserId = pair?.loserId ?? (await makeHospital(app)).id;
  const maker = by ?? (await keeper(app));
  const [merge] = await app.ok(
    addMergeHospital,
    { survivorId, loserIds: [loserId], reason: '重复医院' },
    { as: maker, idempotencyKey: `merging-hospital-${loserId}-${(serial += 1)}` },
  );
  return { ...merge!, survivorId, loserId, maker };
}

export const storeInput = (more: object = {}) => ({
  name: freshName('药店'),
  storeTags: ['SINGLE' as const],
  uscc: freshUscc(),
  adcode: '330106',
  address: `文二路${(serial += 1)}号`,
  lngE6: 120_130_000,
  latE6: 30_270_000,
  locateSource: 'MANUAL' as const,
  phone: '0571-87065701',
  managerName: '王店长',
  capabilities: [] as 'COLD'[],
  ...more,
});
export async function makeStore(app: TestApp, more: object = {}, by?: TestStaff) {
  const as = by ?? (await keeper(app));
  const { id } = await app.ok(addDrugstore, storeInput(more), { as });
  return { ...(await app.ok(queryDrugstoreDetail, { storeId: id }, { as })), maker: as };
}
const numbers: Partial<Record<LicenceType, string>> = {
  DRUG: '浙DB5710001',
  PHARMACIST: '331200001',
  NHSA: 'P33010600001',
  DUAL: '浙双通道001',
};
export const licenceInput = (
  store: { id: string; name: string; uscc: string | null },
  licenceType: LicenceType,
  validTo: string | null = '2027-12-31',
) => ({
  ownerType: 'DRUGSTORE' as const,
  ownerId: store.id,
  licenceType,
  licenceNo: licenceType === 'BUSINESS' ? store.uscc! : numbers[licenceType]!,
  holder: store.name,
  validFrom: '2024-01-01',
  validTo,
});
export const week = { 1: [{ from: 540, to: 1260 }], 6: [{ from: 540, to: 1260 }] };

/** A store that is open, with the licences it needs. */
export async function openStore(app: TestApp, more: object = {}, ends: Partial<Record<LicenceType, string | null>> = {}) {
  const store = await makeStore(app, more);
  const as = store.maker;
  for (const type of ['BUSINESS', 'DRUG', ...Object.keys(ends).filter((key) => key !== 'BUSINESS' && key !== 'DRUG')] as LicenceType[]) {
    await app.ok(saveLicence, licenceInput(store, type, type in ends ? ends[type]! : '2027-12-31'), { as });
  }
  await app.ok(saveBusinessHours, { storeIds: [store.id], weekHours: week }, { as });
  const before = await app.ok(queryDrugstoreDetail, { storeId: store.id }, { as });
  const submitted = await app.ok(submitDrugstore, { id: store.id, version: before.version }, { as });
  await app.ok(auditDrugstore, { id: store.id, version: submitted.version, action: 'approve' }, { as: await keeper(app) });
  return { ...(await app.ok(queryDrugstoreDetail, { storeId: store.id }, { as })), maker: as };
}
/** The facts of a detail, as the form sends them back. */
export const asInput = (store: Awaited<ReturnType<typeof makeStore>>, more: object = {}) => ({
  id: store.id,
  version: store.version,
  name: store.name,
  chainId: store.chainId,
  chainStoreCode: store.chainStoreCode,
  storeTags: store.storeTags,
  uscc: store.uscc,
  nhsaCode: store.nhsaCode,
  adcode: store.adcode,
  address: store.address,
  lngE6: store.lngE6,
  latE6: store.latE6,
  locateSource: store.locateSource,
  phone: store.phone,
  managerName: store.managerName,
  pharmacistName: store.pharmacistName,
  pharmacistCertNo: store.pharmacistCertNo,
  accountOf: store.accountOf,
  capabilities: store.capabilities,
  deliveryRadiusM: store.deliveryRadiusM,
  deliveryFeeFen: store.deliveryFeeFen,
  freeOverFen: store.freeOverFen,
  ...more,
});
export const makeChain = async (app: TestApp) =>
  app.ok(addChain, { name: freshName('连锁'), uscc: freshUscc() }, { as: await keeper(app) });
