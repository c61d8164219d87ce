import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import type { Layers } from '#kernel/web/kit/useLayers.tsx';
import { changeActions, type ChangeAction } from '../../contract/cardDictionaries.ts';
import { queryCardList, resetCardSecret, unfreezeCard } from '../../contract/calls/cards.ts';
import { cardReads, type ActedCard } from './acted.ts';

export const FreezeForm = lazy(async () => ({ default: (await import('./CardForms.tsx')).FreezeForm }));
const ActivateForm = lazy(async () => ({ default: (await import('./CardForms.tsx')).ActivateForm }));
const NewSecret = lazy(async () => ({ default: (await import('./CardForms.tsx')).NewSecret }));
export const ChangeForm = lazy(async () => ({ default: (await import('./ChangeForm.tsx')).ChangeForm }));

/** What may be done with a card, in a list and over its details. */
export function useCardActions(layers: Pick<Layers, 'open'>): readonly RowAction<ActedCard>[] {
  const free = useCommand(unfreezeCard, { success: '操作成功!', refreshes: cardReads });
  const reset = useCommand(resetCardSecret, { refreshes: cardReads });
  const can =
    (name: string) =>
    ({ allowedActions }: ActedCard) =>
      allowedActions.includes(name);
  const facts = (card: ActedCard) => factsIn(queryCardList.output, card, ['cardNo', 'cardTypeName', 'holderName', 'available', 'expireAt']);
  const change = (action: ChangeAction): RowAction<ActedCard> => ({
    label: `申请${changeActions.label(action)}`,
    danger: action === 'VOID',
    when: can(action),
    act: (card) => layers.open((close) => <ChangeForm cards={[card]} action={action} onClose={close} />),
  });
  return [
    {
      label: '激活',
      when: can('activate'),
      act: (card) => layers.open((close) => <ActivateForm card={card} onClose={close} />),
    },
    {
      label: '冻结',
      danger: true,
      when: can('freeze'),
      act: (card) => layers.open((close) => <FreezeForm cards={[card]} facts={facts(card)} onClose={close} />),
    },
    {
      label: '解冻',
      when: can('unfreeze'),
      act: async (card) => {
        const opinion = await confirmWithOpinion({
          title: '解冻',
          content: `确定要解冻“${card.cardNo}”吗?`,
          facts: facts(card),
          opinion: 'required',
        });
        if (opinion !== null) await free.run({ cardId: card.id, version: card.version, opinion });
      },
    },
    ...changeActions.codes.map(change),
    {
      label: '重置卡密',
      when: can('resetSecret'),
      act: async (card) => {
        const opinion = await confirmWithOpinion({
          title: '重置卡密',
          content: `“${card.cardNo}”的原卡密立即失效，新卡密只显示一次。`,
          facts: facts(card),
          opinion: 'required',
        });
        if (opinion === null) return;
        const answer = await reset.run({ cardId: card.id, version: card.version, opinion });
        if (answer) layers.open((close) => <NewSecret cardNo={card.cardNo} secret={answer.data.secret} onClose={close} />);
      },
    },
  ];
}
