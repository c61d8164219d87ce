import { Alert, Form } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { AskedFacts } from '#kernel/web/feedback/AskedFacts.tsx';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { addCardChange } from '../../contract/calls/cardChanges.ts';
import { changeActions, REOPEN_DAYS, type ChangeAction } from '../../contract/cardDictionaries.ts';
import type { lotKinds } from '../../contract/dictionaries.ts';
import { CARD_EVIDENCE } from '../../contract/purposes.ts';
import { cardMachine } from '../../contract/states.ts';
import { cardReads, type ActedCard } from './acted.ts';

interface Values {
  expireOn?: string;
  newCardNo?: string;
  lotKind?: (typeof lotKinds.codes)[number];
  amount?: number;
  mobile?: string;
  reason: string;
  files?: readonly UploadedFile[];
}
const hints: Readonly<Record<ChangeAction, string>> = {
  VOID: '批准后卡不能再使用，余额退回出资方',
  REPLACE: '批准后余额、次数与有效期转到新卡，原卡不能再使用；须先释放全部预占',
  EXTEND: `批准后卡内未到期的资金一并延期；已过期的卡须在${REOPEN_DAYS}天内申请，到期退回的资金重新记入`,
  ADJUST: '只能调增，批准后记为一笔新的资金；扣回请在储值发放记录中撤回',
  REBIND: '批准后持卡人的手机号变更，患者档案不变',
};

interface Props {
  cards: readonly ActedCard[];
  /** Of many: how many, how much, whose. */
  facts?: readonly Fact[];
  action: ChangeAction;
  onClose(): void;
  onDone?(failures: readonly { cardId: string; cardNo: string; message: string }[], made: number): void;
}
/** 申请 of a change of one card, or of the extension of many; somebody else passes it. */
export function ChangeForm({ cards, facts = [], action, onClose, onDone }: Props) {
  const [card] = cards;
  const only = cards.length === 1 ? card : undefined;
  const label = changeActions.label(action);
  return (
    <FormDrawer<typeof addCardChange, Values>
      open
      title={only ? `申请${label} ${only.cardNo}` : `批量申请${label}（${cards.length}张）`}
      width={560}
      call={addCardChange}
      toInput={({ files, ...values }) => ({
        ...values,
        action,
        cardIds: cards.map(({ id }) => id),
        ...(only && { version: only.version }),
        evidenceFileIds: (files ?? []).map(({ fileId }) => fileId),
      })}
      refreshes={cardReads}
      submitText="提交审批"
      onDone={({ data }) => {
        if (data.failures.length === 0) toast(only ? `变更单${data.made[0]?.changeNo ?? ''}已提交审批` : `已提交${data.made.length}张`);
        onDone?.(data.failures, data.made.length);
      }}
      onClose={onClose}
    >
      <AskedFacts facts={facts} />
      {only && (
        <Facts
          columns={2}
          facts={[
            { label: '卡种', value: only.cardTypeName },
            { label: '状态', value: cardMachine.dictionary.label(only.state) },
            { label: '可用', value: only.kind === 'STORED_VALUE' ? `${yuan(only.available, true)} 元` : null },
            { label: '失效日期', value: only.expireAt ? plusDays(dayOf(only.expireAt), -1) : '长期' },
          ]}
        />
      )}
      <Alert type="info" showIcon title={hints[action]} style={{ marginBottom: 16 }} />
      {action === 'REPLACE' && <Field of={addCardChange} name="newCardNo" placeholder="扫描新卡；不填则审批时取一张库存卡" />}
      {action === 'EXTEND' && <Field of={addCardChange} name="expireOn" required />}
      {action === 'ADJUST' && (
        <>
          <Field of={addCardChange} name="lotKind" required extra="本金由卡种的出资方承担，赠金由平台承担" />
          <Field of={addCardChange} name="amount" required />
          <Field of={addCardChange} name="expireOn" label="该笔失效日期" extra="不填与卡相同" />
        </>
      )}
      {action === 'REBIND' && <Field of={addCardChange} name="mobile" required />}
      <Field of={addCardChange} name="reason" />
      <Form.Item label="依据附件" name="files" {...(action === 'ADJUST' && { rules: [{ required: true, message: '请上传调账依据附件' }] })}>
        <Upload purpose={CARD_EVIDENCE} max={5} />
      </Form.Item>
    </FormDrawer>
  );
}
