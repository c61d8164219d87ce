import { lazy, useMemo } from 'react';
import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { send } from '../../../../kernel/web/http/client.ts';
import { useLayers } from '../../../../kernel/web/kit/useLayers.tsx';
import { ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { findingMachine, type FindingState } from '../../contract/abnormal/states.ts';
import { auditFinding, exportFinding, type FindingRow } from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { allFindings, findingsOfTab } from './findingList.tsx';
import { namedFinding, useFindingActs } from './useFindingActs.tsx';

const FindingDrawer = lazy(async () => ({ default: (await import('./FindingDrawer.tsx')).FindingDrawer }));

/** Findings of a tab: those that wait for somebody, all, those whose setting aside is asked for, the solved ones. */
export function Findings({ state, mine = false }: { state?: FindingState; mine?: boolean }) {
  const layers = useLayers();
  const { actions, shown } = useFindingActs();
  const fixed = useMemo(() => ({ ...(state && { state: [state] }), ...(mine && { mine: true }) }), [state, mine]);
  const open = ({ id }: FindingRow) => layers.open((close) => <FindingDrawer findingId={id} onClose={close} />);
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
        batch={[each('take'), each('recheck')]}
        toolbar={(view) => <ExportButton call={exportFinding} view={view} permission={may['abnormal.view']} />}
      />
      {layers.shown}
      {shown}
    </>
  );
}
