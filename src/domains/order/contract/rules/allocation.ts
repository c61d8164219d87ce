import { dictionary } from '#kernel/contract/dictionary.ts';

export const strategies = dictionary('order.allocationStrategy', {
  FIXED: '指定供应商',
  PRIORITY: '优先级',
  NEAREST: '就近',
  LOWEST_COST: '成本最低',
  WEIGHTED: '按比例',
});
type Strategy = (typeof strategies.codes)[number];

/** Why a supplier cannot bring an order by itself; the first that holds is told. */
export const supplierFaults = dictionary('order.supplierFault', {
  NOT_ENABLED: '未启用',
  PAUSED: '停接时段',
  LICENCE_EXPIRED: '证照过期',
  NOT_COVERED: '不覆盖地区',
  NOT_SUPPLIED: '不供应该药品',
  NO_COLD_CHAIN: '无冷链能力',
  STOCK_SHORT: '库存不足',
  CAPACITY_FULL: '产能已满',
  REFUSED: '本单已拒单',
});
type SupplierFault = (typeof supplierFaults.codes)[number];

export const allocationTriggers = dictionary('order.allocationTrigger', { AUTO: '自动', MANUAL: '人工', REALLOC: '重新分配' });
export type Trigger = (typeof allocationTriggers.codes)[number];

/** What of an order still has no supplier. */
export interface Need {
  orderLineId: string;
  goodsCode: string;
  quantity: number;
  coldChain: boolean;
}
/** Goods of a supplier that are on sale. */
export interface Offer {
  goodsCode: string;
  medicineId: string;
  available: number;
  supplyPriceFen: number;
  weightGram: number | null;
}
export interface Freight {
  firstFen: number;
  stepFen: number;
  /** Null: never free. */
  freeFromFen: number | null;
}
/** A supplier as it stands when an order is allocated. */
export interface Candidate {
  supplierId: string;
  supplierName: string;
  isEnabled: boolean;
  isPaused: boolean;
  isExpired: boolean;
  coversRegion: boolean;
  coldChainCapable: boolean;
  /** Parts that it may still take today; null: no limit. */
  capacityLeft: number | null;
  hasRefused: boolean;
  offers: readonly Offer[];
  freight: Freight;
  assignedThisMonth: number;
  /** Null: unknown. */
  distanceM: number | null;
}
interface RuleCandidate {
  supplierId: string;
  priority: number;
  weightPct: number;
}
/** How suppliers are chosen; the conditions of a rule are asked before. */
export interface AppliedRule {
  ruleCode: string | null;
  ruleVersion: number | null;
  strategy: Strategy;
  /** Null: all suppliers, the lower id first. */
  candidates: readonly RuleCandidate[] | null;
  allowSplit: boolean;
  maxSplit: number;
}

interface PartLine {
  orderLineId: string;
  goodsCode: string;
  medicineId: string;
  quantity: number;
  supplyPriceFen: number;
}
export interface Part {
  supplierId: string;
  supplierName: string;
  lines: readonly PartLine[];
  supplyFen: number;
  freightFen: number;
}
export interface Verdict {
  supplierId: string;
  supplierName: string;
  /** Null: it can bring all of it. */
  fault: SupplierFault | null;
  /** Of the strategy, lower is better; null: it was not asked. */
  score: number | null;
  isChosen: boolean;
}
export interface Choice {
  /** Null: nobody brings all of it. */
  parts: readonly Part[] | null;
  verdicts: readonly Verdict[];
}

/** Grams of goods whose weight nobody told. */
const UNKNOWN_GRAM = 0;
/** What the platform pays a supplier for sending goods of this worth and weight. */
export function freightOf({ firstFen, stepFen, freeFromFen }: Freight, goodsFen: number, grams: number): number {
  if (freeFromFen !== null && goodsFen >= freeFromFen) return 0;
  return firstFen + stepFen * (Math.max(1, Math.ceil(grams / 1_000)) - 1);
}

