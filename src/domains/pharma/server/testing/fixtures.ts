import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { addAgent, changeAgentState } from '../../contract/calls/agents.ts';
import { auditMedicineApply, queryMedicineApplyList } from '../../contract/calls/applies.ts';
import { addDrugCategory } from '../../contract/calls/categories.ts';
import { addPharmaCompany } from '../../contract/calls/companies.ts';
import { addProductLine } from '../../contract/calls/lines.ts';
import { addMedicine, changeMedicineState, queryMedicineDetail, submitMedicine } from '../../contract/calls/medicines.ts';
import { addSku, addSkuPrice } from '../../contract/calls/skus.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import { agentHandedOver } from '#events/pharma.ts';
import { own } from '../database.ts';

export const NONE = '999999999';
export const FAR = '2030-12-31';
const all = Object.values(pharmaPermissions).map(({ code }) => code);
let counter = 0;
const next = () => (counter += 1);

const people = new WeakMap<TestApp, Map<string, Promise<TestStaff>>>();
/** Somebody with every right of the domain; another name is another person. */
export function operator(app: TestApp, name = 'maker'): Promise<TestStaff> {
  const known = people.get(app) ?? new Map<string, Promise<TestStaff>>();
  people.set(app, known);
  // Sessions end when the clock is moved by hours.
  const key = `${name}@${app.clock.now().slice(0, 13)}`;
  const there = known.get(key) ?? app.staff({ permissions: all });
  known.set(key, there);
  return there;
}

export const newUscc = () => {
  const first = `9131000${String(1_000_000_000 + next())}`;
  return usccOf(first);
};
export const newApprovalNo = () => `国药准字H2017${String(next()).padStart(4, '0')}`;
export const newMobile = () => `139${String(next()).padStart(8, '0')}`;

export const companyInput = () => ({
  name: `测试药业${next()}有限公司`,
  shortName: `测试药业${counter}`,
  roles: ['MAH' as const, 'MAKER' as const],
  uscc: newUscc(),
});

export const makeCompany = async (app: TestApp, more: object = {}) =>
  app.ok(addPharmaCompany, { ...companyInput(), ...more }, { as: await operator(app) });

export const makeLine = async (app: TestApp, companyId: string, more: object = {}) =>
  app.ok(
    addProductLine,
    { companyId, name: `产品线${next()}`, therapyArea: '肿瘤', startDate: '2026-01-01', endDate: '2026-12-31', ...more },
    { as: await operator(app) },
  );

export const makeCategory = async (app: TestApp, more: object = {}) =>
  app.ok(addDrugCategory, { kind: 'THERAPY', name: `分类${next()}`, ...more }, { as: await operator(app) });

/** A complete draft. */
export async function makeDraft(app: TestApp, more: object = {}) {
  const company = await makeCompany(app);
  const category = await makeCategory(app);
  return app.ok(
    addMedicine,
    {
      genericName: `甲磺酸奥希替尼片${next()}`,
      approvalNo: newApprovalNo(),
      medicineKind: 'CHEM',
      rxClass: 'RX',
      dosageForm: 'FILM_TABLET',
      strength: '80mg',
      approvalValidTo: '2027-06-30',
      holderId: company.id,
      makerId: company.id,
      categoryId: category.id,
      indications: [{ text: '非小细胞肺癌', icd10Prefixes: ['C34'] }],
      usageText: '每次80mg，每日1次',
      defaultDose: { amount: 1, unit: '片', timesPerDay: 1 },
      storage: 'NORMAL',
      taxCode: '1070303010000000000',
      taxRateBp: 300,
      taxScheme: 'SIMPLE',
      ...more,
    },
    { as: await operator(app) },
  );
}

export const facts = async (app: TestApp, medicineId: string) =>
  (await app.ok(queryMedicineDetail, { medicineId }, { as: await operator(app) })).medicine;

/** The waiting apply of a medicine. */
export async function openApplyOf(app: TestApp, medicineId: string) {
  const { rows } = await app.ok(queryMedicineApplyList, { medicineId, state: 'PENDING' }, { as: await operator(app) });
  return rows[0]!;
}

