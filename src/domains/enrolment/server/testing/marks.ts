import type { InputOf } from '#kernel/contract/call.ts';
import { checkCharacter } from '#kernel/contract/idNumber.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { makeProduct, keeper as insuranceKeeper } from '#domains/insurance/server/testing/products.ts';
import { own as insurance } from '#domains/insurance/server/database.ts';
import { addSpecialUser, auditSpecialUser } from '../../contract/calls/marks.ts';
import { markPermissions, applyPermissions } from '../../contract/permissions.ts';
import { MARK_EVIDENCE } from '../../contract/purposes.ts';

let counter = 0;
const serial = (): number => (counter += 1);
export const NONE = '999999999';

/** Somebody who may do all with marks; each call makes another person. */
export const markKeeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({
    permissions: [...Object.values(markPermissions), applyPermissions['apply.reveal']].map(({ code }) => code),
  });

/** A certificate that nobody else of the tests has. */
export function freshIdNo(): string {
  const n = serial();
  const digits = `${110_101 + Math.floor(n / 900)}19800214${String((n % 900) + 100)}`;
  return `${digits}${checkCharacter(digits)}`;
}

type Input = InputOf<typeof addSpecialUser>;
/** A mark of somebody new from tomorrow on for a year. */
export const markInput = (app: TestApp, change: Partial<Input> = {}): Input => ({
  name: '李秀兰',
  idNo: freshIdNo(),
  markType: 'FORCE_RECHECK',
  productIds: [],
  startDate: plusDays(app.clock.today(), 1),
  endDate: plusDays(app.clock.today(), 365),
  reason: '既往材料多次不清晰，须由第二人复核',
  evidenceFileIds: [],
  ...change,
});

export const evidence = async (app: TestApp, as: TestStaff): Promise<string[]> => [await uploadPaper(app, as, MARK_EVIDENCE)];

/** A mark that waits. */
export async function waitingMark(app: TestApp, change: Partial<Input> = {}, as?: TestStaff) {
  const maker = as ?? (await markKeeper(app));
  const input = markInput(app, change);
  const { id, version } = await app.ok(addSpecialUser, input, { as: maker });
  return { id, version, input, maker };
}

/** A mark that another person passed. */
export async function passedMark(app: TestApp, change: Partial<Input> = {}, as?: TestStaff) {
  const mark = await waitingMark(app, change, as);
  const { version } = await app.ok(
    auditSpecialUser,
    { id: mark.id, version: mark.version, action: 'approve', opinion: '' },
    { as: await markKeeper(app) },
  );
  return { ...mark, version };
}

/** A product of the HMO line, and one of another. */
export async function hmoProduct(app: TestApp): Promise<{ productId: string; productCode: string; otherId: string }> {
  const as = await insuranceKeeper(app);
  const made = await makeProduct(app, as);
  const other = await makeProduct(app, as);
  const row = await insurance(app.db)
    .updateTable('insuranceProduct')
    .set({ productLine: 'HMO', productName: `慢病管理${serial()}` })
    .where('id', '=', made.id)
    .returning(['id', 'productCode'])
    .executeTakeFirstOrThrow();
  return { productId: row.id, productCode: row.productCode, otherId: other.id };
}