const offerOf = ({ offers }: Candidate, { goodsCode }: Need) => offers.find((offer) => offer.goodsCode === goodsCode);
/** How many of a line a supplier can bring. */
function coverable(candidate: Candidate, need: Need): number {
  if (need.coldChain && !candidate.coldChainCapable) return 0;
  return Math.min(need.quantity, Math.max(0, offerOf(candidate, need)?.available ?? 0));
}

/** Faults of the supplier itself, whatever it is to bring. */
function ownFault({ isEnabled, isPaused, isExpired, coversRegion }: Candidate): SupplierFault | null {
  if (!isEnabled) return 'NOT_ENABLED';
  if (isPaused) return 'PAUSED';
  if (isExpired) return 'LICENCE_EXPIRED';
  return coversRegion ? null : 'NOT_COVERED';
}
/** Faults that stand whichever of the lines it is to bring. @param ignoreCapacity a person may load it further */
const laterFault = ({ capacityLeft, hasRefused }: Candidate, ignoreCapacity: boolean): SupplierFault | null => {
  if (!ignoreCapacity && capacityLeft !== null && capacityLeft <= 0) return 'CAPACITY_FULL';
  return hasRefused ? 'REFUSED' : null;
};

/** The first reason for which a supplier cannot bring all that is needed; null: it can. */
export function faultOf(candidate: Candidate, needs: readonly Need[], { ignoreCapacity = false } = {}): SupplierFault | null {
  const own = ownFault(candidate);
  if (own) return own;
  if (needs.some((need) => !offerOf(candidate, need))) return 'NOT_SUPPLIED';
  if (!candidate.coldChainCapable && needs.some(({ coldChain }) => coldChain)) return 'NO_COLD_CHAIN';
  if (needs.some((need) => coverable(candidate, need) < need.quantity)) return 'STOCK_SHORT';
  return laterFault(candidate, ignoreCapacity);
}

function partOf(candidate: Candidate, lines: readonly { need: Need; quantity: number }[]): Part {
  const made = lines.map(({ need, quantity }): PartLine => {
    const offer = offerOf(candidate, need)!;
    return { ...need, quantity, medicineId: offer.medicineId, supplyPriceFen: offer.supplyPriceFen };
  });
  const supplyFen = made.reduce((sum, line) => sum + line.supplyPriceFen * line.quantity, 0);
  const grams = lines.reduce((sum, { need, quantity }) => sum + (offerOf(candidate, need)!.weightGram ?? UNKNOWN_GRAM) * quantity, 0);
  return {
    supplierId: candidate.supplierId,
    supplierName: candidate.supplierName,
    lines: made.map(({ orderLineId, goodsCode, medicineId, quantity, supplyPriceFen }) => ({
      orderLineId,
      goodsCode,
      medicineId,
      quantity,
      supplyPriceFen,
    })),
    supplyFen,
    freightFen: freightOf(candidate.freight, supplyFen, grams),
  };
}
/** A part that a person chose. */
export const chosenPart = (candidate: Candidate, needs: readonly Need[]): Part =>
  partOf(
    candidate,
    needs.map((need) => ({ need, quantity: need.quantity })),
  );

const lowerId = (a: { supplierId: string }, b: { supplierId: string }) => (BigInt(a.supplierId) < BigInt(b.supplierId) ? -1 : 1);
/** Hundreds of metres, rounded up. */
const roundedDistance = (metres: number) => Math.ceil(metres / 100) * 100;

function scoreOf(rule: AppliedRule, candidate: Candidate, part: Part): number {
  const listed = rule.candidates?.find(({ supplierId }) => supplierId === candidate.supplierId);
  const priority = listed?.priority ?? 0;
  switch (rule.strategy) {
    case 'LOWEST_COST':
      return part.supplyFen + part.freightFen;
    case 'WEIGHTED':
      return listed && listed.weightPct > 0 ? (candidate.assignedThisMonth + 1) / listed.weightPct : Number.MAX_SAFE_INTEGER;
    case 'NEAREST':
      return candidate.distanceM === null ? Number.MAX_SAFE_INTEGER : roundedDistance(candidate.distanceM);
    default:
      return priority;
  }
}

