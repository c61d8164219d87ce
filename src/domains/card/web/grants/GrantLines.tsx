import { lazy } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportGrantResult, queryGrantLineList, type GrantLineRow } from '../../contract/calls/grants.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { CardTypePicker } from './CardTypePicker.tsx';

const RevokeLine = lazy(async () => ({ default: (await import('./RevokeLine.tsx')).RevokeLine }));

const linesOf = (routeKey: string, alone: boolean) =>
  resource(queryGrantLineList, {
    routeKey,
    empty: '没有符合条件的发放明细',
    filters: [
      ...(alone ? (['grantNo', { kind: 'picker', name: 'cardTypeId', picker: CardTypePicker }] as const) : []),
      'holderName',
      'policyNo',
      'outerSerialNo',
      'state',
    ],
    columns: [
      { key: 'grantNo', hidden: !alone },
      'rowNo',
      { key: 'typeName', hidden: !alone },
      { key: 'holderName', required: true },
      'idNo',
      'mobile',
      'amount',
      'bonus',
      { key: 'cardNo', to: ({ cardId }) => (cardId === null ? null : { path: '/cardInformationDetail', search: { cardId } }) },
      'state',
      'failReason',
      'revokedAmount',
      'effectiveFrom',
      'expireOn',
      'policyNo',
      'outerSerialNo',
      'doneAt',
    ],
  });
const whole = linesOf('valueCardGrant.lines', true);
const ofGrant = linesOf('valueCardGrant.grantLines', false);

/** Lines of grants with their results; of one grant, or of all. */
export function LineList({ fixed }: { fixed?: Partial<InputOf<typeof queryGrantLineList>> }) {
  const layers = useLayers();
  const actions: readonly RowAction<GrantLineRow>[] = [
    {
      label: '撤回',
      danger: true,
      permission: may['grant.approve'],
      when: ({ state, amount, bonus }) => (state === 'SUCCESS' || state === 'PART_REVOKED') && amount + bonus > 0,
      act: (row) => layers.open((close) => <RevokeLine line={row} onClose={close} />),
    },
  ];
  return (
    <>
      <ResourceList
        of={fixed ? ofGrant : whole}
        {...(fixed && { fixed })}
        actions={actions}
        toolbar={(view) => <ExportButton call={exportGrantResult} view={view} permission={may['card.export']} label="下载结果" />}
      />
      {layers.shown}
    </>
  );
}

/** Tab 发放明细. */
export const GrantLines = () => <LineList />;
