import { AuditTimeline, type TimelineMachine } from '../../../../kernel/web/detail/AuditTimeline.tsx';

interface Entry {
  id: string;
  action: string;
  fromState: string | null;
  toState: string | null;
  opinion: string | null;
  diff: readonly { label: string; before?: unknown; after?: unknown }[];
  at: string;
  opNo: string | null;
  displayName: string;
}

/** Timeline of a record, newest first. */
export function Trail({ entries, machine }: { entries: readonly Entry[] | undefined; machine: TimelineMachine }) {
  const rows = entries?.toReversed().map(({ diff, toState, ...entry }) => ({
    ...entry, toState: toState ?? entry.fromState ?? '', differences: diff.map(({ label, before, after }) => ({ label, before, after })),
  }));
  return <AuditTimeline rows={rows} machine={machine} />;
}
