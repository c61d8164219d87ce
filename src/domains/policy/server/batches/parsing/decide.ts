import { setImmediate as breathe } from 'node:timers/promises';
import { firstCharacters } from '#kernel/contract/plainText.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { HIDDEN_ROW } from '#kernel/server/importing/checkTable.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { idNoHash, mobileColumns } from '#domains/patient/server/index.ts';
import { listTargets, type ListTarget } from '../../../contract/batchDictionaries.ts';
import type { CoverChange, Slice } from '../../../contract/rules/cover.ts';
import { decideRow, rowLeaves, type RowNote, type RowWish } from '../../../contract/rules/decideRow.ts';
import { opOfMode, type Layout } from '../../../contract/rules/template.ts';
import type { PolicyRecord } from '../../access.ts';
import { liveSlices } from '../../cover/live.ts';
import { rateOf } from '../../endorsements/persons.ts';
import { linesOf, sumOf, termsOf, type OrderLine } from '../../premium/lines.ts';
import { idNoColumns, personKeyOf } from '../../sensitive.ts';
import { isLiveContract, isOpenClaim, isPaidClaim, usesOf, type CoverUse } from '../../uses/uses.ts';
import {
  coversIn,
  dependantsOf,
  earlierRows,
  knownPersons,
  mobileSharers,
  otherNames,
  personPlace,
  type KnownPerson,
  type Lookups,
  type PolicyFault,
} from './lookups.ts';
import type { RawCells, RowFacts, RowFault } from '../../templates/readRow.ts';
import type { BatchRecord } from '../records.ts';

/** A row as it was read, before anything is compared with what stands. */
export interface ReadRow {
  rowNo: number;
  raw: RawCells;
  /** Whoever looks at the sheet does not see it. */
  hidden?: boolean;
  facts: RowFacts;
  faults: readonly RowFault[];
}

/** A slice as a row keeps it. */
export interface KeptSlice {
  planCode: string;
  from: Day;
  to: Day;
  annualFen: string;
}
export interface KeptChange {
  write: KeptSlice[];
  supersede: (KeptSlice & { id: string })[];
}
export type KeptNote = Omit<RowFault, 'value'>;

/** Columns of a row that follow from what was read and from what stands. */
export interface DecidedRow {
  op: RowFacts['op'];
  policyId: string | null;
  personKey: string | null;
  idNoHash: string | null;
  name: string;
  planCode: string | null;
  effectiveOn: Day | null;
  leaveOn: Day | null;
  mainIdNoHash: string | null;
  premiumFen: bigint;
  result: 'ADD' | 'MODIFY' | 'REMOVE' | 'SAME' | 'ERROR';
  warnings: KeptNote[];
  errors: KeptNote[];
  backdated: boolean;
  insuredItemId: string | null;
  person: Record<string, unknown> | null;
  change: KeptChange | null;
  lines: Record<string, unknown>[] | null;
  firstDay: Day | null;
}

export interface Deciding {
  tx: Tx;
  secrets: Secrets;
  batch: BatchRecord;
  layout: Layout;
  lookups: Lookups;
  today: Day;
  /** Rows that are decided anew: they are no doubles of themselves. */
  besides?: readonly string[];
}

const kept = ({ planCode, from, to, annualFen }: Omit<Slice, 'id'>): KeptSlice => ({ planCode, from, to, annualFen: String(annualFen) });
export const keptChange = ({ write, supersede }: CoverChange): KeptChange => ({
  write: write.map(kept),
  supersede: supersede.map((slice) => ({ id: slice.id, ...kept(slice) })),
});
/** Lines as the order's statement reads them: by the names of its columns. */
export const keptLines = (lines: readonly OrderLine[]) =>
  lines.map((line) => ({
    plan_code: line.planCode,
    annual_premium_fen: String(line.annualFen),
    date_from: line.from,
    date_to: line.to,
    days: line.days,
    basis: line.basis,
    fee_fen: String(line.feeFen),
    amount_fen: String(line.amountFen),
    calc: line.calc,
  }));

