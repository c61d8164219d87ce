import { lazy, useMemo, useRef } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchLayer } from '#kernel/web/list/BatchBar.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { findingMachine, type FindingState } from '../../contract/abnormal/states.ts';
import { auditFinding, exportFinding, type FindingRow } from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { allFindings, findingsOfTab } from './findingList.tsx';
import { namedFinding, useFindingActions } from './useFindingActions.tsx';

const TransferMany = lazy(async () => ({ default: (await import('./TransferMany.tsx')).TransferMany }));
const FindingDrawer = lazy(async () => ({ default: (await import('./FindingDrawer.tsx')).FindingDrawer }));

/** Findings of a tab: those that wait for somebody, all, those whose setting aside is asked for, the solved ones. */
export function Findings({ state, mine = false }: { state?: FindingState; mine?: boolean }) {
  const layers = useLayers();
  const allowed = useMay();
  const transfers = allowed(may['abnormal.handle']) || allowed(may['abnormal.supervise']);
  const { actions, shown } = useFindingActions();
  const fixed = useMemo(() => ({ ...(state && { state: [state] }), ...(mine && { mine: true }) }), [state, mine]);
  const listed = useRef<readonly FindingRow[]>([]);
  const open = ({ id }: FindingRow) => {
    // Those that stand in the list now: what is solved meanwhile leaves it, and the next one is still the next one.
    const queue = listed.current.map((row) => row.id);
    layers.open((close) => <FindingDrawer findingId={id} queue={queue} onClose={close} />);
  };
  const each = (action: 'take' | 'recheck') => ({
    label: findingMachine.transitions[action].label,
    permission: may['abnormal.handle'],
    when: ({ allowedActions }: FindingRow) => allowedActions.includes(action),
    nameOf: namedFinding,
    each: ({ id, version }: FindingRow) => send(auditFinding, { id, version, action }, { quiet: true }),
  });
  return (
    <>
      <ResourceList
        of={state || mine ? findingsOfTab : allFindings}
        fixed={fixed}
        actions={[{ label: '详情', act: open }, ...actions]}
        onRowClick={open}
        batch={[
          each('take'),
          ...(transfers
            ? [
                {
                  label: findingMachine.transitions.transfer.label,
                  nameOf: namedFinding,
                  dialog: (rows: readonly FindingRow[], layer: BatchLayer) => (
                    <TransferMany rows={rows} onDone={layer.done} onClose={layer.close} />
                  ),
                },
              ]
            : []),
          each('recheck'),
        ]}
        toolbar={(view) => {
          listed.current = view.rows;
          return <ExportButton call={exportFinding} view={view} permission={may['abnormal.view']} />;
        }}
      />
      {layers.shown}
      {shown}
    </>
  );
}
