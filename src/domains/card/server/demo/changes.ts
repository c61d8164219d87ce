import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { dayOf, hours, plusDays, plusMs } from '#kernel/contract/time.ts';
import { changeMachine, type ChangeAction } from '../../contract/cardDictionaries.ts';
import { maskCardNo } from '../cards/cardNo.ts';
import type { Payload } from '../changes/payload.ts';
import type { DemoCard } from './batches.ts';
import type { Stage } from './stage.ts';

type Status = keyof typeof changeMachine.states;
const REASONS: Readonly<Record<ChangeAction, string>> = {
  VOID: '持卡人退保，申请作废',
  REPLACE: '卡片丢失，申请补发新卡',
  EXTEND: '住院期间未能使用，申请延期',
  ADJUST: '客诉补偿，申请补发金额',
  REBIND: '更换手机号码',
};
/** What was carried out is seen on the card; only replacements and new numbers of the demonstration were. */
const STATUSES: Readonly<Record<ChangeAction, readonly Status[]>> = {
  VOID: ['PENDING', 'PENDING', 'REJECTED', 'REJECTED', 'WITHDRAWN', 'REJECTED'],
  REPLACE: ['PENDING', 'REJECTED', 'WITHDRAWN'],
  EXTEND: ['PENDING', 'PENDING', 'PENDING', 'REJECTED', 'WITHDRAWN', 'REJECTED'],
  ADJUST: ['PENDING', 'PENDING', 'REJECTED', 'REJECTED', 'WITHDRAWN', 'REJECTED'],
  REBIND: ['PENDING', 'APPROVED', 'APPROVED', 'APPROVED', 'REJECTED', 'WITHDRAWN'],
};
const ACTIONS: readonly ChangeAction[] = ['VOID', 'REPLACE', 'EXTEND', 'ADJUST', 'REBIND'];

interface Wish {
  card: DemoCard;
  action: ChangeAction;
  status: Status;
  newCard: DemoCard | null;
}

function contentOf(
  stage: Stage,
  { card, action, newCard }: Wish,
): { payload: Payload; differences: { label: string; before: string; after: string }[] } {
  const one = (label: string, before: string, after: string, payload: Payload) => ({ payload, differences: [{ label, before, after }] });
  const holder = stage.holders[card.holder!]!;
  switch (action) {
    case 'VOID':
      return one('状态', '使用中', '已作废', {});
    case 'REPLACE':
      return one(
        '卡号',
        maskCardNo(card.cardNo),
        newCard ? maskCardNo(newCard.cardNo) : '在库新卡',
        newCard ? { newCardId: newCard.id } : {},
      );
    case 'EXTEND': {
      const end = plusDays(dayOf(card.expireAt!), -1);
      return one('失效日期', end, plusDays(end, 60), { expireOn: plusDays(end, 60) });
    }
    case 'ADJUST':
      return one('补发本金', '0.00元', '50.00元', { lotKind: 'PRINCIPAL', amount: 5_000 });
    case 'REBIND':
      return one('手机号', '138****2046', holder.mobileMasked, {
        mobileCipher: holder.mobileCipher,
        mobileHash: holder.mobileHash,
        mobileMasked: holder.mobileMasked,
      });
  }
}

/** Changes of cards: asked for by one, decided by another. */
export async function writeChanges(stage: Stage, cards: readonly DemoCard[]): Promise<void> {
  const { staff, now } = stage;
  const byId = new Map(cards.map((card) => [card.id, card]));
  const free = cards.filter(
    ({ state, type, expireAt }) => state === 'ACTIVE' && type.fundingMode === 'ON_USE' && type.kind === 'STORED_VALUE' && expireAt !== null,
  );
  const spare = cards.filter(({ state, type }) => state === 'IN_STOCK' && type === free[0]?.type);
  const wishes = [
    ...cards.flatMap((card): Wish[] =>
      card.state === 'REPLACED' ? [{ card, action: 'REPLACE', status: 'APPROVED', newCard: byId.get(card.replacedByCardId!) ?? null }] : [],
    ),
    ...ACTIONS.flatMap((action) =>
      STATUSES[action].flatMap((status): Wish[] => {
        const card = free.shift();
        return card ? [{ card, action, status, newCard: action === 'REPLACE' ? (spare.shift() ?? null) : null }] : [];
      }),
    ),
  ];
  const ids = await reserve(stage.tx, 'card_change', wishes.length);
  const rows = wishes.map((wish, at) => {
    const { card, action, status } = wish;
    const asked = plusMs(now, -hours(status === 'PENDING' ? 3 + at : 24 * (9 + (at % 30))));
    const decided = status === 'APPROVED' || status === 'REJECTED';
    const opinion = status === 'REJECTED' ? '证明材料不全，请补充后重新申请' : null;
    const steps: Parameters<typeof stage.trail<Status, keyof typeof changeMachine.transitions>>[2] = decided
      ? [
          {
            action: status === 'APPROVED' ? 'approve' : 'reject',
            at: plusMs(asked, hours(5)),
            by: staff.card_r,
            ...(opinion && { opinion }),
          },
        ]
      : status === 'WITHDRAWN'
        ? [{ action: 'withdraw', at: plusMs(asked, hours(2)), by: staff.card_a }]
        : [];
    stage.trail(changeMachine, { type: 'card.change', id: ids[at]! }, steps);
    return {
      id: ids[at]!,
      changeNo: stage.number('CC', asked),
      cardId: card.id,
      action,
      ...contentOf(stage, wish),
      reason: REASONS[action],
      evidenceFileIds: [],
      status,
      requestedBy: staff.card_a.id,
      requestedByName: staff.card_a.name,
      decidedBy: decided ? staff.card_r.id : null,
      decidedByName: decided ? staff.card_r.name : null,
      decidedOpinion: opinion,
      decidedAt: decided ? plusMs(asked, hours(5)) : null,
      newCardId: wish.newCard?.id ?? null,
      version: decided || status === 'WITHDRAWN' ? 2 : 1,
      createdAt: asked,
    };
  });
  await bulk(stage.tx, 'card_change', rows);
}