/** What somebody is to his main insured, as a row leaves it. */
const relationOf = (facts: RowFacts, known: KnownPerson | null) => facts.relation ?? known?.relation ?? 'SELF';
/** The certificate of the main insured whom a row names; null: none, or that stays as it is. */
const mainHashOf = (secrets: Secrets, facts: RowFacts, known: KnownPerson | null): string | null =>
  relationOf(facts, known) === 'SELF' || facts.mainIdNo === null ? null : idNoHash(secrets, facts.mainIdNo);

/** Facts that a list may say of a person who is known already; his certificate changes by an endorsement of its own. */
function changedFacts(secrets: Secrets, facts: RowFacts, known: KnownPerson): Record<string, unknown> | null {
  const changed: Record<string, unknown> = {};
  const compare = (column: string, given: unknown, stands: unknown) => {
    if (given !== null && given !== stands) changed[column] = given;
  };
  compare('name', facts.name, known.name);
  compare('gender', facts.gender, known.gender);
  compare('birth_date', facts.birthDate, known.birthDate);
  compare('employee_no', facts.employeeNo, known.employeeNo);
  compare('department', facts.department, known.department);
  compare('adcode', facts.adcode, known.adcode);
  compare('has_social', facts.hasSocial, known.hasSocial);
  compare('social_adcode', facts.socialAdcode, known.socialAdcode);
  if (facts.mobile !== null) {
    const mobile = mobileColumns(secrets, facts.mobile);
    if (mobile.mobileHash !== known.mobileHash)
      Object.assign(changed, { mobile_cipher: mobile.mobileCipher, mobile_hash: mobile.mobileHash, mobile_masked: mobile.mobileMasked });
  }
  if (facts.preExisting.length > 0 && facts.preExisting.join() !== known.preExistingIcd.join())
    changed['pre_existing_icd'] = facts.preExisting;
  compare('relation', facts.relation, known.relation);
  const mainHash = mainHashOf(secrets, facts, known);
  // Who it is becomes known when the list takes effect: he may come with it.
  if (mainHash === null ? relationOf(facts, known) === 'SELF' && known.mainInsuredItemId !== null : mainHash !== known.mainIdNoHash)
    changed['main_insured_item_id'] = null;
  return Object.keys(changed).length > 0 ? changed : null;
}

function newPerson(secrets: Secrets, facts: RowFacts): Record<string, unknown> {
  const idNo = idNoColumns(secrets, facts.idNo);
  const mobile = mobileColumns(secrets, facts.mobile);
  return {
    name: facts.name,
    id_type: facts.idType,
    id_no_cipher: idNo.idNoCipher,
    id_no_hash: idNo.idNoHash,
    id_no_masked: idNo.idNoMasked,
    gender: facts.gender,
    birth_date: facts.birthDate,
    mobile_cipher: mobile.mobileCipher,
    mobile_hash: mobile.mobileHash,
    mobile_masked: mobile.mobileMasked,
    employee_no: facts.employeeNo,
    department: facts.department,
    adcode: facts.adcode,
    has_social: facts.hasSocial ?? true,
    social_adcode: facts.socialAdcode,
    relation: facts.relation ?? 'SELF',
    pre_existing_icd: facts.preExisting,
  };
}

/** Whether somebody who stood for himself is to depend on another one; who leaves stays what he was. */
const turnsDependant = (facts: RowFacts, known: KnownPerson | null, wish: RowWish): boolean =>
  !rowLeaves(wish) && known?.relation === 'SELF' && relationOf(facts, known) !== 'SELF';

const noPolicy = (policyNo: string | null): PolicyFault => ({ column: 'policyNo', message: `保单号${policyNo ?? ''}不存在或已终止` });
const OF_POLICY = [
  'productCode',
  'holderName',
  'coverageStart',
  'coverageEnd',
  'policyType',
  'payMode',
] as const satisfies readonly (ListTarget & keyof PolicyRecord)[];
/** Columns in which a row says something else of its policy than it is. */
const differing = (policy: PolicyRecord, stated: RowFacts['ofPolicy']): [ListTarget, string][] =>
  OF_POLICY.filter((column) => stated[column] !== null && stated[column] !== policy[column]).map((column) => [
    column,
    listTargets.label(column),
  ]);

