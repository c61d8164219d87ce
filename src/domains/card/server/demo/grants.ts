import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { SYSTEM, type PostCommand } from '#domains/ledger/server/index.ts';
import { grantMachine, type GrantState } from '../../contract/grantStates.ts';
import { dueOf, givesBonus } from '../grants/due.ts';
import { executeJob } from '../grants/execute.ts';
import { bonusSourceOf, sourceOf } from '../grants/issue.ts';
import { bonusOf, cash, fundOf, issueContraOf, principalOf, unsoldOf } from '../chart.ts';
import type { DemoCard } from './batches.ts';
import type { DemoStep } from '#kernel/server/demo/trails.ts';
import { dayAt, type Person, type Stage } from './stage.ts';
import type { DemoType } from './types.ts';

/** From this day on a wish counts back from today: what waits does so since these days. */
const RECENT = 150;
type Source = 'SINGLE' | 'IMPORT' | 'CONTRACT' | 'API';
interface Wish {
  type: DemoType;
  source: Source;
  status: GrantState;
  /** Days after the first day. */
  day: number;
  /** Holders from and how many. */
  from: number;
  count: number;
  amount: number;
  bonus: number;
  /** Last days of its value before the type's. */
  validDays?: number;
  purpose: string;
}
const STEPS: Readonly<Record<GrantState, readonly (keyof typeof grantMachine.transitions)[]>> = {
  DRAFT: [],
  PENDING_APPROVAL: ['submit'],
  PENDING_SECOND: ['submit', 'approveFirst'],
  REJECTED: ['submit', 'reject'],
  EXECUTING: ['submit', 'approve'],
  DONE: ['submit', 'approve', 'done'],
  PART_DONE: ['submit', 'approve', 'partDone'],
  REVOKED: ['submit', 'approve', 'done', 'revoke'],
};
/** Moves of times, kept for one insert. */
export interface TimesRow {
  cardId: string;
  benefitId: string;
  kind: 'GRANT' | 'USE' | 'HOLD' | 'EXPIRE' | 'UNDO';
  deltaLeft: number;
  deltaHeld: number;
  key: string;
  refType: string;
  refId: string;
  at: Instant;
}
export const timesOf = (type: DemoType) => (type.kind === 'COUPON' ? [{ benefitId: 'COUPON', times: 1 }] : type.terms.benefits);

