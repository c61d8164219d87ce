import { Button } from 'antd';
import { Suspense, useMemo, useState } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { suspendReasons } from '../../contract/dictionaries.ts';
import { changeOpeningState, exportServiceOpeningList, queryServiceOpeningList, type OpeningRow } from '../../contract/calls/openings.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { openingMachine, type OpeningState } from '../../contract/states.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { bandText } from '../services/Bands.tsx';
import { hospitalFilter, itemFilter } from '../services/onDemand.tsx';
import { Deviation, DoctorCell, doctorText, OpenForm, OpeningDetail, PriceForm, SlotForm } from './parts.tsx';
import { refreshes } from './refreshes.ts';

const shared = {
  empty: '没有符合条件的服务，请调整筛选条件',
  columns: [
    {
      key: 'doctor',
      title: '医生/职称',
      kind: 'custom',
      width: 180,
      required: true,
      value: doctorText,
      render: (row: OpeningRow) => <DoctorCell row={row} />,
    },
    { key: 'hospitalName', width: 190 },
    { key: 'itemName', width: 150, required: true },
    { key: 'careKind', width: 90 },
    { key: 'priceFen', width: 100 },
    { key: 'band', width: 150, align: 'right', value: (row: OpeningRow) => bandText(row.band) },
    { key: 'averageFen', width: 140 },
    {
      key: 'deviationBp',
      width: 100,
      align: 'right',
      render: (row: OpeningRow) => <Deviation bp={row.deviationBp} title="较同职称均价" />,
    },
    {
      key: 'pendingApply',
      width: 170,
      value: (row: OpeningRow) =>
        row.pendingApply && `${row.pendingApply.kind === 'PRICE' ? `调价至${yuan(row.pendingApply.toPriceFen, true)}` : '开通'}`,
    },
    { key: 'dailyLimit', width: 110 },
    { key: 'slots', width: 100, value: (row: OpeningRow) => (row.needSlot ? `每周${row.slots.length}段` : '无需预约') },
    {
      key: 'state',
      width: 150,
      render: (row: OpeningRow) => (
        <span>
          <Dict of={openingMachine.dictionary} code={row.state} />{' '}
          {row.suspendReason && <span className="kq-muted">{suspendReasons.label(row.suspendReason)}</span>}
        </span>
      ),
    },
    'effectiveAt',
    { key: 'updatedAt', hidden: true },
  ],
} as const;
const filters = [
  { name: 'doctorName', placeholder: '姓名、拼音或编号' },
  hospitalFilter,
  itemFilter,
  'careKind',
  'priceFrom',
  'priceTo',
] as const;
const ofOneState = resource(queryServiceOpeningList, { routeKey: 'doctorManagementService', ...shared, filters });
const ofAll = resource(queryServiceOpeningList, {
  routeKey: 'doctorManagementService',
  ...shared,
  filters: [...filters, 'state'],
});
const nameOf = (row: OpeningRow) => `${row.doctorName} ${row.itemName}`;

type Open = { kind: 'price' | 'slots'; row: OpeningRow } | { kind: 'open' };

/** Openings of one state, or all of them. */
export function Openings({ state }: { state?: OpeningState }) {
  const fixed = useMemo(() => (state ? { state: [state] } : undefined), [state]);
  const [open, setOpen] = useState<Open | null>(null);
  const change = useCommand(changeOpeningState, { success: '操作成功!', refreshes });
  const close = () => setOpen(null);
  const move = (action: 'pause' | 'resume' | 'close') => async (row: OpeningRow) => {
    const opinion = await askTransition(
      openingMachine,
      action,
      `“${nameOf(row)}”`,
      factsIn(queryServiceOpeningList.output, row, ['doctorNo', 'hospitalName', 'priceFen', 'dailyLimit']),
    );
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };
  const can = (action: 'changePrice' | 'modify' | 'pause' | 'resume' | 'close') => (row: OpeningRow) =>
    openingMachine.canStart(action, row.state);
  return (
    <>
      <ResourceList
        of={state ? ofOneState : ofAll}
        {...(fixed && { fixed })}
        actions={[
          {
            label: '调价',
            permission: may['opening.edit'],
            when: (row) => can('changePrice')(row) && row.pendingApply === null,
            act: (row) => setOpen({ kind: 'price', row }),
          },
          { label: '时段', permission: may['opening.edit'], when: can('modify'), act: (row) => setOpen({ kind: 'slots', row }) },
          { label: '暂停', permission: may['opening.edit'], when: can('pause'), act: move('pause') },
          { label: '恢复', permission: may['opening.edit'], when: can('resume'), act: move('resume') },
          { label: '关闭', permission: may['opening.edit'], when: can('close'), danger: true, act: move('close') },
        ]}
        batch={[
          {
            label: '批量暂停',
            permission: may['opening.edit'],
            nameOf,
            when: can('pause'),
            each: (row) => send(changeOpeningState, { id: row.id, version: row.version, action: 'pause' }, { quiet: true }),
          },
          {
            label: '批量恢复',
            permission: may['opening.edit'],
            nameOf,
            when: can('resume'),
            each: (row) => send(changeOpeningState, { id: row.id, version: row.version, action: 'resume' }, { quiet: true }),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={may['opening.edit']}>
              <Button type="primary" onClick={() => setOpen({ kind: 'open' })}>
                开通服务
              </Button>
            </Can>
            <ExportButton
              call={exportServiceOpeningList}
              view={fixed ? { ...view, filters: { ...view.filters, ...fixed } } : view}
              permission={may['opening.export']}
            />
          </>
        )}
        expanded={(row) => (
          <Suspense fallback={<div className="kq-loading" />}>
            <OpeningDetail id={row.id} />
          </Suspense>
        )}
      />
      <Suspense fallback={null}>
        {open?.kind === 'open' && <OpenForm onClose={close} />}
        {open?.kind === 'price' && <PriceForm row={open.row} onClose={close} />}
        {open?.kind === 'slots' && <SlotForm row={open.row} onClose={close} />}
      </Suspense>
    </>
  );
}
