import * as z from 'zod/mini';
import { cipher, event } from '#kernel/contract/event.ts';

const number = z.nullable(z.number());

/** An application was decided with a hospital: a new one, or `linked` to one that was there. */
export const hospitalApproved = event(
  'institution.hospital.approved',
  z.strictObject({ applyId: z.string(), hospitalId: z.string(), linked: z.boolean() }),
);
export const hospitalChanged = event(
  'institution.hospital.changed',
  z.strictObject({
    hospitalId: z.string(),
    name: z.string(),
    level: z.string(),
    levelRank: z.number(),
    adcode: z.string(),
    state: z.string(),
  }),
);
/** A department has another name or another standard department. */
export const departmentChanged = event(
  'institution.department.changed',
  z.strictObject({ departmentId: z.string(), hospitalId: z.string(), name: z.string(), standardDeptCode: z.nullable(z.string()) }),
);
const merging = z.strictObject({
  loserId: z.string(),
  survivorId: z.string(),
  /** Departments that became another one; a moved department keeps its id and is not listed. */
  deptMap: z.array(z.strictObject({ fromDeptId: z.string(), toDeptId: z.string() })),
});
export const hospitalMerged = event('institution.hospital.merged', merging);
export const hospitalUnmerged = event('institution.hospital.unmerged', merging);
export const hospitalApplyRejected = event(
  'institution.hospitalApply.rejected',
  z.strictObject({ applyId: z.string(), applicantType: z.string(), applicantId: z.string(), opinion: z.string() }),
);
export const drugstoreChanged = event(
  'institution.drugstore.changed',
  z.strictObject({
    storeId: z.string(),
    name: z.string(),
    chainId: z.nullable(z.string()),
    state: z.string(),
    storeTags: z.array(z.string()),
    capabilities: z.array(z.string()),
    adcode: z.string(),
    address: z.string(),
    lngE6: number,
    latE6: number,
    nextExpireOn: z.nullable(z.string()),
  }),
);
/** A payee account took effect after its audit; either a store's or a chain's. */
export const drugstoreAccountChanged = event(
  'institution.drugstoreAccount.changed',
  z.strictObject({
    storeId: z.optional(z.string()),
    chainId: z.optional(z.string()),
    companyName: z.string(),
    taxNo: z.string(),
    bankName: z.string(),
    bankNo: z.string(),
    accountNoCipher: cipher,
    licenceName: z.string(),
  }),
);
