import { Button } from 'antd';
import { lazy } from 'react';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import type { CardDetails } from '../../contract/calls/cards.ts';
import { changeActions, changeMachine } from '../../contract/cardDictionaries.ts';
import { lineStates } from '../../contract/grantStates.ts';
import { holdMachine, writeOffMachine } from '../../contract/useStates.ts';

const CheckChange = lazy(async () => ({ default: (await import('./Changes.tsx')).CheckChange }));

type Hold = CardDetails['holds'][number];
type WriteOff = CardDetails['writeOffs'][number];
const holds = (money: boolean): readonly Column<Hold>[] => [
  { key: 'holdNo', title: '预占单号', kind: 'link', width: 180, to: ({ holdNo }) => ({ path: '/cardGrantCancel', search: { holdNo } }) },
  { key: 'orderNo', title: '订单号', width: 180 },
  { key: 'drugstoreName', title: '药店', width: 160 },
  money ? { key: 'amount', title: '预占（元）', kind: 'money' } : { key: 'times', title: '预占次数', kind: 'number' },
  { key: 'captured', title: '已核销（元）', kind: 'money' },
  { key: 'state', title: '状态', kind: 'dict', dictionary: holdMachine.dictionary },
  { key: 'createdAt', title: '预占时间', kind: 'time' },
];
const writeOffs = (money: boolean): readonly Column<WriteOff>[] => [
  {
    key: 'writeOffNo',
    title: '核销单号',
    kind: 'link',
    width: 180,
    to: ({ writeOffNo }) => ({ path: '/cardCancel', search: { writeOffNo } }),
  },
  { key: 'orderNo', title: '订单号', width: 180 },
  { key: 'merchantName', title: '药店', width: 160 },
  { key: 'goods', title: '商品', width: 170 },
  { key: 'amount', title: '核销（元）', kind: 'money' },
  ...(money ? [] : [{ key: 'times', title: '次数', kind: 'number', width: 70 } as const]),
  { key: 'reversed', title: '已冲正（元）', kind: 'money' },
  { key: 'state', title: '状态', kind: 'dict', dictionary: writeOffMachine.dictionary },
  { key: 'doneAt', title: '核销时间', kind: 'time' },
];
export const Uses = ({ money, ...uses }: Pick<CardDetails, 'holds' | 'writeOffs'> & { money: boolean }) => (
  <>
    <Section title="最近预占">
      <DataTable rows={uses.holds} columns={holds(money)} rowKey="id" empty="还没有预占" />
    </Section>
    <Section title="最近核销">
      <DataTable rows={uses.writeOffs} columns={writeOffs(money)} rowKey="id" empty="还没有核销" />
    </Section>
  </>
);

type Grant = CardDetails['grants'][number];
const grants: readonly Column<Grant>[] = [
  { key: 'grantNo', title: '发放单号', kind: 'link', width: 180, to: ({ grantNo }) => ({ path: '/valueCardGrant', search: { grantNo } }) },
  { key: 'amount', title: '本金（元）', kind: 'money' },
  { key: 'bonus', title: '赠金（元）', kind: 'money' },
  { key: 'revokedAmount', title: '已撤回（元）', kind: 'money' },
  { key: 'state', title: '结果', kind: 'dict', dictionary: lineStates },
  { key: 'doneAt', title: '发放时间', kind: 'time' },
];
export const Grants = ({ rows }: { rows: readonly Grant[] }) => (
  <DataTable rows={rows} columns={grants} rowKey="id" empty="没有发放记录；换卡后发放记录随余额转到新卡" />
);

type Change = CardDetails['changes'][number];
export function ChangesOf({ rows }: { rows: readonly Change[] }) {
  const layers = useLayers();
  const columns: readonly Column<Change>[] = [
    {
      key: 'changeNo',
      title: '变更单号',
      width: 170,
      kind: 'custom',
      render: (row) => (
        <Button type="link" size="small" onClick={() => layers.open((close) => <CheckChange row={row} onClose={close} />)}>
          {row.changeNo}
        </Button>
      ),
    },
    { key: 'action', title: '类型', kind: 'dict', dictionary: changeActions, plain: true },
    { key: 'summary', title: '变更内容', width: 280 },
    { key: 'reason', title: '申请理由', width: 200 },
    { key: 'status', title: '状态', kind: 'dict', dictionary: changeMachine.dictionary },
    { key: 'requestedBy', title: '申请人', width: 90 },
    { key: 'createdAt', title: '申请时间', kind: 'time' },
    { key: 'decidedBy', title: '审批人', width: 90 },
    { key: 'decidedAt', title: '审批时间', kind: 'time' },
  ];
  return (
    <>
      <DataTable rows={rows} columns={columns} rowKey="id" empty="没有申请过变更；冻结与解冻见操作记录" />
      {layers.shown}
    </>
  );
}
