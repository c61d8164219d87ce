import { Drawer } from 'antd';
import { AuditTimeline, type TimelineMachine, type TrailRow } from './AuditTimeline.tsx';

interface TrailDrawerProps {
  title: string;
  /** What `useData` answers for a call that reads a timeline. */
  of: { data: readonly TrailRow[] | undefined; error: unknown; refetch(): unknown };
  machine: TimelineMachine;
  onClose(): void;
}

/** The timeline of one row of a list whose records have no drawer of their own. */
export function TrailDrawer({ title, of, machine, onClose }: TrailDrawerProps) {
  return (
    <Drawer open size={520} title={title} onClose={onClose}>
      <AuditTimeline rows={of.data} machine={machine} error={of.error} onRetry={() => void of.refetch()} />
    </Drawer>
  );
}
