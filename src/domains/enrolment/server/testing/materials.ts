import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import {
  addOtherMaterial,
  claimOtherMaterial,
  queryOtherMaterialDetail,
  saveOtherMaterialWork,
} from '../../contract/calls/otherMaterials.ts';
import { applyPermissions, contractPermissions, materialPermissions } from '../../contract/permissions.ts';
import { requiredPapers, type OtherMaterialKind } from '../../contract/materialStates.ts';
import { OTHER_MATERIAL_PAPER } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { activeContract, contractKeeper } from './contracts.ts';

let counter = 0;
export const key = (as: TestStaff) => ({ as, idempotencyKey: `material-${(counter += 1)}` });

const enters = ['apply.enter', 'apply.supervise', 'apply.reveal'] as const;
/** Somebody who may do all with other materials; each call makes another person. */
export const materialKeeper = (app: TestApp, without: readonly string[] = []): Promise<TestStaff> =>
  app.staff({
    permissions: [
      ...Object.values(materialPermissions),
      ...enters.map((name) => applyPermissions[name]),
      contractPermissions['contract.view'],
      contractPermissions['contract.amendAudit'],
    ]
      .map(({ code }) => code)
      .filter((code) => !without.includes(code)),
  });

/** A contract in force, reviewed every 180 days. */
export async function reviewedContract(app: TestApp, nextReviewOn = plusDays(app.clock.today(), 30)): Promise<string> {
  const { contractId } = await activeContract(app, await contractKeeper(app));
  await own(app.db).updateTable('enrolmentContract').set({ reviewCycleDays: 180, nextReviewOn }).where('id', '=', contractId).execute();
  return contractId;
}

type Facts = NonNullable<InputOf<typeof addOtherMaterial>['facts']>;
const factsOf = (app: TestApp): Readonly<Record<OtherMaterialKind, Facts>> => ({
  FOLLOW_UP: { examinedOn: app.clock.today(), followUpResult: 'STABLE' },
  IDENTITY: { mobile: '13600001234' },
  BANK: { payeeName: '张建国', payeeBank: '招商银行', payeeAccount: '6225881234567890' },
  PRIOR_PURCHASE: { drugName: '奥希替尼片', quantity: 2, amountFen: 1_530_000, purchasedOn: plusDays(app.clock.today(), -60) },
  PRESCRIPTION: { prescribedOn: app.clock.today() },
  OTHER: { note: '情况说明' },
});

/** What somebody hands in for a contract. */
export async function enteredMaterial(
  app: TestApp,
  { kind = 'FOLLOW_UP', contractId, facts, as }: { kind?: OtherMaterialKind; contractId?: string; facts?: Facts; as?: TestStaff } = {},
) {
  const enterer = as ?? (await materialKeeper(app));
  const id = contractId ?? (await reviewedContract(app));
  const fileId = await uploadPaper(app, enterer, OTHER_MATERIAL_PAPER);
  const added = await app.ok(
    addOtherMaterial,
    {
      contractId: id,
      kind,
      facts: facts ?? factsOf(app)[kind],
      materials: [{ materialType: requiredPapers[kind][0] ?? 'OTHER', fileId }],
    },
    { as: enterer },
  );
  return { contractId: id, materialId: added.id, materialNo: added.materialNo, version: added.version, enterer };
}

/** The same in a reviewer's hand, its papers found right. */
export async function heldMaterial(app: TestApp, wish: Parameters<typeof enteredMaterial>[1] & { reviewer?: TestStaff } = {}) {
  const made = await enteredMaterial(app, wish);
  const reviewer = wish.reviewer ?? (await materialKeeper(app));
  const { leaseToken, version } = await app.ok(claimOtherMaterial, { materialId: made.materialId }, { as: reviewer });
  const { materials } = await app.ok(queryOtherMaterialDetail, { materialId: made.materialId }, { as: made.enterer });
  const judged = materials.map(({ id }) => ({ id, verdict: 'OK' as const }));
  await app.ok(saveOtherMaterialWork, { materialId: made.materialId, leaseToken, materials: judged }, { as: reviewer });
  return { ...made, reviewer, leaseToken, version };
}
