import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { own as ownInsurance } from '#domains/insurance/server/database.ts';
import { keeper as productKeeper, makeDraft } from '#domains/insurance/server/testing/products.ts';
import type { VersionDocument } from '#domains/insurance/contract/model/document.ts';
import { checkCharacter } from '#domains/patient/contract/idNumber.ts';
import { addEndorsement, auditEndorsement } from '../../contract/calls/endorsements.ts';
import type { addPolicy, renewPolicy } from '../../contract/calls/policies.ts';
import { listPermissions, policyPermissions, premiumPermissions } from '../../contract/permissions.ts';
import type { PersonInput } from '../../contract/persons.ts';
import { own } from '../database.ts';

let counter = 0;
export const serial = (): number => (counter += 1);
/** The first of as many numbers that nobody else gets. */
export const serials = (count: number): number => (counter += count) - count + 1;

/** Somebody who may do all that stands of this domain. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({
    permissions: [policyPermissions, listPermissions, premiumPermissions].flatMap((all) => Object.values(all)).map(({ code }) => code),
  });

/** Two plans: 1,200 yuan and 2,400 yuan a year, up to 60 and up to 80 years. */
const withPlans = (document: VersionDocument): VersionDocument => {
  const [plan] = document.plans;
  const planOf = (planCode: string, annualPremiumFen: number, ageMax: number) => ({
    ...plan!,
    planCode,
    planName: `计划${planCode}`,
    ageMax,
    rates: [{ gender: 'ANY' as const, social: 'ANY' as const, ageFrom: 0, ageTo: ageMax, annualPremiumFen }],
  });
  return { ...document, plans: [planOf('P1', 120_000, 60), planOf('P2', 240_000, 80)] };
};

export interface MadeProduct {
  productId: string;
  insurerId: string;
  productCode: string;
}

/** A product on sale whose first version holds from 2024 on. */
export async function makeProduct(app: TestApp): Promise<MadeProduct> {
  const draft = await makeDraft(app, await productKeeper(app), '2027-01-01', withPlans);
  // Nobody publishes a version of the past today; this one was published long ago.
  await ownInsurance(app.db)
    .updateTable('insuranceProductVersion')
    .set({
      effectiveFrom: '2024-01-01',
      state: 'PUBLISHED',
      makerId: '1',
      checkerId: '2',
      submittedAt: app.clock.now(),
      publishedAt: app.clock.now(),
      contentHash: 'a'.repeat(64),
    })
    .where('id', '=', draft.productVersionId)
    .execute();
  const { insurerId, productCode } = await ownInsurance(app.db)
    .updateTable('insuranceProduct')
    .set({ status: 'ON_SALE' })
    .where('id', '=', draft.productId)
    .returning(['insurerId', 'productCode'])
    .executeTakeFirstOrThrow();
  return { productId: draft.productId, insurerId: insurerId ?? '', productCode };
}

export const policyWish = (productId: string, more: Partial<InputOf<typeof addPolicy>> = {}): InputOf<typeof addPolicy> => ({
  policyNo: `ZA2026-${String(serial()).padStart(6, '0')}`,
  productId,
  policyType: 'GROUP',
  holderType: 'ORG',
  holderName: '江南科技有限公司',
  holderIdNo: '91320000MA1MABCD1X',
  holderContact: '13800138000',
  coverageStart: '2026-01-01',
  coverageEnd: '2026-12-31',
  payMode: 'LUMP',
  ...more,
});

/** A policy as a row of an import says it. */
export const importRow = ({ productCode }: Pick<MadeProduct, 'productCode'>, more: Readonly<Record<string, string>> = {}) => ({
  policyNo: `DR2026-${String(serial()).padStart(6, '0')}`,
  productCode,
  policyType: '团单',
  holderType: '企业',
  holderName: '江南科技有限公司',
  coverageStart: '2026-12-01',
  coverageEnd: '2027-11-30',
  payMode: '趸交',
  ...more,
});

/** A policy goes on for a year. */
export const renewWish = ({ id, version }: { id: string; version: number }, coverageStart: string): InputOf<typeof renewPolicy> => ({
  policyId: id,
  version,
  policyNo: `ZA2027-${String(serial()).padStart(6, '0')}`,
  coverageStart,
  coverageEnd: plusDays(coverageStart, 364),
});

/** A certificate with the right check character. */
export function certificate(birthDate: string, gender: 'M' | 'F', n = serial()): string {
  const order = String((n % 499) * 2 + (gender === 'M' ? 1 : 0)).padStart(3, '0');
  // of the provinces 11 to 15: a worker's files share the counter
  const area = String(110_101 + (Math.floor(n / 499) % 40_000));
  const digits = `${area}${birthDate.replaceAll('-', '')}${order}`;
  return `${digits}${checkCharacter(digits)}`;
}

export const personWish = (more: Partial<PersonInput> = {}): PersonInput => {
  const birthDate = more.birthDate ?? '1990-05-12';
  const gender = more.gender ?? 'M';
  return { name: '张建国', idType: 'ID_CARD', idNo: certificate(birthDate, gender), gender, birthDate, mobile: '13900000001', ...more };
};

type Wish = Omit<InputOf<typeof addEndorsement>, 'reason'> & { reason?: string };
export const asked = (app: TestApp, maker: TestStaff, wish: Wish) =>
  app.ok(addEndorsement, { reason: '投保人申请', ...wish }, { as: maker });

/** An endorsement that one person made and another one passed. */
export async function passed(app: TestApp, maker: TestStaff, checker: TestStaff, wish: Wish) {
  const made = await asked(app, maker, wish);
  const done = await app.ok(
    auditEndorsement,
    { id: made.id, version: made.version, action: 'approve', opinion: '核对无误' },
    { as: checker },
  );
  return { ...done, endorsementNo: made.endorsementNo, impact: made.impact };
}

/** The person of a policy by his name. */
export const itemOf = async (app: TestApp, policyId: string, name: string): Promise<string> =>
  (
    await own(app.db)
      .selectFrom('policyInsuredItem')
      .select('id')
      .where('policyId', '=', policyId)
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).id;
