import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { SYSTEM } from '#domains/ledger/server/index.ts';
import { batchMachine, SECOND_APPROVAL_FROM, type BatchState } from '../../contract/typeDictionaries.ts';
import type { CardCard } from '../tables.ts';
import { checkDigit, hashOfSecret, randomSecret, secretOf } from '../cards/cardNo.ts';
import { issueContraOf, unsoldOf } from '../chart.ts';
import type { DemoStep } from '#kernel/server/demo/trails.ts';
import { dayAt, type Person, type Stage } from './stage.ts';
import { ruleVersionOf, type DemoType } from './types.ts';

/** A card as it will be written at the end, when it is known what became of it. */
export interface DemoCard {
  id: string;
  cardNo: string;
  batch: DemoBatch;
  type: DemoType;
  state: CardCard['state'];
  holder: number | null;
  issuedAt: Instant | null;
  activatedAt: Instant | null;
  expireAt: Instant | null;
  policyNo: string | null;
  frozenReason: string | null;
  replacedByCardId: string | null;
  replacesCardId: string | null;
}
export interface DemoBatch {
  id: string;
  batchNo: string;
  type: DemoType;
  quantity: number;
  face: number;
  bonus: number;
  status: BatchState;
  madeAt: Instant;
  seed: string | null;
}

const KIND_DIGITS = { BENEFIT_CARD: '10', COUPON: '20', STORED_VALUE: '30' } as const;
type Action = keyof typeof batchMachine.transitions;
const PATHS: Readonly<Record<BatchState, readonly Action[]>> = {
  DRAFT: [],
  PENDING_APPROVAL: ['submit'],
  PENDING_SECOND: ['submit', 'approveFirst'],
  REJECTED: ['submit', 'reject'],
  APPROVED: ['submit', 'approve'],
  GENERATING: ['submit', 'approve', 'generate'],
  GENERATED: ['submit', 'approve', 'generate', 'generated'],
  EXPORTED: ['submit', 'approve', 'generate', 'generated', 'export'],
  CLOSED: ['submit', 'approve', 'generate', 'generated', 'export', 'close'],
  VOIDED: ['submit', 'approve', 'void'],
};
const OPINIONS: Partial<Record<Action, string>> = {
  reject: '用途与合同不符，请补充合同附件',
  export: '交付制卡厂',
  close: '项目发放完毕，关闭批次',
  void: '项目取消，整批作废',
  approveSecond: '金额与合同一致，同意',
};

