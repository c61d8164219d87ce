import { useState } from 'react';
import { grouped, yuan } from '#kernel/contract/money.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { MOST_CARDS_AT_ONCE } from '../../contract/cardDictionaries.ts';
import { exportCardList, queryCardList, queryCardTotal, type CardRow } from '../../contract/calls/cards.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import '../use/use.css';
import './cards.css';
import { CardBatchFilter, CardTypeFilter } from './OptionPickers.tsx';
import { ChangeForm, FreezeForm, useCardActions } from './useCardActions.tsx';

export const cards = resource(queryCardList, {
  routeKey: 'cardInformation',
  empty: '没有符合条件的卡；持卡人须输入完整姓名或证件号',
  filters: [
    'cardNo',
    { name: 'holderKeyword', placeholder: '完整姓名或证件号' },
    'mobile',
    'policyNo',
    { kind: 'picker', name: 'cardTypeId', picker: CardTypeFilter },
    { kind: 'picker', name: 'batchId', picker: CardBatchFilter },
    'state',
    { kind: 'days', names: ['expireFrom', 'expireTo'], label: '失效日期' },
    'balanceMin',
    'balanceMax',
  ],
  columns: [
    { key: 'cardNo', required: true },
    'cardTypeName',
    'batchNo',
    'holderName',
    'holderMobile',
    'policyNo',
    'available',
    'held',
    'spent',
    'timesLeft',
    'state',
    'activatedAt',
    'expireAt',
    { key: 'kind', plain: true, hidden: true },
    { key: 'funderName', hidden: true },
    { key: 'productCode', hidden: true },
    { key: 'frozenReason', plain: true, hidden: true },
    { key: 'pendingChangeNo', hidden: true },
  ],
});
export const showCard = (row: Pick<CardRow, 'id'>) => goTo('/cardInformationDetail', { cardId: row.id });

/** Sums of everything that the filters find. */
function Totals({ filters }: { filters: InputOf<typeof queryCardTotal> }) {
  const { data } = useData(queryCardTotal, filters, { quiet: true });
  if (!data) return null;
  return (
    <span className="card-totals">
      <span>共 {grouped(data.count)} 张</span>
      <span>可用 {yuan(data.available, true)} 元</span>
      <span>预占 {yuan(data.held, true)} 元</span>
      <span>已用 {yuan(data.spent, true)} 元</span>
    </span>
  );
}

/** A scanned or typed number opens its card. */
function ScanField() {
  const [text, setText] = useState('');
  const open = async () => {
    const cardNo = text.replaceAll(/\s/g, '');
    if (cardNo === '') return toast('请输入卡号', 'info');
    const { rows } = await send(queryCardList, { cardNo, pageSize: 1 });
    const [found] = rows;
    if (!found) return toast('卡号不存在，请核对', 'error');
    setText('');
    showCard(found);
  };
  return (
    <TextInput
      className="card-scan"
      autoFocus
      aria-label="扫卡或输入卡号"
      placeholder="扫卡或输入卡号，按回车打开"
      most={24}
      allowClear
      value={text}
      onChange={({ target }) => setText(target.value)}
      onPressEnter={() => void open()}
    />
  );
}

interface Failed {
  cardId: string;
  cardNo: string;
  message: string;
}
/** Which cards of many were left as they are, and why. */
function BatchAnswer({ title, done, failures, onClose }: { title: string; done: number; failures: readonly Failed[]; onClose(): void }) {
  const outcomes = [
    ...Array.from({ length: done }, () => ({ name: '', ok: true, message: '成功' })),
    ...failures.map(({ cardNo, message }) => ({ name: cardNo, ok: false, message })),
  ];
  return <BatchResult title={title} outcomes={outcomes.toReversed()} total={outcomes.length} running={false} onClose={onClose} />;
}
/** Tab 卡信息. */
export function Cards() {
  const layers = useLayers();
  const cardActions = useCardActions(layers);
  const actions: readonly RowAction<CardRow>[] = [{ label: '详情', act: showCard }, ...cardActions];
  const showOutcome = (title: string, done: number, failures: readonly Failed[], clear: () => void) => {
    clear();
    if (failures.length > 0) layers.open((close) => <BatchAnswer title={title} done={done} failures={failures} onClose={close} />);
  };
  const tooMany = (rows: readonly CardRow[]) => (rows.length > MOST_CARDS_AT_ONCE ? `一次最多${MOST_CARDS_AT_ONCE}张卡` : null);
  const batch: readonly BatchAction<CardRow>[] = [
    {
      label: '批量冻结',
      danger: true,
      permission: may['card.freeze'],
      nameOf: ({ cardNo }) => cardNo,
      unfit: tooMany,
      dialog: (rows, layer, facts) => (
        <FreezeForm
          cards={rows}
          facts={facts}
          onClose={layer.close}
          onDone={(failures, done) => showOutcome('批量冻结', done, failures, () => layer.done())}
        />
      ),
    },
    {
      label: '批量延期申请',
      permission: may['change.edit'],
      nameOf: ({ cardNo }) => cardNo,
      unfit: tooMany,
      dialog: (rows, layer, facts) => (
        <ChangeForm
          cards={rows}
          facts={facts}
          action="EXTEND"
          onClose={layer.close}
          onDone={(failures, made) => showOutcome('批量延期申请', made, failures, () => layer.done())}
        />
      ),
    },
  ];
  return (
    <>
      <ResourceList
        of={cards}
        actions={actions}
        batch={batch}
        onRowClick={showCard}
        toolbar={(view) => (
          <>
            <ScanField />
            <ExportButton call={exportCardList} view={view} permission={may['card.export']} />
            <Totals filters={view.filters} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
