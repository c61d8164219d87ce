import { sql } from 'kysely';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { namedMedicines, type MedicineNamed } from '#domains/pharma/server/index.ts';
import type { SocialCategory } from '../../contract/formulary/dictionaries.ts';
import { formularyHash } from '../formulary/lines.ts';
import type { Stage } from './stage.ts';

interface Indication {
  code: string;
  text: string;
  icd10: readonly string[];
  gene?: string;
}

const lung: Indication = { code: 'NSCLC-EGFR', text: 'EGFR突变的非小细胞肺癌', icd10: ['C34'], gene: 'EGFR 19del/L858R' };
const second: Indication = { code: 'NSCLC-ADJ', text: '非小细胞肺癌术后辅助治疗', icd10: ['C34'] };
const solid: Indication = { code: 'SOLID', text: '说明书所列实体肿瘤', icd10: Array.from({ length: 10 }, (_none, no) => `C${no}`) };
const chronic: Indication = { code: 'CHRONIC', text: '说明书所列慢性疾病', icd10: [] };

export interface DemoLists {
  lists: Readonly<Record<ListKey, { id: string; versions: readonly string[] }>>;
  /** Medicines that the demonstration's claims are about. */
  drugs: { osimertinib: string; anlotinib: string; chronic: string };
}
export type ListKey = 'TY' | 'HMB' | 'HMO' | 'EFF';

interface ListPlan {
  key: ListKey;
  code: string;
  name: string;
  lines: number;
  /** Of each version: from and to, its state, by how much caps lie below the first's, in percent. */
  versions: readonly {
    from: (year: number) => Day;
    to?: (year: number) => Day;
    state: 'PUBLISHED' | 'DRAFT' | 'PENDING_AUDIT';
    cheaper?: number;
  }[];
}

const yearStart = (offset: number) => (year: number) => `${year + offset}-01-01`;
const yearEnd = (offset: number) => (year: number) => `${year + offset}-12-31`;

const plans: readonly ListPlan[] = [
  {
    key: 'TY',
    code: 'TY-LIST',
    name: '特药目录',
    lines: 86,
    versions: [
      { from: yearStart(-1), to: yearEnd(-1), state: 'PUBLISHED' },
      { from: yearStart(0), state: 'PUBLISHED' },
      { from: yearStart(1), state: 'DRAFT', cheaper: 5 },
    ],
  },
  {
    key: 'HMB',
    code: 'HMB-LIST',
    name: '惠民保特药目录',
    lines: 38,
    versions: [
      { from: yearStart(-1), state: 'PUBLISHED' },
      { from: yearStart(1), state: 'PENDING_AUDIT', cheaper: 3 },
    ],
  },
  {
    key: 'HMO',
    code: 'HMO-LIST',
    name: 'HMO药品目录',
    lines: 120,
    versions: [
      { from: yearStart(-1), to: yearEnd(-1), state: 'PUBLISHED' },
      { from: yearStart(0), state: 'PUBLISHED', cheaper: 2 },
    ],
  },
  {
    key: 'EFF',
    code: 'EFF-LIST',
    name: '疗效险药品目录',
    lines: 3,
    versions: [
      { from: yearStart(-1), state: 'PUBLISHED' },
      { from: yearStart(1), state: 'DRAFT' },
    ],
  },
];

/** Medicines of the catalogue, those of the stories first. */
async function catalogue({ tx }: Stage): Promise<{ all: MedicineNamed[]; drugs: DemoLists['drugs'] } | null> {
  const { rows } = await sql<{ id: string }>`select id::text from pharma_medicine where state in ('ON', 'OFF') order by id`.execute(tx);
  const all = await namedMedicines(tx, { ids: rows.map(({ id }) => id) });
  const named = (name: string) => all.find(({ genericName }) => genericName.includes(name));
  const osimertinib = named('奥希替尼');
  const anlotinib = named('安罗替尼') ?? all.find((one) => one !== osimertinib);
  const slow = named('二甲双胍') ?? named('氨氯地平') ?? all.at(-1);
  if (!osimertinib || !anlotinib || !slow) return null;
  const first = new Set([osimertinib, anlotinib, slow]);
  return {
    all: [...first, ...all.filter((one) => !first.has(one))],
    drugs: { osimertinib: osimertinib.medicineId, anlotinib: anlotinib.medicineId, chronic: slow.medicineId },
  };
}

/** Pairs of medicine and indication of a list, as many as it has lines. */
function pairsOf(plan: ListPlan, medicines: readonly MedicineNamed[]): [MedicineNamed, Indication][] {
  const pairs: [MedicineNamed, Indication][] = [];
  for (const round of [0, 1, 2]) {
    for (const [at, medicine] of medicines.entries()) {
      if (pairs.length >= plan.lines) return pairs;
      const general = plan.key === 'HMO' ? chronic : solid;
      const own =
        at === 0 ? [lung, second] : at === 1 ? [{ ...solid, code: 'NSCLC', text: '晚期非小细胞肺癌', icd10: ['C34'] }] : [general];
      const indication =
        own[round] ??
        (round > 0 && at > 2 ? { ...general, code: `${general.code}-${round}`, text: `${general.text}（扩展${round}）` } : undefined);
      if (indication) pairs.push([medicine, indication]);
    }
  }
  return pairs;
}

