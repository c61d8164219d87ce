import { plusDays, type Day } from '#kernel/contract/time.ts';
import { changePlan, overlapping, removeCover, addCover, NO_CHANGE, type CoverChange, type Slice } from './cover.ts';

/** What a row of a list wants of one person, read and without faults of single cells. */
export interface RowWish {
  /** null: the list does not say; then what stands of the person decides. */
  op: 'ADD' | 'REMOVE' | 'MODIFY' | null;
  planCode: string | null;
  effectiveOn: Day | null;
  /** Last covered day of somebody who leaves. */
  leaveOn: Day | null;
}

/** What stands of the person and the policy when the row is looked at. */
export interface RowStand {
  today: Day;
  policy: { start: Day; end: Day; versionNo: number; maxBackdateDays: number };
  live: readonly Slice[];
  /** Facts in the row that differ from what is kept of the person. */
  factsDiffer: boolean;
  /** Annual premium of the plan for the person; null: the version has no such plan; otherwise why it does not take him. */
  annualOf(planCode: string, from: Day): bigint | null | { refused: string };
  /** He was paid for something, and the policy returns nothing then. */
  keepsPremium: boolean;
  /** The latest day of a claim that was paid. */
  paid: { day: Day; refNo: string } | null;
  /** Claims that are open and contracts that run. */
  openRefs: readonly string[];
  /** Covered dependants whose main insured this person is. */
  dependants: number;
  /** Others who have the mobile number. */
  mobileSharers: number;
  otherName: string | null;
  exclusiveProduct: string | null;
}

export interface RowNote {
  code: string;
  column: 'planCode' | 'effectiveOn' | 'leaveOn' | 'idNo' | 'mobile' | 'name' | null;
  message: string;
}
export interface RowDecision {
  result: 'ADD' | 'MODIFY' | 'REMOVE' | 'SAME' | 'ERROR';
  change: CoverChange;
  /** First day whose cover changes. */
  firstDay: Day | null;
  errors: RowNote[];
  warnings: RowNote[];
}

/** Persons who may share a mobile number before somebody asks. */
const SHARERS = 5;
const SHOWN = 3;

const failed = (code: string, column: RowNote['column'], message: string): RowDecision => ({
  result: 'ERROR',
  change: NO_CHANGE,
  firstDay: null,
  errors: [{ code, column, message }],
  warnings: [],
});
const decided = (result: RowDecision['result'], change: CoverChange, firstDay: Day | null): RowDecision => ({
  result,
  change,
  firstDay,
  errors: [],
  warnings: [],
});

function leaving({ leaveOn, effectiveOn }: RowWish, stand: RowStand): RowDecision {
  const { policy, live, paid } = stand;
  const lastDay = leaveOn ?? effectiveOn;
  if (lastDay === null) return failed('E16', 'leaveOn', '减员日期不能为空');
  if (lastDay < plusDays(policy.start, -1) || lastDay > policy.end) return failed('E06', 'leaveOn', '生效日期不在保单期间内');
  if (live.length === 0) return failed('E11', 'idNo', '未找到在保的被保人');
  if (paid && paid.day > lastDay) return failed('E15', 'leaveOn', `该被保人在${paid.day}有已赔付案件${paid.refNo}，减员日不能早于该日`);
  const change = removeCover(live, lastDay, stand.keepsPremium);
  if (change.supersede.length > 0) return decided('REMOVE', change, plusDays(lastDay, 1));
  // Whoever left on that very day stands as the list says.
  return live.at(-1)?.to === lastDay ? decided('SAME', NO_CHANGE, null) : failed('E11', 'idNo', '未找到在保的被保人');
}

/** Somebody who is covered: whether plan or facts are to be others. */
function changing(from: Day, { planCode }: RowWish, stand: RowStand): RowDecision {
  if (planCode === null || !stand.live.some((slice) => slice.to >= from && slice.planCode !== planCode))
    return stand.factsDiffer ? decided('MODIFY', NO_CHANGE, null) : decided('SAME', NO_CHANGE, null);
  const annual = priced(planCode, from, stand);
  return 'result' in annual ? annual : decided('MODIFY', changePlan(stand.live, from, planCode, annual.fen), from);
}