export async function approve(app: TestApp, medicineId: string) {
  const apply = await openApplyOf(app, medicineId);
  await app.ok(auditMedicineApply, { id: apply.id, version: apply.version, action: 'approve' }, { as: await operator(app, 'checker') });
}

/** A medicine through its audit, off. */
export async function makeMedicine(app: TestApp, more: object = {}) {
  const draft = await makeDraft(app, more);
  await app.ok(submitMedicine, { id: draft.id, version: draft.version }, { as: await operator(app) });
  await approve(app, draft.id);
  return facts(app, draft.id);
}

export const makeSku = async (app: TestApp, medicineId: string, more: object = {}) =>
  app.ok(addSku, { medicineId, packSpec: `80mg*30片/盒${next()}`, packUnits: 30, unit: '盒', ...more }, { as: await operator(app) });

export const makePrice = async (app: TestApp, skuId: string, more: object = {}) =>
  app.ok(
    addSkuPrice,
    { skuId, priceType: 'MARKET', priceFen: 550_000, effectiveFrom: '2026-11-21', reason: '首次定价', ...more },
    { as: await operator(app) },
  );

/** A medicine that is on, with a sku and a price. */
export async function makeOn(app: TestApp, more: object = {}) {
  const medicine = await makeMedicine(app, more);
  const sku = await makeSku(app, medicine.id);
  await makePrice(app, sku.id);
  const { version } = await facts(app, medicine.id);
  await app.ok(changeMedicineState, { id: medicine.id, version, action: 'putOn' }, { as: await operator(app) });
  await approve(app, medicine.id);
  return { medicine: await facts(app, medicine.id), sku };
}

export const agentInput = (companyId: string, more: object = {}) => ({
  companyId,
  name: `代表${next()}`,
  mobile: newMobile(),
  rank: 'MR' as const,
  ...more,
});

export async function makeAgent(app: TestApp, companyId: string, lineId: string | null, more: object = {}) {
  const as = await operator(app);
  const agent = await app.ok(addAgent, { ...agentInput(companyId, more), lineIds: lineId === null ? [] : [lineId] }, { as });
  if (lineId === null) return agent;
  const { version } = await app.ok(changeAgentState, { id: agent.id, version: agent.version, action: 'activate' }, { as });
  return { ...agent, version };
}

/** Gives somebody doctors, as settlement's events would. */
export async function giveDoctors(
  app: TestApp,
  agentId: string,
  productLineId: string,
  doctors: readonly { doctorId: string; hospitalName?: string }[],
) {
  await own(app.db)
    .insertInto('pharmaAgentDoctor')
    .values(
      doctors.map(({ doctorId, hospitalName }) => ({
        agentId,
        doctorId,
        productLineId,
        doctorName: `医生${doctorId}`,
        hospitalName: hospitalName ?? '测试医院',
        since: '2026-01-01',
      })),
    )
    .execute();
}

export async function giveChannel(app: TestApp, agentId: string, channelId: string) {
  await own(app.db)
    .insertInto('pharmaAgentChannel')
    .values({
      channelId,
      channelNo: `QD${channelId}`,
      name: `渠道${channelId}`,
      channelType: 'AGENT',
      agentId,
      state: 'ENABLED',
      scans30: 3,
      seq: '1',
    })
    .execute();
}

export async function handedOverEvents(app: TestApp, handoverId: string) {
  const { rows } = await app.database.pool.query<{ payload: { toAgentId: string; doctorIds: string[] } }>(
    'select payload from kernel_outbox where name = $1 and aggregate_id = $2',
    [agentHandedOver.name, handoverId],
  );
  return rows.map((row) => row.payload);
}

/** A suspected reaction, as a follow-up would report it. */
export async function makeReport(app: TestApp, medicineId: string, more: object = {}) {
  const { id } = await own(app.db)
    .insertInto('pharmaAdverseReport')
    .values({
      reportNo: `BL20261121${String(next()).padStart(6, '0')}`,
      medicineId,
      patientId: '10001',
      sourceTaskId: `task-${next()}`,
      seriousness: 'SERIOUS',
      isNew: false,
      descriptionCipher: app.kernel.secrets.encrypt('皮疹'),
      receivedAt: app.clock.now(),
      dueAt: '2026-12-06T02:00:00.000Z',
      state: 'RECEIVED',
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