/** Those that a rule asks, by id. */
function asked({ candidates, strategy }: AppliedRule, all: readonly Candidate[]): Candidate[] {
  if (candidates === null) return all.toSorted(lowerId);
  const byPriority = candidates.toSorted((a, b) => a.priority - b.priority || lowerId(a, b));
  const named = new Set((strategy === 'FIXED' ? byPriority.slice(0, 1) : byPriority).map(({ supplierId }) => supplierId));
  return all.filter(({ supplierId }) => named.has(supplierId)).toSorted(lowerId);
}

interface Bid {
  candidate: Candidate;
  part: Part;
  lines: number;
  pieces: number;
  score: number;
}
/** The supplier that brings most lines whole, then most pieces, then by the strategy. */
function bestBid(rule: AppliedRule, free: readonly Candidate[], left: readonly Need[]): Bid | undefined {
  return free
    .flatMap((candidate): Bid[] => {
      const lines = left.map((need) => ({ need, quantity: coverable(candidate, need) })).filter(({ quantity }) => quantity > 0);
      if (lines.length === 0) return [];
      const part = partOf(candidate, lines);
      return [
        {
          candidate,
          part,
          lines: lines.filter(({ need, quantity }) => quantity === need.quantity).length,
          pieces: lines.reduce((sum, { quantity }) => sum + quantity, 0),
          score: scoreOf(rule, candidate, part),
        },
      ];
    })
    .toSorted((a, b) => b.lines - a.lines || b.pieces - a.pieces || a.score - b.score || lowerId(a.candidate, b.candidate))[0];
}

/** Parts of several suppliers that bring all of it; null: even together they do not. */
function split(rule: AppliedRule, suppliers: readonly Candidate[], needs: readonly Need[]): Part[] | null {
  const free = suppliers.filter((candidate) => !ownFault(candidate) && !laterFault(candidate, false));
  const parts: Part[] = [];
  let left = [...needs];
  while (left.length > 0 && parts.length < rule.maxSplit) {
    const bid = bestBid(
      rule,
      free.filter(({ supplierId }) => parts.every((part) => part.supplierId !== supplierId)),
      left,
    );
    if (!bid) return null;
    parts.push(bid.part);
    const brought = new Map(bid.part.lines.map((line) => [line.orderLineId, line.quantity]));
    left = left
      .map((need) => ({ ...need, quantity: need.quantity - (brought.get(need.orderLineId) ?? 0) }))
      .filter(({ quantity }) => quantity > 0);
  }
  return left.length === 0 ? parts : null;
}

/** Who brings what of an order (R4). */
export function chooseSuppliers(rule: AppliedRule, all: readonly Candidate[], needs: readonly Need[]): Choice {
  const suppliers = asked(rule, all);
  const judged = suppliers.map((candidate) => {
    const fault = faultOf(candidate, needs);
    const part = fault === null ? chosenPart(candidate, needs) : null;
    return { candidate, fault, part, score: part && scoreOf(rule, candidate, part) };
  });
  const whole = judged.filter(({ part }) => part !== null).toSorted((a, b) => a.score! - b.score! || lowerId(a.candidate, b.candidate))[0];
  const parts = whole?.part ? [whole.part] : rule.allowSplit ? split(rule, suppliers, needs) : null;
  const chosen = new Set((parts ?? []).map(({ supplierId }) => supplierId));
  return {
    parts,
    verdicts: judged
      .map(({ candidate: { supplierId, supplierName }, fault, score }) => ({
        supplierId,
        supplierName,
        fault,
        score,
        isChosen: chosen.has(supplierId),
      }))
      .toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen) || (a.score ?? Infinity) - (b.score ?? Infinity) || lowerId(a, b)),
  };
}

/** Why nobody brings an order, supplier by supplier. */
export const faultText = (verdicts: readonly Pick<Verdict, 'supplierName' | 'fault'>[]): string =>
  verdicts.length === 0
    ? '没有供应商'
    : verdicts.map(({ supplierName, fault }) => `${supplierName}${fault === null ? '' : supplierFaults.label(fault)}`).join('；');
