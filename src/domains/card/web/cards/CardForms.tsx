import { Button, Modal } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { AskedFacts } from '#kernel/web/feedback/AskedFacts.tsx';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { Select } from 'antd';
import { CHOSEN_REASONS, freezeReasons } from '../../contract/cardDictionaries.ts';
import { activateCard, batchFreezeCard, freezeCard } from '../../contract/calls/cards.ts';
import { cardReads, type ActedCard } from './acted.ts';

interface FreezeValues {
  reasonCode: (typeof CHOSEN_REASONS)[number];
  opinion: string;
}
const reasons = CHOSEN_REASONS.map((value) => ({ value, label: freezeReasons.label(value) }));

interface CardsProps {
  cards: readonly ActedCard[];
  /** What is frozen: how many, how much, whose. */
  facts: readonly Fact[];
  onClose(): void;
  onDone?(failures: OutputOf<typeof batchFreezeCard>['failures'], done: number): void;
}
const FreezeFields = ({ facts }: Pick<CardsProps, 'facts'>) => (
  <>
    <AskedFacts facts={facts} />
    <Field of={freezeCard} name="reasonCode">
      <Select placeholder="请选择" options={reasons} />
    </Field>
    <Field of={freezeCard} name="opinion" label="说明" placeholder="冻结后不能新增预占，已有预占仍可核销" />
  </>
);

/** 冻结 of one card, or of many. */
export function FreezeForm({ cards, facts, onClose, onDone }: CardsProps) {
  const [card] = cards;
  if (cards.length === 1 && card)
    return (
      <FormDialog<typeof freezeCard, FreezeValues>
        open
        title={`冻结 ${card.cardNo}`}
        width={480}
        call={freezeCard}
        toInput={(values) => ({ ...values, cardId: card.id, version: card.version })}
        refreshes={cardReads}
        success="操作成功!"
        onDone={() => onDone?.([], 1)}
        onClose={onClose}
      >
        <FreezeFields facts={facts} />
      </FormDialog>
    );
  return (
    <FormDialog<typeof batchFreezeCard, FreezeValues>
      open
      title={`批量冻结 ${cards.length} 张卡`}
      width={480}
      call={batchFreezeCard}
      toInput={(values) => ({ ...values, cardIds: cards.map(({ id }) => id) })}
      refreshes={cardReads}
      onDone={({ data }) => {
        if (data.failures.length === 0) toast(`已冻结${data.done}张`);
        onDone?.(data.failures, data.done);
      }}
      onClose={onClose}
    >
      <FreezeFields facts={facts} />
    </FormDialog>
  );
}

interface ActivateValues {
  secret: string;
  holderName: string;
  idNo: string;
}
/** 激活 for a holder who is at the counter or on the phone. */
export function ActivateForm({ card, onClose }: { card: ActedCard; onClose(): void }) {
  return (
    <FormDialog<typeof activateCard, ActivateValues>
      open
      title={`激活 ${card.cardNo}`}
      width={480}
      call={activateCard}
      toInput={(values) => ({ ...values, cardId: card.id, version: card.version })}
      refreshes={cardReads}
      success="操作成功!"
      onClose={onClose}
    >
      <Field of={activateCard} name="secret" placeholder="12位，不区分大小写" />
      <Field of={activateCard} name="holderName" extra="卡种要求实名时，姓名和证件号须与持卡人一致" />
      <Field of={activateCard} name="idNo" />
    </FormDialog>
  );
}

/** The new secret, this once. */
export function NewSecret({ cardNo, secret, onClose }: { cardNo: string; secret: string; onClose(): void }) {
  const close = (
    <Button type="primary" onClick={onClose}>
      已记下
    </Button>
  );
  return (
    <Modal open title={`新卡密 ${cardNo}`} footer={close} closable={false} mask={{ closable: false }}>
      <p>只显示这一次，关闭后不能再查看：</p>
      <p>
        <code>{secret}</code>
      </p>
    </Modal>
  );
}