const social: readonly SocialCategory[] = ['NEGOTIATED', 'INSIDE', 'OUTSIDE', 'INSIDE'];

/** Drug lists of the demonstration with their versions. @returns null where the product has no medicines */
export async function writeLists(stage: Stage): Promise<DemoLists | null> {
  const { tx, now, year, maker, checker, random } = stage;
  const found = await catalogue(stage);
  if (!found) return null;
  const timestamps = createdColumns({ now, userId: maker.id });
  const listIds = await reserve(tx, 'insurance_formulary', plans.length);
  await bulk(
    tx,
    'insurance_formulary',
    plans.map(({ code, name }, at) => ({ id: listIds[at]!, formularyCode: code, name, insurerId: null, version: 1, ...timestamps })),
  );
  const made: Partial<Record<ListKey, { id: string; versions: string[] }>> = {};
  for (const [at, plan] of plans.entries()) {
    const formularyId = listIds[at]!;
    const versionIds = await reserve(tx, 'insurance_formulary_version', plan.versions.length);
    const pairs = pairsOf(plan, found.all);
    const prices = pairs.map((_pair, index) => (index === 0 ? 558_000 : index === 1 ? 123_457 : random.int(30, 900) * 1000));
    // One after another: a list has one version that is written.
    for (const [index, { from, to, state, cheaper = 0 }] of plan.versions.entries()) {
      const id = versionIds[index]!;
      await bulk(tx, 'insurance_formulary_version', [
        {
          id,
          formularyId,
          versionNo: index + 1,
          effectiveFrom: from(year),
          effectiveTo: to?.(year) ?? null,
          gapNote: '',
          changeNote: '',
          state: 'DRAFT',
          version: 1,
          ...timestamps,
        },
      ]);
      const rows = pairs.map(([medicine, indication], place) => {
        const capped = place > 2 && place % 3 === 0;
        return {
          formularyVersionId: id,
          medicineId: medicine.medicineId,
          medicineNo: medicine.medicineNo,
          genericName: medicine.genericName,
          brandName: medicine.brandName ?? '',
          spec: medicine.spec ?? '',
          manufacturer: medicine.manufacturer ?? '',
          indicationCode: indication.code,
          indicationText: indication.text,
          icd10Prefixes: indication.icd10,
          lineOfTherapy: indication === second ? '辅助' : '',
          geneRequirement: indication.gene ?? '',
          socialCategory: place < 3 ? 'INSIDE' : social[place % social.length],
          maxUnitPriceFen: place === 0 && cheaper > 0 ? 530_000 : capped ? Math.round((prices[place]! * (100 - cheaper)) / 100) : null,
          agreementPrices:
            place % 11 === 4 ? [{ chainId: '*', priceFen: Math.round(prices[place]! * 0.92), from: `${year}-01-01`, to: null }] : [],
          maxQtyPerClaimMilli: place > 2 && place % 5 === 0 ? 3000 : null,
          maxQtyPerDaysMilli: place % 13 === 6 ? 2000 : null,
          maxQtyDays: place % 13 === 6 ? 30 : null,
          minIntervalDays: place > 2 && place % 9 === 0 ? 21 : null,
          dailyDoseMilli: null,
          charityPayMonths: place % 17 === 8 ? 4 : null,
          charityFreeMonths: place % 17 === 8 ? 8 : null,
          directPay: place % 10 !== 9,
          version: 1,
          ...timestamps,
        };
      });
      const ids = await reserve(tx, 'insurance_formulary_line', rows.length);
      await bulk(
        tx,
        'insurance_formulary_line',
        rows.map((row, place) => ({ id: ids[place]!, ...row })),
      );
      if (state === 'DRAFT') continue;
      const contentHash = await formularyHash(tx, { id, formularyId, versionNo: index + 1, effectiveFrom: from(year), gapNote: '' });
      await stage.publish('insurance_formulary_version', 'insurance.formularyVersion', id, {
        state,
        contentHash,
        on: plusDays(from(year), -20),
        note: index === 0 ? '新目录' : '年度目录调整',
        closes: index > 0 && state === 'PUBLISHED' ? versionIds[index - 1]! : null,
        checker,
      });
    }
    made[plan.key] = { id: formularyId, versions: versionIds };
  }
  return { lists: { TY: made.TY!, HMB: made.HMB!, HMO: made.HMO!, EFF: made.EFF! }, drugs: found.drugs };
}