/** Batches in each of their states; those whose cards are in use, one for each type, come first. */
export async function writeBatches(stage: Stage, types: readonly DemoType[]): Promise<{ batches: DemoBatch[]; cards: DemoCard[] }> {
  const { tx, staff, kernel, ledger } = stage;
  const inUse = types.map((type, at): [DemoType, BatchState, number, number] => [
    type,
    at % 2 === 0 ? 'EXPORTED' : 'GENERATED',
    type.kind === 'STORED_VALUE' ? 420 : 240,
    1,
  ]);
  const [first, , third] = types;
  const others: [DemoType, BatchState, number, number][] = [
    [first!, 'CLOSED', 60, 1],
    [third!, 'CLOSED', 40, 1],
    // 600,000 yuan: passed by two, exported once and once more.
    [third!, 'EXPORTED', 400, 40],
    [first!, 'GENERATING', 200, 150],
    [types[4]!, 'GENERATING', 120, 155],
    [first!, 'VOIDED', 60, 20],
    [types[8]!, 'VOIDED', 100, 30],
    ...(['DRAFT', 'PENDING_APPROVAL', 'PENDING_SECOND', 'REJECTED', 'APPROVED'] as const).flatMap(
      (status, at): [DemoType, BatchState, number, number][] => [
        [status === 'PENDING_SECOND' ? first! : types[at + 1]!, status, status === 'PENDING_SECOND' ? 300 : 100 + at * 50, 148 + at],
        [status === 'PENDING_SECOND' ? third! : types[(at + 6) % 12]!, status, status === 'PENDING_SECOND' ? 500 : 80 + at * 20, 140 + at],
      ],
    ),
  ];
  const wishes = [...inUse, ...others];
  const ids = await reserve(tx, 'card_batch', wishes.length);
  const has = (status: BatchState, action: Action) => PATHS[status].includes(action);
  const batches = wishes.map(([type, status, quantity, day], at): DemoBatch => {
    const madeAt = dayAt(stage, day, `09:${String(10 + (at % 40)).padStart(2, '0')}`);
    return {
      id: ids[at]!,
      batchNo: stage.number('CB', madeAt),
      type,
      quantity,
      face: type.terms.faceAmount,
      bonus: type.terms.bonusAmount,
      status,
      madeAt,
      seed: has(status, 'generate') && status !== 'CLOSED' ? randomSecret(32) : null,
    };
  });
  const cards: DemoCard[] = [];
  const rows: Record<string, unknown>[] = [];
  const logs: Record<string, unknown>[] = [];
  for (const batch of batches) {
    const { type, status, madeAt } = batch;
    const total = batch.quantity * (batch.face + batch.bonus);
    const big = total >= SECOND_APPROVAL_FROM;
    const path = PATHS[status].flatMap((action): Action[] => (action === 'approve' && big ? ['approveFirst', 'approveSecond'] : [action]));
    const by = (action: Action): Person | null =>
      action === 'generated'
        ? null
        : action === 'approveSecond'
          ? staff.fin_s
          : ['approve', 'approveFirst', 'reject', 'close', 'void'].includes(action)
            ? staff.card_r
            : staff.card_a;
    const at = new Date(madeAt).getTime();
    const steps = path.map((action, step): DemoStep<Action> => ({
      action,
      at: new Date(at + (step + 1) * 1_800_000).toISOString(),
      by: by(action),
      ...(OPINIONS[action] && { opinion: OPINIONS[action] }),
    }));
    stage.trail(batchMachine, { type: 'card.batch', id: batch.id }, steps);
    const done = (action: Action) => path.includes(action);
    const made = done('generated');
    const count = made ? batch.quantity : status === 'GENERATING' ? Math.floor(batch.quantity / 2) : 0;
    rows.push({
      id: batch.id,
      batchNo: batch.batchNo,
      cardTypeId: type.id,
      ruleVersion: ruleVersionOf(types, type),
      quantity: batch.quantity,
      faceAmount: String(batch.face),
      bonusAmount: String(batch.bonus),
      medium: type.kind === 'STORED_VALUE' ? 'PHYSICAL' : 'VIRTUAL',
      purpose: `${type.typeName}首批发放`,
      contractFileIds: [],
      status,
      generatedCount: count,
      secretSeed: batch.seed,
      passwordCipher: batch.seed === null ? null : kernel.secrets.encrypt(randomSecret(16)),
      exportCount: done('export') ? (big ? 2 : 1) : 0,
      createdBy: staff.card_a.id,
      createdByName: staff.card_a.name,
      createdAt: madeAt,
      submittedBy: done('submit') ? staff.card_a.id : null,
      submittedByName: done('submit') ? staff.card_a.name : null,
      submittedAt: done('submit') ? steps[0]!.at : null,
      firstApprovedBy: done('approve') || done('approveFirst') ? staff.card_r.id : null,
      firstApprovedByName: done('approve') || done('approveFirst') ? staff.card_r.name : null,
      secondApprovedBy: done('approveSecond') ? staff.fin_s.id : null,
      secondApprovedByName: done('approveSecond') ? staff.fin_s.name : null,
      closedAt: done('close') || done('void') ? steps.at(-1)!.at : null,
      version: steps.length + 1,
    });
    const exported = steps.find(({ action }) => action === 'export');
    if (exported)
      for (let time = 0; time < (big ? 2 : 1); time += 1)
        logs.push({
          batchId: batch.id,
          action: 'EXPORT',
          userId: staff.card_a.id,
          userName: staff.card_a.name,
          opinion: time === 0 ? '交付制卡厂' : '制卡厂文件损坏，重新下载',
          ip: '10.20.3.18',
          at: new Date(new Date(exported.at).getTime() + time * 86_400_000).toISOString(),
        });
    const cardIds = count > 0 ? await reserve(tx, 'card_card', count) : [];
    for (const [n, id] of cardIds.entries()) {
      const batchPart = (BigInt(batch.id) % 100_000n).toString().padStart(5, '0');
      const drawn = String(stage.random.int(0, 9_999)).padStart(4, '0');
      const body = `${KIND_DIGITS[type.kind]}${batchPart}${drawn}${String(n).padStart(4, '0')}`;
      cards.push({
        id,
        cardNo: body + checkDigit(body),
        batch,
        type,
        state: status === 'GENERATING' ? 'CREATED' : status === 'CLOSED' ? 'VOIDED' : 'IN_STOCK',
        holder: null,
        issuedAt: null,
        activatedAt: null,
        expireAt: null,
        policyNo: null,
        frozenReason: null,
        replacedByCardId: null,
        replacesCardId: null,
      });
    }
  }
  const faced = batches.filter(({ status, face, bonus }) => PATHS[status].includes('generated') && face + bonus > 0);
  await ledger.openAccounts(
    stage.at(dayAt(stage, 1)),
    faced.flatMap(({ id, batchNo }) => [issueContraOf(id), unsoldOf(id)].map((ref) => ({ ref, ownerName: batchNo }))),
  );
  const whole = ({ quantity, face, bonus }: DemoBatch) => BigInt(quantity * (face + bonus));
  await ledger.postMany(
    stage.at(dayAt(stage, 1, '18:00')),
    faced.map((batch) => ({
      businessKey: `card:batch:${batch.id}:gen`,
      book: 'CARD' as const,
      type: 'CARD_GEN',
      at: batch.madeAt,
      debit: [{ account: issueContraOf(batch.id), amount: whole(batch) }],
      credit: [{ account: unsoldOf(batch.id), amount: whole(batch) }],
      ref: { type: 'cardBatch', id: batch.id, no: batch.batchNo },
      actor: SYSTEM,
    })),
  );
  // What a closed batch did not sell is not sold any more.
  await ledger.postMany(
    stage.at(dayAt(stage, 2, '18:00')),
    faced
      .filter(({ status }) => status === 'CLOSED')
      .map((batch) => ({
        businessKey: `card:batch:${batch.id}:unsold`,
        book: 'CARD' as const,
        type: 'CARD_ISSUE',
        debit: [{ account: unsoldOf(batch.id), amount: whole(batch) }],
        credit: [{ account: issueContraOf(batch.id), amount: whole(batch) }],
        ref: { type: 'cardBatch', id: batch.id, no: batch.batchNo },
        actor: SYSTEM,
      })),
  );
  await bulk(tx, 'card_batch', rows);
  const logIds = await reserve(tx, 'card_export_log', logs.length);
  await bulk(
    tx,
    'card_export_log',
    logs.map((log, at) => ({ id: logIds[at]!, ...log })),
  );
  return { batches, cards };
}