function wishesOf(types: readonly DemoType[], people: number): Wish[] {
  const [za, tp, hr, kq, ...others] = types as [DemoType, DemoType, DemoType, DemoType, ...DemoType[]];
  const many = Math.min(people, 150);
  const face = (type: DemoType) => ({ amount: type.terms.faceAmount, bonus: type.terms.bonusAmount });
  const none = { amount: 0, bonus: 0 };
  return [
    { type: za, source: 'IMPORT', status: 'DONE', day: 3, from: 0, count: many, ...face(za), purpose: '众安2026年度门诊储值首批名单' },
    {
      type: tp,
      source: 'IMPORT',
      status: 'DONE',
      day: 4,
      from: 20,
      count: Math.min(many, 110),
      ...face(tp),
      purpose: '平安健康管理首批名单',
    },
    {
      type: hr,
      source: 'API',
      status: 'DONE',
      day: 5,
      from: 40,
      count: Math.min(many, 110),
      ...face(hr),
      purpose: '恒瑞患者援助项目接口发放',
    },
    { type: kq, source: 'API', status: 'DONE', day: 6, from: 10, count: Math.min(many, 90), ...face(kq), purpose: '康桥商城购卡' },
    {
      type: kq,
      source: 'API',
      status: 'DONE',
      day: 20,
      from: 10,
      count: 40,
      amount: 0,
      bonus: 3_000,
      validDays: 60,
      purpose: '周年庆赠送，60天有效',
    },
    ...others.map((type, at): Wish => ({
      type,
      source: at % 3 === 0 ? 'CONTRACT' : 'IMPORT',
      status: 'DONE',
      day: 7 + at,
      from: at * 5,
      count: type.kind === 'COUPON' ? 45 : 35,
      ...none,
      purpose: `${type.typeName}发放`,
    })),
    { type: za, source: 'IMPORT', status: 'DONE', day: 80, from: 0, count: 40, amount: 50_000, bonus: 0, purpose: '众安二季度追加额度' },
    {
      type: hr,
      source: 'IMPORT',
      status: 'PART_DONE',
      day: 95,
      from: 40,
      count: 30,
      amount: 30_000,
      bonus: 2_000,
      purpose: '恒瑞随访奖励',
    },
    // 37 people who were not meant: taken back as far as it was not spent.
    {
      type: tp,
      source: 'IMPORT',
      status: 'DONE',
      day: 110,
      from: 20,
      count: 37,
      amount: 20_000,
      bonus: 0,
      purpose: '健康管理名单（误发，已撤回未使用部分）',
    },
    {
      type: za,
      source: 'SINGLE',
      status: 'REVOKED',
      day: 115,
      from: 3,
      count: 1,
      amount: 8_800,
      bonus: 0,
      purpose: '客诉补偿，金额录入有误',
    },
    ...[0, 1, 2, 3].map((at): Wish => ({
      type: at % 2 ? hr : za,
      source: 'SINGLE',
      status: 'DONE',
      day: 120 + at * 4,
      from: 60 + at,
      count: 1,
      amount: 10_000 + at * 2_500,
      bonus: 0,
      purpose: '单笔补发',
    })),
    { type: kq, source: 'SINGLE', status: 'DRAFT', day: 150, from: 12, count: 1, amount: 20_000, bonus: 1_000, purpose: '门店储值活动' },
    {
      type: za,
      source: 'IMPORT',
      status: 'DRAFT',
      day: 151,
      from: 45,
      count: 20,
      amount: 20_000,
      bonus: 0,
      purpose: '众安新增名单，待核对',
    },
    {
      type: hr,
      source: 'SINGLE',
      status: 'PENDING_APPROVAL',
      day: 152,
      from: 44,
      count: 1,
      amount: 60_000,
      bonus: 0,
      purpose: '重症患者追加援助',
    },
    {
      type: za,
      source: 'IMPORT',
      status: 'PENDING_APPROVAL',
      day: 152,
      from: 10,
      count: 25,
      amount: 30_000,
      bonus: 0,
      purpose: '众安三季度追加额度',
    },
    {
      type: hr,
      source: 'IMPORT',
      status: 'PENDING_SECOND',
      day: 153,
      from: 50,
      count: 40,
      amount: 50_000,
      bonus: 0,
      purpose: '恒瑞年末援助，总额超过10万元',
    },
    { type: tp, source: 'SINGLE', status: 'REJECTED', day: 140, from: 21, count: 1, amount: 50_000, bonus: 0, purpose: '缺少申请表' },
    { type: kq, source: 'API', status: 'REJECTED', day: 141, from: 15, count: 3, amount: 10_000, bonus: 500, purpose: '重复推送' },
    {
      type: za,
      source: 'IMPORT',
      status: 'EXECUTING',
      day: 153,
      from: 70,
      count: 12,
      amount: 15_000,
      bonus: 0,
      purpose: '众安体检达标奖励',
    },
  ];
}

