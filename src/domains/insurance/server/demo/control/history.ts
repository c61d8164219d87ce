import { sql } from 'kysely';
import { dayOf, plusDays, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { AdjudicationInput } from '../../../contract/adjudication/input.ts';
import type { AdjudicationResult } from '../../../contract/adjudication/result.ts';
import type { VersionSpec } from '../../../contract/adjudication/spec.ts';
import type { ClaimType } from '../../../contract/businessLines.ts';
import { workMinutes } from '../../../contract/statistics/workTime.ts';
import { adjudicateOn } from '../../adjudication/adjudicate.ts';
import { specOf } from '../../adjudication/specOf.ts';
import type { Stage } from '../stage.ts';

/** Ids of rows without a record behind them lie far above those that sequences give. */
const FAR = 8_000_000_000_000_000n;
const MONTHS = 24;
const CLAIMS_OF_MONTH = 262;
const APPLIES_OF_MONTH = 132;
/** Claims of the product of story 4 in the last month, and those of them with an early refill: what its replay shows. */
const REPLAYED = 412;
const EARLY = 37;
/** Days whose claims are worked out; older ones are figures alone. */
const WORKED_DAYS = 120;
const STORY = 'SPD-2026';

interface DemoProductRow {
  id: string;
  productCode: string;
  productLine: string;
  insurerId: string | null;
  versionId: string;
}

const places = ['310100', '320500', '320100', '330100', '440100', '440300', '420100', '510100', '110100', '370200'] as const;
const states = ['SUBMITTED', 'FIRST_REVIEW', 'SECOND_REVIEW', 'SUPPLEMENT', 'RECHECK'] as const;
const reasonPool = ['L11', 'L10', 'L08', 'L07', 'L06', 'L12', 'L14', 'L04', 'L02', 'L21'] as const;
const drugPool = [
  '奥希替尼片',
  '安罗替尼胶囊',
  '阿来替尼胶囊',
  '仑伐替尼胶囊',
  '帕博利珠单抗',
  '信迪利单抗',
  '奥拉帕利片',
  '伊布替尼胶囊',
  '达格列净片',
  '司美格鲁肽',
  '曲妥珠单抗',
  '贝伐珠单抗',
] as const;

export interface HistoricClaim {
  claimId: string;
  at: Instant;
  claimedFen: number;
}

/** A claim that the version can take; null where it has nothing that claims are made of. */
function inputOf(spec: VersionSpec, day: Day, at: Instant, boxes: number, pick: number, early: boolean): AdjudicationInput | null {
  const benefit = spec.benefits.find(({ formularyId }) => formularyId !== null);
  const list = spec.formularies.find(({ formularyId }) => formularyId === benefit?.formularyId);
  const drug = list?.lines[pick % Math.max(1, Math.min(12, list.lines.length))];
  const plan = spec.plans[0];
  const claimType = benefit?.claimTypes[0];
  if (!benefit || !drug || !plan || !claimType) return null;
  const unitPriceFen = drug.maxUnitPriceFen ?? 180_000;
  const start = `${day.slice(0, 4)}-01-01`;
  return {
    at,
    stage: 'CLAIM',
    claim: {
      // One of the version's own.
      claimType: claimType as ClaimType,
      submittedOn: day,
      firstDiagnosedOn: plusDays(start, 100) <= day ? plusDays(start, 95) : plusDays(start, -100),
      icd10: [drug.icd10Prefixes[0] ?? 'C34'],
      hospitalId: null,
      hospitalInScope: true,
      materials: ['PRESCRIPTION', 'DIAGNOSIS', 'GENE_TEST'],
      socialPaidFen: null,
      otherPaidFen: null,
    },
    cover: {
      planCode: plan.planCode,
      coverageStart: start,
      coverageEnd: `${day.slice(0, 4)}-12-31`,
      continuousFrom: plusDays(start, -365),
      hasSocial: true,
      preExistingIcd: [],
      personId: `h${pick}`,
      familySubjectId: null,
    },
    lines: [
      {
        lineNo: 1,
        medicineId: drug.medicineId,
        serviceDate: plusDays(day, -3) < start ? day : plusDays(day, -3),
        qtyMilli: boxes * 1000,
        unitPriceFen,
        amountFen: boxes * unitPriceFen,
        socialSettled: true,
        socialPaidFen: Math.round(boxes * unitPriceFen * 0.5),
        otherPaidFen: null,
        monthsSinceFirstDose: 2,
        facts: {
          'line.earlyRefillDays': early ? '12' : '0',
          'line.qty30d': '0',
          'line.qty90d': String(boxes * 2),
          'line.sinceLastDays': '30',
          'line.doseFactor': '1',
        },
      },
    ],
    balances: {},
    countedDays: {},
    facts: {},
    overrides: [],
  };
}

function cutsOf(result: AdjudicationResult): Record<string, number> {
  const cuts: Record<string, number> = {};
  for (const { steps } of result.lines) for (const { code, cut } of steps) if (cut > 0) cuts[code] = (cuts[code] ?? 0) + cut;
  return cuts;
}

/** Claims, applications and premium of two years: figures without records behind them. */
export async function writeHistory(stage: Stage): Promise<HistoricClaim[]> {
  const { tx, today, now, random } = stage;
  const { rows: products } = await sql<DemoProductRow>`
    select distinct on (p.id) p.id::text, p.product_code, p.product_line, p.insurer_id::text, v.id::text as version_id
      from insurance_product p
      join insurance_product_version v on v.product_id = p.id
      where v.state = 'PUBLISHED' and p.status <> 'DRAFT' and v.effective_from <= ${today}::date
      order by p.id, v.effective_from desc`.execute(tx);
  if (products.length === 0) return [];
  const specs = new Map<string, VersionSpec | null>();
  for (const { versionId } of products) specs.set(versionId, await specOf(tx, versionId));
  const story = products.find(({ productCode }) => productCode === STORY);
  let serial = 0;
  const next = () => String(FAR + BigInt((serial += 1)));
  const claims: Record<string, unknown>[] = [];
  const days: Record<string, unknown>[] = [];
  const drugs: Record<string, unknown>[] = [];
  const snapshots: Record<string, unknown>[] = [];
  const seen: HistoricClaim[] = [];

  const addClaim = (product: DemoProductRow, day: Day, early: boolean) => {
    const submittedAt = plusMs(startOfDay(day, '09:00'), random.int(0, 540) * 60_000);
    if (submittedAt >= now) return;
    const claimId = next();
    const waits = random.int(1, 12);
    const decidedAt = plusMs(submittedAt, waits * 86_400_000);
    const open = decidedAt >= plusMs(now, -86_400_000) || (day > plusDays(today, -45) && random.chance(0.04));
    const paidAt = plusMs(decidedAt, random.int(1, 6) * 86_400_000);
    const boxes = random.int(1, 4);
    const spec = specs.get(product.versionId) ?? null;
    const worked = day > plusDays(today, -WORKED_DAYS) && spec ? inputOf(spec, day, submittedAt, boxes, serial, early) : null;
    const result = worked && spec ? adjudicateOn(spec, [], worked) : null;
    const claimedFen = result?.claimedFen ?? random.int(20, 500) * 1000;
    const approved = result ? result.payableFen : random.chance(0.07) ? 0 : Math.round((claimedFen * random.int(28, 72)) / 100);
    const approvedFen = open ? 0 : approved;
    const paid = !open && approvedFen > 0 && paidAt < now;
    const paidFen = paid ? approvedFen : 0;
    const claimNo = `HIS${day.replaceAll('-', '')}${String(serial).padStart(6, '0')}`;
    const state = open ? random.pick(states) : paid ? 'PAID' : approvedFen === 0 ? 'CLOSED' : 'DECIDED';
    claims.push({
      claimId,
      claimNo,
      round: 1,
      insurerId: product.insurerId,
      productId: product.id,
      productVersionId: product.versionId,
      productLine: product.productLine,
      adcode: random.pick(places),
      state,
      open,
      submittedAt,
      decidedAt: open ? null : decidedAt,
      paidAt: paid ? paidAt : null,
      claimedFen,
      approvedFen,
      paidFen,
      reasonCodes: open
        ? []
        : result
          ? [...new Set(result.lines.flatMap(({ reasons }) => reasons.map(({ code }) => code)))]
          : [random.pick(reasonPool)],
      cuts: open ? {} : result ? cutsOf(result) : { W08: claimedFen - approvedFen },
      detailRound: open ? 0 : 1,
      workMinutes: open ? null : workMinutes(submittedAt, decidedAt),
      testUser: false,
      seq: open ? 1 : paid ? 3 : 2,
    });
    const at = (date: Day, openFen: number, seq: number, approvedNow: number, paidNow: number) =>
      days.push({ claimId, date, openFen, approvedFen: approvedNow, paidFen: paidNow, seq });
    at(day, claimedFen, 1, 0, 0);
    if (!open && dayOf(decidedAt) !== day) at(dayOf(decidedAt), 0, 2, approvedFen, 0);
    if (paid && dayOf(paidAt) !== dayOf(decidedAt)) at(dayOf(paidAt), 0, 3, approvedFen, paidFen);
    if (!open) {
      const line = result?.lines[0];
      const name = line && line.medicineName !== '' ? line.medicineName : random.pick(drugPool);
      drugs.push({
        claimId,
        medicineId: line?.medicineId ?? `his-${drugPool.indexOf(name as (typeof drugPool)[number])}`,
        medicineName: name,
        claimedFen,
        approvedFen,
      });
      if (result && worked)
        snapshots.push({
          claimId,
          round: 1,
          claimNo,
          insurerId: product.insurerId,
          productId: product.id,
          productVersionId: product.versionId,
          input: worked,
          result,
          decidedAt,
          paidFen: approvedFen,
        });
    }
    seen.push({ claimId, at: submittedAt, claimedFen });
  };

  const month = today.slice(0, 7);
  const lastMonth = plusDays(`${month}-01`, -1).slice(0, 7);
  for (let back = MONTHS; back >= 0; back -= 1) {
    const first = monthStart(month, back);
    const length = Number(plusDays(`${monthStart(month, back - 1)}`, -1).slice(8));
    for (let n = 0; n < CLAIMS_OF_MONTH; n += 1) {
      const product = random.pick(products);
      // The story's product has its own claims of last month.
      if (product === story && first.slice(0, 7) === lastMonth) continue;
      addClaim(product, plusDays(first, random.int(0, length - 1)), false);
    }
  }
  if (story) {
    const before = snapshots.length;
    const target = before + REPLAYED;
    for (let n = 0; snapshots.length < target && n < REPLAYED * 2; n += 1) {
      const place = snapshots.length - before;
      addClaim(story, plusDays(`${lastMonth}-01`, 1 + (n % 12)), place < EARLY);
    }
  }
  await bulk(tx, 'insurance_stat_claim', claims);
  await bulk(tx, 'insurance_stat_claim_day', days);
  await bulk(tx, 'insurance_stat_claim_drug', drugs);
  const ids = await reserve(tx, 'insurance_claim_snapshot', snapshots.length);
  await bulk(
    tx,
    'insurance_claim_snapshot',
    snapshots.map((row, at) => ({ id: ids[at]!, ...row })),
  );
  await writePeople(stage, products, next);
  return seen;
}

/** First day of the month so many months before. */
function monthStart(month: string, back: number): Day {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 - back;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
}

async function writePeople({ tx, today, now, random }: Stage, products: readonly DemoProductRow[], next: () => string): Promise<void> {
  const applies: Record<string, unknown>[] = [];
  const premium: Record<string, unknown>[] = [];
  const month = today.slice(0, 7);
  for (let back = MONTHS; back >= 0; back -= 1) {
    const first = monthStart(month, back);
    for (let n = 0; n < APPLIES_OF_MONTH; n += 1) {
      const product = random.pick(products);
      const day = plusDays(first, random.int(0, 27));
      const submittedAt = startOfDay(day, '10:30');
      if (submittedAt >= now) continue;
      const decidedAt = plusMs(submittedAt, random.int(1, 4) * 86_400_000);
      const decided = decidedAt < now;
      const passed = random.chance(0.88);
      const applyId = next();
      applies.push({
        applyId,
        applyNo: `HIS${day.replaceAll('-', '')}R${String(n).padStart(4, '0')}`,
        insuredItemId: applyId,
        insurerId: product.insurerId,
        productId: product.id,
        productLine: product.productLine,
        adcode: random.pick(places),
        state: decided ? (passed ? 'APPROVED' : 'REJECTED') : 'SUBMITTED',
        submittedAt,
        decidedAt: decided ? decidedAt : null,
        firstRoundPass: decided ? passed && random.chance(0.8) : null,
        testUser: false,
        seq: decided ? 2 : 1,
      });
    }
    for (const product of products) {
      const id = next();
      premium.push({
        premiumOrderId: id,
        policyId: id,
        insurerId: product.insurerId,
        productId: product.id,
        productLine: product.productLine,
        adcode: random.pick(places),
        coverageStart: first,
        coverageEnd: plusDays(first, 364),
        amountFen: random.int(4_000_000, 10_000_000),
        reversed: false,
        seq: 1,
      });
    }
  }
  await bulk(tx, 'insurance_stat_enrolment', applies);
  await bulk(tx, 'insurance_stat_premium', premium);
}

export { STORY };