function priced(planCode: string, from: Day, { annualOf, policy }: RowStand): RowDecision | { fen: bigint } {
  const annual = annualOf(planCode, from);
  if (annual === null) return failed('E07', 'planCode', `计划“${planCode}”不在产品版本V${policy.versionNo}中`);
  return typeof annual === 'bigint' ? { fen: annual } : failed('E08', 'planCode', annual.refused);
}

function joining(wish: RowWish, stand: RowStand): RowDecision {
  const { policy, live } = stand;
  const from = wish.effectiveOn;
  if (from === null) return failed('E16', 'effectiveOn', '生效日期不能为空');
  if (from < policy.start || from > policy.end) return failed('E06', 'effectiveOn', '生效日期不在保单期间内');
  const there = overlapping(live, from, policy.end);
  // The same list again: whoever came in with that day is looked at for what changed since.
  if (there?.from === from) return changing(from, wish, stand);
  if (there) return failed('E10', 'effectiveOn', `该被保人在${there.from}至${there.to}已有保障`);
  if (wish.planCode === null) return failed('E16', 'planCode', '计划不能为空');
  if (stand.exclusiveProduct !== null) return failed('E14', 'idNo', `已在互斥产品${stand.exclusiveProduct}中在保`);
  const annual = priced(wish.planCode, from, stand);
  return 'result' in annual
    ? annual
    : decided('ADD', addCover({ planCode: wish.planCode, from, to: policy.end, annualFen: annual.fen }), from);
}

/** Somebody of whom the list says no more than how he is to stand. */
function adding(wish: RowWish, stand: RowStand): RowDecision {
  const from = wish.effectiveOn ?? stand.today;
  const covered = stand.live.some(({ to }) => to >= from);
  return covered ? changing(from, wish, stand) : joining({ ...wish, effectiveOn: from }, stand);
}

function warningsOf({ result, firstDay }: RowDecision, stand: RowStand): RowNote[] {
  const notes: RowNote[] = [];
  const { policy, today } = stand;
  if (firstDay !== null && firstDay < plusDays(today, -policy.maxBackdateDays))
    notes.push({ code: 'W01', column: 'effectiveOn', message: `追溯超过${policy.maxBackdateDays}天` });
  if (result === 'ADD' && stand.mobileSharers >= SHARERS)
    notes.push({ code: 'W02', column: 'mobile', message: `手机号已被${stand.mobileSharers}名被保人使用` });
  if (result === 'ADD' && stand.otherName !== null)
    notes.push({ code: 'W03', column: 'name', message: `同一证件号在其他保单中的姓名为${stand.otherName}` });
  if (result === 'REMOVE' && stand.dependants > 0)
    notes.push({ code: 'W04', column: 'leaveOn', message: `主被保人减员，仍有${stand.dependants}名连带被保人在保` });
  if (result === 'REMOVE' && stand.openRefs.length > 0)
    notes.push({ code: 'W05', column: 'leaveOn', message: `有在途理赔或有效签约：${stand.openRefs.slice(0, SHOWN).join('、')}` });
  return notes;
}

/** Whether a row says that somebody leaves. */
export const rowLeaves = ({ op, leaveOn }: Pick<RowWish, 'op' | 'leaveOn'>): boolean =>
  op === 'REMOVE' || (op === null && leaveOn !== null);

/** What one row of a list does to one person: nothing where he stands as the list says. */
export function decideRow(wish: RowWish, stand: RowStand): RowDecision {
  const decision = rowLeaves(wish)
    ? leaving(wish, stand)
    : wish.op === 'ADD'
      ? joining(wish, stand)
      : wish.op === 'MODIFY' && !stand.live.some(({ to }) => to >= (wish.effectiveOn ?? stand.today))
        ? failed('E11', 'idNo', '未找到在保的被保人')
        : adding(wish, stand);
  return { ...decision, warnings: warningsOf(decision, stand) };
}

/** Share of a policy's persons who may be missing from a full list before a supervisor has to say that it is whole. */
export const MOST_MISSING_PERCENT = 20;
export function missingFault(missing: number, live: number): string | null {
  if (live === 0 || missing * 100 <= live * MOST_MISSING_PERCENT) return null;
  return `全量清单缺少${missing}人（${Math.round((missing * 100) / live)}%），请确认文件完整`;
}