/** Grants in each of their states; what they gave stands in the books. @returns the cards that people hold, and the moves of their times */
export async function writeGrants(
  stage: Stage,
  types: readonly DemoType[],
  cards: readonly DemoCard[],
): Promise<{ times: TimesRow[]; lines: Record<string, unknown>[]; write(): Promise<void> }> {
  const { tx, staff, ledger, holders } = stage;
  const last = Math.max(0, (new Date(stage.today).getTime() - new Date(stage.first).getTime()) / 86_400_000 - 1);
  const wishes = wishesOf(types, holders.length).map((wish) => ({
    ...wish,
    day: Math.min(wish.day >= RECENT ? last - (RECENT + 4 - wish.day) : wish.day, last),
  }));
  const ids = await reserve(tx, 'card_grant', wishes.length);
  const lineIds = await reserve(
    tx,
    'card_grant_line',
    wishes.reduce((sum, { count }) => sum + count, 0),
  );
  const held = new Map<string, DemoCard>();
  const stock = new Map(types.map((type) => [type.id, cards.filter((card) => card.type === type && card.state === 'IN_STOCK')]));
  const grantRows: Record<string, unknown>[] = [];
  const lines: Record<string, unknown>[] = [];
  const dues: Record<string, unknown>[] = [];
  const times: TimesRow[] = [];
  const funders = new Map(types.map((type) => [type.id, type]));
  await ledger.openAccounts(
    stage.at(dayAt(stage, 1)),
    [...funders.values()]
      .filter(({ kind }) => kind === 'STORED_VALUE')
      .flatMap((type) => [
        { ref: sourceOf(type), ownerName: type.funderName },
        { ref: bonusSourceOf(type), ownerName: givesBonus(type) ? type.funderName : '平台' },
        { ref: cash, ownerName: '平台' },
      ]),
  );
  await prepay(stage, types);
  for (const [at, wish] of wishes.entries()) {
    const { type, status, amount, bonus } = wish;
    const madeAt = dayAt(stage, wish.day, `0${8 + (at % 2)}:${String(10 + (at % 45)).padStart(2, '0')}`);
    const grantNo = stage.number('GR', madeAt);
    const id = ids[at]!;
    const done = status === 'DONE' || status === 'PART_DONE' || status === 'REVOKED';
    const doneAt = new Date(new Date(madeAt).getTime() + 5_400_000).toISOString();
    const commands: PostCommand[] = [];
    const opened: DemoCard[] = [];
    let ok = 0;
    for (let row = 0; row < wish.count; row += 1) {
      const person = (wish.from + row) % holders.length;
      const holder = holders[person]!;
      const lineId = lineIds.shift()!;
      const known = held.get(`${type.id}:${person}`);
      const fails = status === 'PART_DONE' && row % 10 === 9;
      const card = done && !fails ? (known ?? stock.get(type.id)?.shift()) : undefined;
      const gets = card !== undefined;
      if (gets) {
        ok += 1;
        if (!known) issue(card, { type, person, doneAt, at: row });
        held.set(`${type.id}:${person}`, card);
        if (!known)
          for (const one of timesOf(type))
            times.push({
              cardId: card.id,
              benefitId: one.benefitId,
              kind: 'GRANT',
              deltaLeft: one.times,
              deltaHeld: 0,
              key: `grant:${lineId}:${one.benefitId}`,
              refType: 'cardGrantLine',
              refId: lineId,
              at: doneAt,
            });
        if (type.kind === 'STORED_VALUE') {
          if (!known) opened.push(card);
          const ref = { type: 'cardGrant', id, no: grantNo };
          const face = BigInt(card.batch.face + card.batch.bonus);
          if (!known && face > 0n)
            commands.push({
              businessKey: `card:issue:${card.id}`,
              book: 'CARD',
              type: 'CARD_ISSUE',
              debit: [{ account: unsoldOf(card.batch.id), amount: face }],
              credit: [{ account: issueContraOf(card.batch.id), amount: face }],
              ref,
              actor: SYSTEM,
            });
          const end = wish.validDays ? startOfDay(plusDays(dayOf(doneAt), wish.validDays + 1)) : card.expireAt;
          for (const [part, value] of [
            ['p', amount],
            ['b', bonus],
          ] as const)
            if (value > 0)
              commands.push({
                businessKey: `card:grant:${lineId}:${part}`,
                book: 'CARD',
                type: part === 'p' ? 'CARD_GRANT' : 'CARD_GRANT_BONUS',
                debit: [{ account: part === 'p' ? sourceOf(type) : bonusSourceOf(type), amount: BigInt(value) }],
                credit: [
                  {
                    account: part === 'p' ? principalOf(card.id) : bonusOf(card.id),
                    amount: BigInt(value),
                    lot: { refType: 'cardGrantLine', refId: `${lineId}:${part}`, expiresAt: end },
                  },
                ],
                ref,
                actor: SYSTEM,
              });
          const due = dueOf(type, { principal: BigInt(amount), bonus: BigInt(bonus) });
          if (due > 0n)
            dues.push({ cardTypeId: type.id, key: `grant:${lineId}`, sourceNo: `${grantNo}-${row + 1}`, amount: String(due), at: doneAt });
        }
      }
      lines.push({
        id: lineId,
        grantId: id,
        cardTypeId: type.id,
        rowNo: row + 1,
        outerSerialNo: wish.source === 'SINGLE' ? null : `${type.typeCode}-${wish.day}-${String(row + 1).padStart(4, '0')}`,
        holderName: holder.name,
        idType: 'ID',
        idNoCipher: holder.idNoCipher,
        idNoHash: holder.idNoHash,
        idNoMasked: holder.idNoMasked,
        mobileCipher: holder.mobileCipher,
        mobileHash: holder.mobileHash,
        mobileMasked: holder.mobileMasked,
        policyNo: type.bizLine === 'HMO' ? `P${type.funderId}${String(person).padStart(6, '0')}` : null,
        amount: String(amount),
        bonus: String(bonus),
        expireOn: wish.validDays ? plusDays(dayOf(doneAt), wish.validDays) : null,
        cardId: card?.id ?? null,
        state: gets ? 'SUCCESS' : done ? 'FAILED' : 'PENDING',
        failReason: gets || !done ? null : '库存卡不足：需1张，在库0张',
        revokedAmount: '0',
        doneAt: done ? doneAt : null,
      });
    }
    const post = stage.at(doneAt);
    await ledger.openAccounts(
      post,
      opened.flatMap((card) => [principalOf(card.id), bonusOf(card.id)].map((ref) => ({ ref, ownerName: holders[card.holder!]!.name }))),
    );
    for (let from = 0; from < commands.length; from += 400) await ledger.postMany(post, commands.slice(from, from + 400));
    const by = (action: string): Person | null =>
      action === 'submit'
        ? staff.card_a
        : action.startsWith('done') || action.startsWith('part')
          ? null
          : action === 'approveSecond'
            ? staff.fin_s
            : staff.card_r;
    const big = (amount + bonus) * wish.count >= 10_000_000;
    const path = STEPS[status].flatMap((action): (keyof typeof grantMachine.transitions)[] =>
      action === 'approve' && big ? ['approveFirst', 'approveSecond'] : [action],
    );
    const steps = path.map((action, step): DemoStep<typeof action> => ({
      action,
      at: new Date(new Date(madeAt).getTime() + (step + 1) * 1_500_000).toISOString(),
      by: by(action),
      ...(action === 'reject' && { opinion: '材料不全，请补充后重新提交' }),
      ...(action === 'revoke' && { opinion: '金额录入有误，撤回后重新发放' }),
    }));
    stage.trail(grantMachine, { type: 'card.grant', id }, steps);
    const passed = path.some((action) => action === 'approve' || action === 'approveFirst');
    grantRows.push({
      id,
      grantNo,
      cardTypeId: type.id,
      source: wish.source,
      sourceKey: wish.source === 'SINGLE' ? null : `demo:${id}`,
      purpose: wish.purpose,
      totalCount: wish.count,
      totalAmount: String(wish.count * amount),
      totalBonus: String(wish.count * bonus),
      okCount: ok,
      failCount: done ? wish.count - ok : 0,
      status,
      createdBy: wish.source === 'CONTRACT' || wish.source === 'API' ? null : staff.card_a.id,
      createdByName: wish.source === 'CONTRACT' || wish.source === 'API' ? '系统' : staff.card_a.name,
      createdAt: madeAt,
      submittedBy: path.length > 0 ? staff.card_a.id : null,
      submittedByName: path.length > 0 ? staff.card_a.name : null,
      approvedBy: passed ? staff.card_r.id : null,
      approvedByName: passed ? staff.card_r.name : null,
      secondApprovedBy: path.includes('approveSecond') ? staff.fin_s.id : null,
      secondApprovedByName: path.includes('approveSecond') ? staff.fin_s.name : null,
      doneAt: done ? doneAt : null,
      version: path.length + 1,
    });
    if (status === 'EXECUTING') await stage.writing.enqueue(executeJob(stage.kernel), { grantId: id });
  }
  return {
    times,
    lines,
    async write() {
      await bulk(tx, 'card_grant', grantRows);
      await bulk(tx, 'card_grant_line', lines);
      const dueIds = await reserve(tx, 'card_grant_due', dues.length);
      await bulk(
        tx,
        'card_grant_due',
        dues.map((due, at) => ({ id: dueIds[at]!, ...due })),
      );
    },
  };
}