/** What is wrong with a row beside its cells: the policy, the person's own facts, another row of the same person. */
function ownFaults(
  { layout, secrets, lookups }: Deciding,
  { facts, faults }: ReadRow,
  at: Place,
  wish: RowWish,
  dependants: number,
): KeptNote[] {
  const mainHash = mainHashOf(secrets, facts, at.known);
  const found: KeptNote[] = [];
  const add = (code: string, column: ListTarget | null, message: string) =>
    found.push({ code, column, header: headerOf(layout, column), message });
  if (at.policy === null) {
    const { column, message } = lookups.faultOf(facts.policyNo) ?? noPolicy(facts.policyNo);
    add('E13', column, message);
  } else
    for (const [column, label] of differing(at.policy, facts.ofPolicy)) add('E13', column, `${label}与保单${at.policy.policyNo}不一致`);
  if (at.twin !== null) add('E09', facts.idNo === null ? 'employeeNo' : 'idNo', `与第${at.twin}行重复`);
  // Of whoever is new all is needed; a certificate that is wrong says nothing of him.
  if (at.known === null && wish.op !== 'REMOVE' && faults.length === 0) {
    if (facts.name === null) add('E16', 'name', '姓名不能为空');
    if (facts.birthDate === null) add('E16', 'birthDate', '出生日期不能为空');
    if (facts.gender === null) add('E16', 'gender', '性别不能为空');
  }
  const needsMain = !rowLeaves(wish) && relationOf(facts, at.known) !== 'SELF';
  if (needsMain && facts.mainIdNo === null && (at.known?.mainInsuredItemId ?? null) === null) add('E12', 'mainIdNo', '主被保人不在保单中');
  if (turnsDependant(facts, at.known, wish)) {
    if (dependants > 0) add('E12', 'relation', `名下仍有${dependants}名连带被保人在保，不能改为连带被保人`);
    if (facts.mainIdNo !== null && at.idNoHash === mainHash) add('E12', 'mainIdNo', '主被保人不能是本人');
  }
  return found;
}

const headerOf = (layout: Layout, column: string | null): string =>
  layout.columns.find(({ target }) => target === column)?.headerAliases[0] ?? '';

interface Place {
  policy: PolicyRecord | null;
  personKey: string | null;
  idNoHash: string | null;
  known: KnownPerson | null;
  /** An earlier row of the same person. */
  twin: number | null;
}

/** Where each row belongs: its policy, its person, and whether a row before it named him. */
async function placesOf({ tx, secrets, batch, layout, lookups, besides = [] }: Deciding, rows: readonly ReadRow[]): Promise<Place[]> {
  await lookups.load(
    tx,
    rows.map(({ facts }) => facts.policyNo),
  );
  const byEmployee = layout.dedupeKey === 'EMPLOYEE';
  const places = rows.map(({ facts }): Place => {
    const policy = lookups.policyOf(facts.policyNo);
    return {
      policy,
      personKey: personKeyOf(secrets, facts),
      idNoHash: facts.idNo === null ? null : idNoHash(secrets, facts.idNo),
      known: null,
      twin: null,
    };
  });
  const keyAt = (at: number) => (byEmployee ? (rows[at]!.facts.employeeNo ?? null) : places[at]!.personKey);
  const known = await knownPersons(
    tx,
    byEmployee ? 'employeeNo' : 'personKey',
    places.flatMap(({ policy }, at) => {
      const key = keyAt(at);
      return policy && key !== null ? [{ policyId: policy.id, key }] : [];
    }),
  );
  for (const [at, place] of places.entries()) {
    const key = keyAt(at);
    place.known = place.policy && key !== null ? (known.get(personPlace(place.policy.id, key)) ?? null) : null;
    if (place.known) place.personKey = place.known.personKey;
  }
  const seen = await earlierRows(
    tx,
    batch.id,
    places.flatMap(({ personKey }) => personKey ?? []),
    besides,
  );
  for (const [at, place] of places.entries()) {
    if (!place.policy || place.personKey === null) continue;
    const here = personPlace(place.policy.id, place.personKey);
    const { rowNo } = rows[at]!;
    const first = seen.get(here);
    if (first !== undefined && first < rowNo) place.twin = first;
    seen.set(here, Math.min(first ?? rowNo, rowNo));
  }
  return places;
}