/** Writes the cards, as they are in the end. */
export async function writeCards(stage: Stage, types: readonly DemoType[], cards: readonly DemoCard[]): Promise<void> {
  const { kernel, holders } = stage;
  await bulk(
    stage.tx,
    'card_card',
    cards.map((card) => {
      const holder = card.holder === null ? null : holders[card.holder]!;
      const { seed } = card.batch;
      return {
        id: card.id,
        cardNo: card.cardNo,
        batchId: card.batch.id,
        cardTypeId: card.type.id,
        kind: card.type.kind,
        ruleVersion: ruleVersionOf(types, card.type),
        secretHash: seed ? hashOfSecret(kernel.secrets, card.cardNo, secretOf(kernel.secrets, seed, card.cardNo)) : null,
        secretSetAt: seed ? card.batch.madeAt : null,
        secretFailCount: 0,
        state: card.state,
        patientId: holder?.patientId ?? null,
        holderName: holder?.name ?? null,
        holderIdType: holder?.idType ?? null,
        holderIdHash: holder?.idNoHash ?? null,
        holderIdMasked: holder?.idNoMasked ?? null,
        holderIdCipher: holder?.idNoCipher ?? null,
        holderMobileHash: holder?.mobileHash ?? null,
        holderMobileMasked: holder?.mobileMasked ?? null,
        holderMobileCipher: holder?.mobileCipher ?? null,
        policyNo: card.policyNo,
        issuedAt: card.issuedAt,
        activatedAt: card.activatedAt,
        expireAt: card.expireAt,
        frozenReason: card.frozenReason,
        frozenBy: card.frozenReason === null ? null : stage.staff.card_r.id,
        frozenByName: card.frozenReason === null ? null : stage.staff.card_r.name,
        stateBeforeFreeze: card.frozenReason === null ? null : 'ACTIVE',
        principalAvail: '0',
        bonusAvail: '0',
        heldAmount: '0',
        spentAmount: '0',
        version: 1,
      };
    }),
  );
}