/** A card becomes somebody's; some wait for their activation. */
function issue(card: DemoCard, { type, person, doneAt, at }: { type: DemoType; person: number; doneAt: Instant; at: number }): void {
  const waits = type.terms.needActivation && at % 5 === 4;
  Object.assign(card, {
    state: waits ? 'ISSUED' : 'ACTIVE',
    holder: person,
    issuedAt: doneAt,
    activatedAt: waits ? null : doneAt,
    expireAt:
      type.terms.validMode === 'FIXED'
        ? startOfDay(plusDays(type.terms.validTo!, 1))
        : waits
          ? null
          : startOfDay(plusDays(dayOf(doneAt), (type.terms.validDays ?? 365) + 1)),
    policyNo: type.bizLine === 'HMO' ? `P${type.funderId}${String(person).padStart(6, '0')}` : null,
  } satisfies Partial<DemoCard>);
}

/** What funders paid in advance: confirmed in the books, waiting, rejected. */
async function prepay(stage: Stage, types: readonly DemoType[]): Promise<void> {
  const { tx, ledger, staff } = stage;
  const type = types.find(({ fundingMode }) => fundingMode === 'PREPAID')!;
  const list = Array.from({ length: 24 }, (_, at) => ({
    amount: at === 0 ? 15_000_000 : 500_000 + at * 37_500,
    status: at < 20 ? ('CONFIRMED' as const) : at < 22 ? ('PENDING' as const) : ('REJECTED' as const),
    at: dayAt(stage, Math.min(2 + at * 6, 140), '14:20'),
  }));
  const ids = await reserve(tx, 'card_fund_prepay', list.length);
  const rows = list.map(({ amount, status, at }, index) => ({
    id: ids[index]!,
    prepayNo: stage.number('YF', at),
    funderType: type.funder,
    funderId: type.funderId,
    funderName: type.funderName,
    productCode: type.productCode,
    amount: String(amount),
    bankSerialNo: `2026${String(index).padStart(4, '0')}TP${String(880_000 + index * 731)}`,
    receivedOn: dayOf(at),
    status,
    createdBy: staff.fin_a.id,
    createdByName: staff.fin_a.name,
    confirmedBy: status === 'PENDING' ? null : staff.fin_r.id,
    confirmedByName: status === 'PENDING' ? null : staff.fin_r.name,
    opinion: status === 'REJECTED' ? '回单金额与登记不符' : null,
    version: status === 'PENDING' ? 1 : 2,
    createdAt: at,
  }));
  await bulk(tx, 'card_fund_prepay', rows);
  await ledger.openAccounts(stage.at(dayAt(stage, 1)), [
    { ref: cash, ownerName: '平台' },
    { ref: fundOf(type), ownerName: type.funderName },
  ]);
  await ledger.postMany(
    stage.at(dayAt(stage, 2, '14:20')),
    rows
      .filter(({ status }) => status === 'CONFIRMED')
      .map((row) => ({
        businessKey: `card:prepay:${row.prepayNo}`,
        book: 'CARD' as const,
        type: 'CARD_PREPAY',
        at: row.createdAt,
        debit: [{ account: cash, amount: BigInt(row.amount) }],
        credit: [{ account: fundOf(type), amount: BigInt(row.amount) }],
        ref: { type: 'cardPrepay', id: row.id, no: row.prepayNo },
        actor: { id: staff.fin_r.id, name: staff.fin_r.name },
      })),
  );
}