/** What a row says of days, with what the whole list says where the row says nothing. */
function wishOf({ batch }: Deciding, { facts }: ReadRow): RowWish {
  const op = facts.op ?? opOfMode(batch.mode);
  const leaves = rowLeaves({ op, leaveOn: facts.leaveOn });
  return {
    op,
    planCode: facts.planCode,
    effectiveOn: facts.effectiveOn ?? (leaves ? null : batch.defaultEffectiveOn),
    leaveOn: leaves ? (facts.leaveOn ?? facts.effectiveOn ?? batch.defaultEffectiveOn) : facts.leaveOn,
  };
}

/** What nobody saw who looked at the sheet is not to take effect unseen. */
const HIDDEN: RowNote = { code: 'W06', column: null, message: HIDDEN_ROW };

/** Rows that are decided in one go: some milliseconds. */
const AT_ONCE = 25;

/** What each of some rows does, from how all of it stands now. */
export async function decideRows(deciding: Deciding, rows: readonly ReadRow[]): Promise<DecidedRow[]> {
  const { tx, secrets, layout, lookups, today } = deciding;
  const places = await placesOf(deciding, rows);
  const ids = [...new Set(places.flatMap(({ known }) => known?.id ?? []))];
  const live = await liveSlices(tx, ids);
  const uses = Map.groupBy(await usesOf(tx, { itemIds: ids }), ({ insuredItemId }) => insuredItemId);
  const wishes = rows.map((row) => wishOf(deciding, row));
  const leaving = places.flatMap(({ known }, at) => {
    const lastDay = wishes[at]!.leaveOn;
    if (known && lastDay === null && turnsDependant(rows[at]!.facts, known, wishes[at]!))
      return [{ id: known.id, lastDay: plusDays(today, -1) }];
    return known && lastDay !== null ? [{ id: known.id, lastDay }] : [];
  });
  const dependants = await dependantsOf(tx, leaving);
  const hashes = places.flatMap(({ idNoHash: hash, known }) => (hash !== null && !(known && live.has(known.id)) ? [hash] : []));
  const names = await otherNames(tx, hashes);
  const coming = rows.map(({ facts }, at) => {
    const { known } = places[at]!;
    return facts.mobile !== null && !(known && live.has(known.id)) ? mobileColumns(secrets, facts.mobile).mobileHash : null;
  });
  const sharers = await mobileSharers(
    tx,
    coming.filter((hash) => hash !== null),
  );
  const exclusive = new Map<string, Map<string, { productName: string; to: Day }[]>>();
  for (const policy of new Map(places.flatMap(({ policy: one }) => (one ? [[one.productId, one] as const] : []))).values())
    exclusive.set(policy.productId, await coversIn(tx, hashes, await lookups.excludedBy(tx, policy)));

  const decided: DecidedRow[] = [];
  for (const [at, row] of rows.entries()) {
    // Others are answered meanwhile.
    if (at % AT_ONCE === AT_ONCE - 1) await breathe();
    const { facts } = row;
    const { policy, personKey, idNoHash: hash, known } = places[at]!;
    const wish = wishes[at]!;
    const base = {
      op: wish.op,
      policyId: policy?.id ?? null,
      personKey,
      idNoHash: hash,
      name: firstCharacters(facts.name ?? known?.name ?? '', 50),
      planCode: facts.planCode,
      effectiveOn: wish.effectiveOn,
      leaveOn: wish.leaveOn,
      mainIdNoHash: mainHashOf(secrets, facts, known),
      insuredItemId: known?.id ?? null,
    };
    const errors: KeptNote[] = [
      ...row.faults.map(({ value: _value, ...fault }) => fault),
      ...ownFaults(deciding, row, places[at]!, wish, known ? (dependants.get(known.id) ?? 0) : 0),
    ];
    if (errors.length > 0 || !policy) {
      decided.push({
        ...base,
        premiumFen: 0n,
        result: 'ERROR',
        warnings: [],
        errors,
        backdated: false,
        person: null,
        change: null,
        lines: null,
        firstDay: null,
      });
      continue;
    }
    const plans = await lookups.plansOf(tx, policy);
    const own = known ? (uses.get(known.id) ?? []) : [];
    const person = known ? changedFacts(secrets, facts, known) : null;
    const personFacts = {
      birthDate: facts.birthDate ?? known?.birthDate ?? '',
      gender: facts.gender ?? known?.gender ?? ('M' as const),
      hasSocial: facts.hasSocial ?? known?.hasSocial ?? true,
    };
    const me = hash ?? personKey;
    const decision = decideRow(wish, {
      today,
      policy: {
        start: policy.coverageStart,
        end: policy.coverageEnd,
        versionNo: policy.productVersionNo,
        maxBackdateDays: policy.maxBackdateDays,
      },
      live: known ? (live.get(known.id) ?? []) : [],
      factsDiffer: person !== null,
      annualOf(planCode, from) {
        const plan = plans.find((one) => one.planCode === planCode);
        return plan ? rateOf(plan, personFacts, from, policy.coverageEnd) : null;
      },
      keepsPremium: !policy.refundIfClaimed && own.some(isPaidClaim),
      paid: lastPaid(own),
      openRefs: own.filter((use) => isOpenClaim(use) || isLiveContract(use)).map(({ refNo }) => refNo),
      dependants: known ? (dependants.get(known.id) ?? 0) : 0,
      mobileSharers: (sharers.get(coming[at] ?? '') ?? []).filter((one) => one !== me).length,
      otherName: (names.get(hash ?? '') ?? []).find((name) => name !== facts.name) ?? null,
      exclusiveProduct:
        exclusive
          .get(policy.productId)
          ?.get(hash ?? '')
          ?.find(({ to }) => to >= (wish.effectiveOn ?? today))?.productName ?? null,
    });
    const noted = ({ code, column, message }: RowNote): KeptNote => ({ code, column, header: headerOf(layout, column), message });
    const changes = decision.change.write.length + decision.change.supersede.length > 0;
    const lines = changes ? linesOf(termsOf(policy), known?.id ?? '', decision.change) : [];
    const writes = decision.result === 'ADD' || decision.result === 'MODIFY';
    const changing = writes || decision.result === 'REMOVE';
    decided.push({
      ...base,
      premiumFen: sumOf(lines),
      result: decision.result,
      warnings: [...decision.warnings, ...(row.hidden && changing ? [HIDDEN] : [])].map(noted),
      errors: decision.errors.map(noted),
      backdated: decision.firstDay !== null && decision.firstDay < today,
      person: writes ? (known ? person : newPerson(secrets, facts)) : null,
      change: changes ? keptChange(decision.change) : null,
      lines: lines.length > 0 ? keptLines(lines) : null,
      firstDay: decision.firstDay,
    });
  }
  return decided;
}

function lastPaid(uses: readonly CoverUse[]): { day: Day; refNo: string } | null {
  const paid = uses.filter(isPaidClaim).toSorted((one, other) => (one.useFrom < other.useFrom ? 1 : -1))[0];
  return paid ? { day: paid.useFrom, refNo: paid.refNo } : null;
}

/** The last covered day of whoever is missing from a full list. */
export const lastDayOfMissing = (batch: Pick<BatchRecord, 'defaultEffectiveOn'>, today: Day): Day =>
  plusDays(batch.defaultEffectiveOn ?? today, -1);
