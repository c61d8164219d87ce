import type { PriceType } from '../../contract/dictionaries.ts';
import { sql } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import type { Difference } from '#kernel/server/context.ts';
import type { ApplyRow } from '../../contract/calls/applies.ts';
import {
  approvalKinds,
  controlClasses,
  dosageForms,
  medicineKinds,
  priceTypes,
  rxClasses,
  storages,
  taxSchemes,
} from '../../contract/dictionaries.ts';
import { provinceName } from '../../contract/provinces.ts';
import { medicineLabels, type MedicineField } from '../../contract/rules/medicineFields.ts';
import type { PharmaDb } from '../database.ts';

export interface PricePayload {
  skuId: string;
  goodsCode: string;
  packSpec: string;
  priceType: PriceType;
  provinceAdcode: string;
  priceFen: number;
  effectiveFrom: string;
  reason: string;
}

/** @param sight what the asking role sees of prices: an apply for one tells it */
export const applies = (db: PharmaDb, sight: { market: boolean; supply: boolean }) =>
  db
    .selectFrom('pharmaMedicineApply as a')
    .innerJoin('pharmaMedicine as m', 'm.id', 'a.medicineId')
    .$if(!sight.market, (query) => query.where('a.applyType', '<>', 'PRICE'))
    .$if(sight.market && !sight.supply, (query) =>
      query.where(sql<boolean>`not (a.apply_type = 'PRICE' and a.payload ->> 'priceType' = 'SUPPLY')`),
    );

export const applyColumns = (rows: ReturnType<typeof applies>) =>
  rows.selectAll('a').select(['m.medicineNo', 'm.genericName', 'm.strength', 'm.state as medicineState']);

type Stored = Awaited<ReturnType<ReturnType<typeof applyColumns>['executeTakeFirstOrThrow']>>;

const dictionaries: Partial<Record<string, { label(code: string): string }>> = {
  medicineKind: medicineKinds,
  rxClass: rxClasses,
  dosageForm: dosageForms,
  storage: storages,
  controlClass: controlClasses,
  taxScheme: taxSchemes,
  approvalKind: approvalKinds,
};

const shown = (field: string, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (field === 'taxRateBp' && typeof value === 'number') return `${value / 100}%`;
  if (Array.isArray(value))
    return value
      .map((entry: { text?: string; icd10Prefixes?: string[] }) => `${entry.text ?? ''}（${entry.icd10Prefixes?.join('、') ?? ''}）`)
      .join('；');
  return typeof value === 'string' ? (dictionaries[field]?.label(value) ?? value) : value;
};

function differences(row: Stored): Difference[] {
  // Written by openApply in these shapes.
  const payload = row.payload as Record<string, unknown>;
  const before = row.before as Record<string, unknown>;
  if (row.applyType === 'PRICE') {
    const price = row.payload as PricePayload;
    const old = before['priceFen'];
    return [
      { path: 'goods', label: '商品', before: null, after: `${price.goodsCode} ${price.packSpec}` },
      {
        path: 'priceFen',
        label: `${priceTypes.label(price.priceType)}${price.provinceAdcode ? `（${provinceName(price.provinceAdcode)}）` : ''}`,
        before: typeof old === 'number' ? yuan(old, true) : null,
        after: yuan(price.priceFen, true),
      },
      { path: 'effectiveFrom', label: '生效日期', before: null, after: price.effectiveFrom },
      { path: 'reason', label: '调价原因', before: null, after: price.reason },
    ];
  }
  if (row.applyType === 'ON') return [{ path: 'state', label: '状态', before: '已下架', after: '已上架' }];
  return Object.keys(payload).map((field) => ({
    path: field,
    label: medicineLabels[field as MedicineField] ?? field,
    before: shown(field, before[field]),
    after: shown(field, payload[field]),
  }));
}

export const presentApply = (row: Stored, userId: string): ApplyRow => ({
  id: row.id,
  applyNo: row.applyNo,
  applyType: row.applyType,
  medicineId: row.medicineId,
  medicineNo: row.medicineNo,
  genericName: row.genericName,
  strength: row.strength,
  differences: differences(row),
  makerId: row.makerId,
  makerName: row.makerName,
  checkerId: row.checkerId,
  checkerName: row.checkerName,
  opinion: row.opinion,
  createdAt: row.createdAt,
  decidedAt: row.decidedAt,
  state: row.state,
  version: row.version,
  own: row.makerId === userId,
});
