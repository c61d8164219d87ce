import { describe, expect, it } from 'vitest';
import { chooseSuppliers, faultOf, faultText, freightOf, type AppliedRule, type Candidate, type Need } from './allocation.ts';

const need = (quantity: number, goodsCode = 'G1', coldChain = false): Need => ({ orderLineId: goodsCode, goodsCode, quantity, coldChain });
const supplier = (supplierId: string, stock: Readonly<Record<string, number>>, more: Partial<Candidate> = {}): Candidate => ({
  supplierId,
  supplierName: `药房${supplierId}`,
  isEnabled: true,
  isPaused: false,
  isExpired: false,
  coversRegion: true,
  coldChainCapable: true,
  capacityLeft: null,
  hasRefused: false,
  offers: Object.entries(stock).map(([goodsCode, available]) => ({
    goodsCode,
    medicineId: goodsCode,
    available,
    supplyPriceFen: 1_000,
    weightGram: 500,
  })),
  freight: { firstFen: 1_200, stepFen: 300, freeFromFen: null },
  assignedThisMonth: 0,
  distanceM: null,
  ...more,
});
const rule = (more: Partial<AppliedRule> = {}): AppliedRule => ({
  ruleCode: null,
  ruleVersion: null,
  strategy: 'PRIORITY',
  candidates: null,
  allowSplit: true,
  maxSplit: 3,
  ...more,
});
const chosen = (...given: Parameters<typeof chooseSuppliers>) =>
  chooseSuppliers(...given).parts?.map(
    ({ supplierId, lines }) => `${supplierId}:${lines.map((line) => `${line.goodsCode}×${line.quantity}`).join(',')}`,
  ) ?? null;

describe('why a supplier cannot bring an order', () => {
  it('is the first reason in the order of the filters', () => {
    const all: Partial<Candidate> = {
      isEnabled: false,
      isPaused: true,
      isExpired: true,
      coversRegion: false,
      offers: [],
      coldChainCapable: false,
      capacityLeft: 0,
      hasRefused: true,
    };
    const mended: Partial<Candidate>[] = [
      { isEnabled: true },
      { isPaused: false },
      { isExpired: false },
      { coversRegion: true },
      { offers: supplier('1', { G1: 1 }).offers },
      { coldChainCapable: true },
      { offers: supplier('1', { G1: 2 }).offers },
      { capacityLeft: 1 },
      { hasRefused: false },
    ];
    let candidate = supplier('1', {}, all);
    const told = mended.map((mend) => {
      const fault = faultOf(candidate, [need(2, 'G1', true)]);
      candidate = { ...candidate, ...mend };
      return fault;
    });
    expect(told).toEqual([
      'NOT_ENABLED',
      'PAUSED',
      'LICENCE_EXPIRED',
      'NOT_COVERED',
      'NOT_SUPPLIED',
      'NO_COLD_CHAIN',
      'STOCK_SHORT',
      'CAPACITY_FULL',
      'REFUSED',
    ]);
    expect(faultOf(candidate, [need(2, 'G1', true)])).toBeNull();
    const { parts, verdicts } = chooseSuppliers(rule(), [supplier('2', { G1: 1 }), supplier('3', {})], [need(2)]);
    expect([parts, faultText(verdicts)]).toEqual([null, '药房2库存不足；药房3不供应该药品']);
  });
});

describe('who brings an order', () => {
  it('costs what the first and each further kilogram do, or nothing from an amount on', () => {
    const freight = { firstFen: 1_200, stepFen: 300, freeFromFen: 100_000 };
    expect(freightOf(freight, 99_999, 2_300)).toBe(1_800);
    expect(freightOf(freight, 100_000, 2_300)).toBe(0);
    expect(freightOf(freight, 1, 0)).toBe(1_200);
  });

  it('is the one of the strategy, the lower number among equals', () => {
    const [a, b] = [supplier('9', { G1: 5 }), supplier('10', { G1: 5 })];
    expect(chosen(rule(), [b, a], [need(2)])).toEqual(['9:G1×2']);
    const told = [
      { supplierId: '9', priority: 2, weightPct: 70 },
      { supplierId: '10', priority: 1, weightPct: 30 },
    ];
    expect(chosen(rule({ candidates: told }), [a, b], [need(2)])).toEqual(['10:G1×2']);
    const priced = (one: Candidate, supplyPriceFen: number, freeFromFen: number | null): Candidate => ({
      ...one,
      offers: one.offers.map((offer) => ({ ...offer, supplyPriceFen, weightGram: null })),
      freight: { firstFen: 1_200, stepFen: 300, freeFromFen },
    });
    const byCost = rule({ strategy: 'LOWEST_COST' });
    expect(chosen(byCost, [priced(a, 98_000, null), priced(b, 98_500, 100_000)], [need(2)])).toEqual(['10:G1×2']);
    const near = rule({ strategy: 'NEAREST' });
    expect(
      chosen(
        near,
        [
          { ...a, distanceM: 1_010 },
          { ...b, distanceM: 1_090 },
        ],
        [need(2)],
      ),
    ).toEqual(['9:G1×2']);
    expect(
      chosen(
        near,
        [
          { ...a, distanceM: 1_110 },
          { ...b, distanceM: 1_090 },
        ],
        [need(2)],
      ),
    ).toEqual(['10:G1×2']);
    expect(chosen(rule({ strategy: 'FIXED', candidates: told }), [a, { ...b, isEnabled: false }], [need(2)])).toBeNull();
  });

  it('gets its share of a thousand orders', () => {
    const byWeight = rule({
      strategy: 'WEIGHTED',
      candidates: [
        { supplierId: '1', priority: 1, weightPct: 70 },
        { supplierId: '2', priority: 1, weightPct: 30 },
      ],
    });
    const taken = { '1': 0, '2': 0 };
    for (let at = 0; at < 1_000; at += 1) {
      const all = (['1', '2'] as const).map((id) => supplier(id, { G1: 5 }, { assignedThisMonth: taken[id] }));
      const [part] = chooseSuppliers(byWeight, all, [need(1)]).parts!;
      taken[part!.supplierId === '1' ? '1' : '2'] += 1;
    }
    expect(Math.abs(taken['1'] - 700)).toBeLessThanOrEqual(1);
  });

  it('are several together where nobody has all of it, as few as may be', () => {
    const [a, b, c] = [supplier('1', { G1: 1 }), supplier('2', { G1: 1, G2: 3 }), supplier('3', { G3: 1 })];
    expect(chosen(rule(), [a, b], [need(2)])).toEqual(['1:G1×1', '2:G1×1']);
    expect(chosen(rule(), [a, b, c], [need(1), need(3, 'G2'), need(1, 'G3')])).toEqual(['2:G1×1,G2×3', '3:G3×1']);
    expect(chosen(rule({ allowSplit: false }), [a, b], [need(2)])).toBeNull();
    expect(chosen(rule({ maxSplit: 1 }), [a, b], [need(2)])).toBeNull();
    expect(chosen(rule(), [a, { ...b, hasRefused: true }], [need(2)])).toBeNull();
  });
});
